import CTextScan

// Every name is looked up by its bytes, with no text made of it: a name that is found here was checked when it came in,
// so that only the first of its kind is looked at letter by letter.

/// The names of a vocabulary and those that a document brings, numbered as they come.
///
/// A vocabulary has one with its own names; each document begins with a copy.
struct MarkupNames: Sendable {
    // 64 bytes, so that a place is found by a shift.
    struct Entry: Sendable {
        /// Its first sixteen bytes, with zeros behind them where it has fewer.
        fileprivate let first: UInt64
        fileprivate let second: UInt64
        /// The bits of these that are the name's.
        fileprivate let firstMask: UInt64
        fileprivate let secondMask: UInt64
        /// Where it begins among the names' texts.
        fileprivate let start: Int32
        private let length: Int32
        private let known: Int32
        private let continuing: Int16
        /// Whether the document has it.
        fileprivate var isSeen = false
        fileprivate(set) var nextElements = Successors()
        fileprivate(set) var nextAttributes = Successors()

        /// Of a name of at most ``XMLNameRules/longest`` bytes.
        init(_ text: Span<UInt8>, _ from: Int, _ end: Int, at start: Int, number: Int) {
            let length = end - from
            first = text.word(at: from, length: min(length, 8))
            second = length > 8 ? text.word(at: from + 8, length: min(length - 8, 8)) : 0
            firstMask = ByteWord.mask(length)
            secondMask = ByteWord.mask(length - 8)
            self.start = Int32(start)
            self.length = Int32(length)
            known = Int32(number)
            var continuing: Int16 = 0
            for place in from..<end where text[place] & 0xC0 == 0x80 { continuing += 1 }
            self.continuing = continuing
        }

        var count: Int { Int(length) }
        /// Bytes that begin no character.
        var continuations: Int { Int(continuing) }
        /// Its number in the vocabulary, or -1.
        var number: Int { Int(known) }
    }
    /// The two names that last came behind another: most names are followed by the same ones over and over.
    struct Successors: Sendable {
        /// -1 for none.
        fileprivate var last: Int32 = -1
        fileprivate var before: Int32 = -1

        fileprivate mutating func note(_ place: Int) {
            before = last
            last = Int32(truncatingIfNeeded: place)
        }
    }
    enum Lookup {
        case found(Int)
        case absent
        /// Too many names have one hash; nothing is said about this one.
        case crowded
    }

    private var entries: [Entry] = []
    /// Places in `entries`, or -1; a power of two of them.
    private var slots = [Int32](repeating: -1, count: 4096)
    private var texts: [UInt8] = []
    /// Those that the document has, in its order.
    private(set) var seen: [Int32] = []

    /// Places that are looked at before a name is given up.
    private static let longestProbe = 64
    /// Bytes of all names together, after which no more are taken.
    private static let mostBytes = 4 << 20

    /// With the names of a vocabulary, and those that mean something to XML itself.
    init(_ names: [String: Int]) {
        for (name, number) in names {
            let text = Array(name.utf8)
            if XMLNameRules.isSurelyName(text.span, 0, text.count) { insert(text.span, 0, text.count, number: number) }
        }
        for name in ["xmlns", "xml"] {
            let text = Array(name.utf8)
            _ = place(of: text.span, 0, text.count)
        }
    }

    @inline(__always)
    subscript(place: Int) -> Entry { entries[place] }

    /// The place of a text of ASCII; -1 where it has none.
    func place(of text: StaticString) -> Int {
        let found = text.withUTF8Buffer { find($0.span, 0, $0.count) }
        if case .found(let place) = found { return place }
        return -1
    }

    func find(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Lookup {
        let length = end &- from
        let first = bytes.word(at: from, length: min(length, 8))
        let second = length > 8 ? bytes.word(at: from &+ 8, length: min(length &- 8, 8)) : 0
        var at = Self.hash(first, second, bytes, from, length) & (slots.count &- 1)
        for _ in 0..<Self.longestProbe {
            let place = Int(slots[at])
            guard place >= 0 else { return .absent }
            let entry = entries[place]
            if entry.first == first, entry.second == second, entry.count == length,
                length <= 16 || texts.span.matches(Int(entry.start), bytes, from, length)
            {
                return .found(place)
            }
            at = (at &+ 1) & (slots.count &- 1)
        }
        return .crowded
    }

    /// The place of a name, which is added where it is new; `nil` where it is not certainly a name.
    mutating func place(of bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Int? {
        switch find(bytes, from, end) {
        case .found(let place): return place
        case .crowded: return nil
        case .absent:
            guard XMLNameRules.isSurelyName(bytes, from, end), texts.count < Self.mostBytes else { return nil }
            return insert(bytes, from, end)
        }
    }

    /// The place of a namespace's name, which is counted among the others.
    mutating func place(ofNamespace text: Span<UInt8>) -> Int? {
        switch find(text, 0, text.count) {
        case .found(let place): place
        case .crowded: nil
        case .absent: texts.count < Self.mostBytes ? insert(text, 0, text.count) : nil
        }
    }

    /// Adds a name that is absent; gives its place.
    @discardableResult
    private mutating func insert(_ bytes: Span<UInt8>, _ from: Int, _ end: Int, number: Int = -1) -> Int {
        if 2 * entries.count >= slots.count - 1 {
            slots = [Int32](repeating: -1, count: 2 * slots.count)
            for place in entries.indices { enter(place) }
        }
        entries.append(Entry(bytes, from, end, at: texts.count, number: number))
        for place in from..<end { texts.append(bytes[place]) }
        enter(entries.count - 1)
        return entries.count - 1
    }

    private mutating func enter(_ place: Int) {
        let entry = entries[place]
        var at = Self.hash(entry.first, entry.second, texts.span, Int(entry.start), entry.count) & (slots.count - 1)
        while slots[at] >= 0 { at = (at + 1) & (slots.count - 1) }
        slots[at] = Int32(truncatingIfNeeded: place)
    }

    private static func hash(_ first: UInt64, _ second: UInt64, _ text: Span<UInt8>, _ from: Int, _ length: Int) -> Int
    {
        var mixed = (first ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= second &* 0xC2B2_AE3D_27D4_EB4F
        if length > 16 { mixed ^= text.word(at: from &+ length &- 8) &* 0x1656_67B1_9E37_79F9 }
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) >> 17)
    }

    // MARK: - Which names the document has

    /// Notes that the document has a name.
    @inline(__always)
    mutating func see(_ place: Int) {
        if !entries[place].isSeen { seeFirst(place) }
    }

    @inline(never)
    private mutating func seeFirst(_ place: Int) {
        entries[place].isSeen = true
        seen.append(Int32(truncatingIfNeeded: place))
    }

    /// Forgets all that was seen since there were so many.
    mutating func unsee(downTo count: Int) {
        while seen.count > count { entries[Int(seen.removeLast())].isSeen = false }
    }

    mutating func note(nextElement next: Int, behind place: Int) { entries[place].nextElements.note(next) }

    mutating func note(nextAttribute next: Int, behind place: Int) { entries[place].nextAttributes.note(next) }

    // MARK: - Texts

    func text(_ place: Int) -> ArraySlice<UInt8> {
        let start = Int(entries[place].start)
        return texts[start..<start + entries[place].count]
    }

    /// The text as events hand it over, valid until the next name is added.
    @inline(__always)
    func eventText(_ place: Int) -> UnsafeRawBufferPointer {
        let start = Int(entries[place].start)
        return texts.span.text(start, start &+ entries[place].count)
    }

    /// A name that was found without looking it up.
    struct Expected {
        let place: Int
        /// In bytes.
        let count: Int
        /// Bytes that begin no character.
        let continuations: Int
    }

    /// The name at `from`, where it is one of those that came behind the same name before: it is then known by one look.
    @inline(__always)
    func expected(_ names: Successors, _ bytes: Span<UInt8>, _ from: Int) -> Expected? {
        expected(names.last, bytes, from) ?? expected(names.before, bytes, from)
    }

    @inline(__always)
    private func expected(_ place: Int32, _ bytes: Span<UInt8>, _ from: Int) -> Expected? {
        guard place >= 0, begins(bytes, from, with: Int(place)) else { return nil }
        let count = entries[Int(place)].count
        guard from &+ count < bytes.count, XMLNameRules.endsName(bytes[from &+ count]) else { return nil }
        return Expected(place: Int(place), count: count, continuations: entries[Int(place)].continuations)
    }

    /// Whether the bytes begin with a name from `from` on.
    @inline(__always)
    func begins(_ bytes: Span<UInt8>, _ from: Int, with place: Int) -> Bool {
        guard from >= 0, bytes.count &- from >= 16 else { return beginsWithAll(bytes, from, of: place) }
        guard bytes.word(unchecked: from) & entries[place].firstMask == entries[place].first,
            bytes.word(unchecked: from &+ 8) & entries[place].secondMask == entries[place].second
        else { return false }
        return entries[place].count <= 16 || beginsWithAll(bytes, from, of: place)
    }

    @inline(never)
    private func beginsWithAll(_ bytes: Span<UInt8>, _ from: Int, of place: Int) -> Bool {
        texts.span.matches(Int(entries[place].start), bytes, from, entries[place].count)
    }
}

// What is accepted here is less than XML allows: the rest is left to libxml2 to judge.

enum XMLNameRules {
    /// Bytes of a name; libxml2 judges a longer one.
    static let longest = 1000

    /// Whether a name may begin with the byte.
    static func mayBegin(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 }

    /// Whether a byte ends a name.
    @inline(__always)
    static func endsName(_ byte: UInt8) -> Bool {
        // `<`, `=`, `>` and `?` differ in two bits.
        byte <= 0x20 || byte == UInt8(ascii: "/") || byte & 0xFC == 0x3C
    }

    /// Where the name that begins at `from` ends; the count where it does not.
    static func nameEnd(_ bytes: Span<UInt8>, _ from: Int) -> Int {
        var at = from
        while at &+ 8 <= bytes.count {
            let word = bytes.word(at: at)
            // `<`, `=`, `>` and `?` differ in two bits.
            let ends =
                ByteWord.below(0x21, word) | ByteWord.matches(UInt8(ascii: "/"), word)
                | ByteWord.matches(0x3C, word & ByteWord.repeated(0xFC))
            if ends != 0 { return at &+ ByteWord.index(ends) }
            at &+= 8
        }
        while at < bytes.count, !endsName(bytes[at]) { at &+= 1 }
        return at
    }

    /// Whether bytes of valid UTF-8 are certainly a name without a colon.
    static func isSurelyName(_ bytes: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
        guard end > from, end - from <= longest else { return false }
        var at = from
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                at += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard at > from else { return false }
                at += 1
            // U+00C0 to U+01FF but the signs of times and division, U+0400 to U+047F.
            case 0xC3 where at + 1 < end && bytes[at + 1] != 0x97 && bytes[at + 1] != 0xB7: at += 2
            case 0xC4...0xC7, 0xD0, 0xD1: at += 2
            // U+5000 to U+9FFF
            case 0xE5...0xE9: at += 3
            default: return false
            }
        }
        return at == end
    }

    private static let schemes: [StaticString] = ["http://", "https://"]
    private static let reserved: [StaticString] = ["http://www.w3.org/XML/1998", "http://www.w3.org/2000/xmlns"]

    /// Whether a text is certainly the name of a namespace that may be declared.
    static func isSurelyNamespace(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, isLetter(text[0]), text.count <= longest else { return false }
        var at = 0
        for scheme in schemes where text.hasText(scheme) {
            at = scheme.utf8CodeUnitCount
            guard at < text.count, isLetter(text[at]) else { return false }
        }
        for name in reserved where text.hasText(name) { return false }
        while at < text.count {
            let byte = text[at]
            guard isLetter(byte) || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_") else {
                return false
            }
            at += 1
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

/// What the texts of ids and names consist of, sixteen bytes at a time.
package enum NameBytes {
    /// Whether the bytes from `start` on, at least 8, are letters, digits, `-`, `.` and `_` of ASCII alone.
    package static func areAll(_ text: Span<UInt8>, from start: Int = 0) -> Bool {
        precondition(text.count - start >= 8, "fewer bytes than are read")
        return dae_are_in_names(text.address(start), text.count - start) != 0
    }
}
