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
        let limit = count &- Self.slack
        let view = names.view
        guard depth > 0, at < limit else { return .uncommon }
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
        // Where the first one begins, and the last one ends.
        var (values, valuesEnd) = (end, end)
        var met: UInt64 = 0
        let most = min(limits.attributes, Self.most &- bindingCount)
        var unseen = view.entries[element].isSeen ? 0 : 1
        while bytes[end] == 0x20 {
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
            if given == 0 { values = nameEnd &+ 2 }
            valuesEnd = end &- 1
            given &+= 1
            last = name
        }
        let isEmpty = bytes[end] == UInt8(ascii: "/")
        if isEmpty { end &+= 1 }
        guard bytes[end] == UInt8(ascii: ">") else { return .uncommon }
        end &+= 1
        guard end &- at <= limits.tagBytes, depth < min(limits.depth, Self.most) else { return .uncommon }
        if unseen > 0, !see(element, and: given, unseen) { return .uncommon }
        let start = position(at)
        lastElement = element
        tags &+= 1
        if !isEmpty {
            open[depth] = OpenElement(local: element, prefix: -1, declared: 0, start: start, end: position(end))
            depth &+= 1
        }
        let name = told(element, bytes + (at &+ 1), prefix: Self.noText, defaultURI)
        let list = XMLAttributes(
            UnsafeBufferPointer(start: attributes, count: given),
            written: given == 0 ? nil : UnsafeRawBufferPointer(start: bytes + values, count: valuesEnd &- values))
        guard settle(handler.startElement(name, attributes: list, at: start)) else { return .stopped }
        guard isEmpty else { return .end(end) }
        return settle(handler.endElement(at: start)) ? .end(end) : .stopped
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
        return settle(handler.endElement(at: start)) ? .end(end &+ 1) : .stopped
    }
}
