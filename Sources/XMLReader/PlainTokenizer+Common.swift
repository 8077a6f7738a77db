// Tags as nearly all are: names of the vocabulary or that were met before, without a prefix, values that
// are told as they are written, all of it there. Such a tag is read with nothing of what others need; at anything else
// nothing was changed, and it is read again from its beginning as any other.

import CTextScan

extension PlainTokenizer {
    /// Where reading a common tag came to.
    enum Outcome {
        case end(Int)
        /// It is no such tag.
        case uncommon
        /// By the handler.
        case stopped
    }

    /// Bytes that must be there behind each place that is looked at.
    private static let slack = 32

    @inline(__always)
    mutating func readCommonStart(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Outcome {
        guard depth > 0 else { return .uncommon }
        guard let tag = forms.expected(bytes, at, count), tag.form.pointee.given <= mostAttributes,
            isWithinLimits(at, tag.end), forms.isNoted(tag.form) || note(tag.form)
        else { return readNewStart(bytes, at, count) }
        forms.pass(tag)
        let form = tag.form
        let given = form.pointee.given
        let list = UnsafeBufferPointer(start: UnsafePointer(form.pointee.attributes), count: given)
        return begin(form.pointee.element, list, isEmpty: form.pointee.isEmpty, bytes, at, tag.end, count)
    }

    private var mostAttributes: Int { min(limits.attributes, Self.most &- bindingCount) }

    /// Reads a tag name by name.
    @inline(never)
    private mutating func readNewStart(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Outcome {
        let limit = count &- Self.slack
        let view = names.view
        guard at < limit else { return .uncommon }
        var element = view.guessed(view.entries[lastElement].elements, bytes, at &+ 1, count) {
            $0 == UInt8(ascii: ">") || $0 == 0x20
        }
        if element < 0 {
            element = knownName(bytes, at &+ 1, count)
            guard element >= 0 else { return .uncommon }
            names.note(nextElement: element, behind: lastElement)
        }
        guard view.entries[element].isASCII else { return .uncommon }
        var end = at &+ 1 &+ view.entries[element].count
        guard end < limit else { return .uncommon }
        var last = element
        var given = 0
        var met: UInt64 = 0
        let most = mostAttributes
        var unseen = view.entries[element].isSeen ? 0 : 1
        while bytes[end] == 0x20, bytes[end &+ 1] != UInt8(ascii: "/") {
            end &+= 1
            guard end < limit, given < most else { return .uncommon }
            var name = view.guessed(view.entries[last].attributes, bytes, end, count) { $0 == UInt8(ascii: "=") }
            if name < 0 {
                name = knownName(bytes, end, count)
                guard name >= 0 else { return .uncommon }
                names.note(nextAttribute: name, behind: last)
            }
            guard name != xmlns, view.entries[name].isASCII else { return .uncommon }
            // Whether it may be one of those before.
            let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: name)
            if met & bit != 0, hasAttribute(name, among: given) { return .uncommon }
            met |= bit
            if !view.entries[name].isSeen { unseen &+= 1 }
            let start = end
            let nameEnd = start &+ view.entries[name].count
            guard nameEnd < limit, bytes[nameEnd] == UInt8(ascii: "=") else { return .uncommon }
            let quote = bytes[nameEnd &+ 1]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .uncommon }
            let value = bytes + (nameEnd &+ 2)
            let length = dae_value_length(value, count &- (nameEnd &+ 2), quote)
            end = nameEnd &+ 3 &+ length
            guard end < limit, value[length] == quote else { return .uncommon }
            (attributeNames + given).initialize(to: (name, -1))
            (attributes + given).initialize(
                to: XMLAttributes.Entry(
                    name: XMLName(
                        known: view.entries[name].number, local: bytes + start, nameEnd &- start, qualifier: nil),
                    value: UnsafeRawBufferPointer(start: value, count: length)))
            given &+= 1
            last = name
        }
        if bytes[end] == 0x20 { end &+= 1 }
        let isEmpty = bytes[end] == UInt8(ascii: "/")
        if isEmpty { end &+= 1 }
        guard bytes[end] == UInt8(ascii: ">") else { return .uncommon }
        end &+= 1
        guard isWithinLimits(at, end), unseen == 0 || see(element, and: given, unseen) else { return .uncommon }
        let list = UnsafeBufferPointer(start: UnsafePointer(attributes), count: given)
        forms.learn(
            TagForms.Read(
                element: element, attributes: list, places: attributeNames, isEmpty: isEmpty,
                text: UnsafeBufferPointer(start: bytes + at, count: end &- at)),
            readable: count &- at, view)
        return begin(element, list, isEmpty: isEmpty, bytes, at, end, count)
    }

    @inline(__always)
    private func isWithinLimits(_ at: Int, _ end: Int) -> Bool {
        end &- at <= limits.tagBytes && depth < min(limits.depth, Self.mostOpen)
    }

    /// Tells of a tag that ends before `end`.
    @inline(__always)
    private mutating func begin(
        _ element: Int, _ given: UnsafeBufferPointer<XMLAttributes.Entry>, isEmpty: Bool, _ bytes: UnsafePointer<UInt8>,
        _ at: Int, _ end: Int, _ count: Int
    ) -> Outcome {
        let start = position(at)
        lastElement = element
        tags &+= 1
        if !isEmpty {
            open[depth] = OpenElement(local: element, prefix: -1, declared: 0, start: start, end: .behind(end &- at))
            depth &+= 1
        }
        let name = told(element, bytes + (at &+ 1), prefix: Self.noText, defaultURI)
        let list = XMLAttributes(given, written: Self.written(given))
        guard settle(handler.startElement(name, attributes: list, at: start)) else { return .stopped }
        guard isEmpty else {
            return names.entries[element].isRepeated ? readRepeated(element, bytes, end, count) : .end(end)
        }
        return settle(handler.endElement(at: start)) ? .end(end) : .stopped
    }

    /// From the first value to the end of the last, which all lie in the markup.
    @inline(__always)
    private static func written(_ given: UnsafeBufferPointer<XMLAttributes.Entry>) -> UnsafeRawBufferPointer? {
        guard given.count > 0, let start = given[0].value.baseAddress else { return nil }
        let last = given[given.count &- 1].value
        return last.baseAddress.map { UnsafeRawBufferPointer(start: start, count: $0 - start &+ last.count) }
    }

    // They change nothing: the compiler would else hand them a copy of the tokenizer.

    /// The place of the name at `from`, where it was met before, else -1.
    @inline(never)
    private mutating func knownName(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int {
        let end = Self.nameEnd(bytes, from, count)
        guard end < count else { return -1 }
        switch names.find(bytes + from, end &- from, readable: count &- from) {
        case .found(let place): return place
        case .absent, .crowded: return -1
        }
    }

    /// Notes that the document has the names of a form; false where those would be too many.
    @inline(never)
    private mutating func note(_ form: UnsafeMutablePointer<TagForms.Form>) -> Bool {
        let given = form.pointee.given
        var unseen = names.entries[form.pointee.element].isSeen ? 0 : 1
        for index in 0..<given where !names.entries[Int(form.pointee.places[index])].isSeen { unseen += 1 }
        guard names.seen.count + unseen <= limits.names else { return false }
        names.see(form.pointee.element)
        for index in 0..<given { names.see(Int(form.pointee.places[index])) }
        forms.note(form)
        return true
    }

    /// Notes that the document has the names of a tag; false where those would be too many.
    @inline(never)
    private mutating func see(_ element: Int, and given: Int, _ unseen: Int) -> Bool {
        guard names.seen.count + unseen <= limits.names else { return false }
        names.see(element)
        for index in 0..<given { names.see(attributeNames[index].local) }
        return true
    }

    @inline(never)
    private mutating func hasAttribute(_ name: Int, among given: Int) -> Bool {
        for index in 0..<given where attributeNames[index].local == name { return true }
        return false
    }

    @inline(__always)
    mutating func readCommonEnd(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Outcome {
        guard depth > 1, count &- at > Self.slack else { return .uncommon }
        let element = open + (depth &- 1)
        let view = names.view
        let place = element.pointee.local
        guard element.pointee.prefix < 0, element.pointee.declared == 0, view.entries[place].isASCII,
            view.begins(bytes + (at &+ 2), readable: count &- (at &+ 2), with: place)
        else { return .uncommon }
        let end = at &+ 2 &+ view.entries[place].count
        guard end < count, bytes[end] == UInt8(ascii: ">"), end &- at < limits.tagBytes else { return .uncommon }
        let start = position(at)
        tags &+= 1
        depth &-= 1
        guard settle(handler.endElement(at: start)) else { return .stopped }
        if depth == contents.candidateDepth { learnContent(bytes, end &+ 1) }
        return .end(end &+ 1)
    }
}
