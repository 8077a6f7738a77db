// Every name is looked up by its bytes, with no text made of it: a name that is found here was checked when it came in,
// so that only the first of its kind is looked at letter by letter.

import Glibc

/// The names of a vocabulary and those a document brings, numbered as they come.
struct NameIndex: ~Copyable {
    // 64 bytes, so that a place is found by a shift.
    struct Entry: Sendable {
        /// Its first sixteen bytes.
        let first: UInt64
        let second: UInt64
        /// What of these is the name's.
        let firstMask: UInt64
        let secondMask: UInt64
        private let start: Int32
        private let length: Int32
        private let known: Int32
        private let continuing: Int16
        /// Whether the document has it.
        var isSeen = false
        /// The elements, and the attributes, that came behind it.
        var elements = Guess()
        var attributes = Guess()

        /// A name has at most ``XMLNameRules/longest`` bytes.
        init(_ name: UnsafePointer<UInt8>, _ count: Int, at offset: Int, number: Int) {
            first = ByteWord.load(name, count: min(count, 8), readable: count)
            second = count > 8 ? ByteWord.load(name + 8, count: min(count - 8, 8), readable: count - 8) : 0
            firstMask = ByteWord.mask(count)
            secondMask = ByteWord.mask(count - 8)
            start = Int32(offset)
            length = Int32(count)
            continuing = Int16(UnsafeBufferPointer(start: name, count: count).count { $0 & 0xC0 == 0x80 })
            known = Int32(number)
        }

        /// Where it is among the names' texts.
        var offset: Int { Int(start) }
        var count: Int { Int(length) }
        /// Bytes that begin no character.
        var continuations: Int { Int(continuing) }
        /// In the vocabulary, or -1.
        var number: Int { Int(known) }
    }
    /// Which names may come next; -1 for none.
    struct Guess: Sendable {
        var last: Int32 = -1
        var before: Int32 = -1

        mutating func note(_ place: Int) {
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

    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity = 2048
    private(set) var count = 0
    /// Places in `entries`, or -1; a power of two of them.
    private var slots: UnsafeMutablePointer<Int32>
    private var mask = 4095
    private var texts: UnsafeMutablePointer<UInt8>
    private var textCapacity = 32 * 1024
    private(set) var textCount = 0
    /// Room for ``capacity``, as each name is there once.
    private var seenPlaces: UnsafeMutablePointer<Int32>
    private var seenCount = 0

    /// Places that are looked at before a name is given up.
    private static let longestProbe = 64

    /// A vocabulary's names as an index has them before a document brings its own, so that they are placed only once.
    struct Image: Sendable {
        fileprivate let entries: [Entry]
        fileprivate let slots: [Int32]
        fileprivate let texts: [UInt8]

        init(_ names: [String: Int]) {
            let index = NameIndex(names, PlainTokenizer.ownNames)
            entries = Array(UnsafeBufferPointer(start: index.entries, count: index.count))
            slots = Array(UnsafeBufferPointer(start: index.slots, count: index.mask + 1))
            texts = Array(UnsafeBufferPointer(start: index.texts, count: index.textCount))
        }
    }

    init(_ vocabulary: XMLVocabulary) {
        let image = vocabulary.image
        count = image.entries.count
        capacity = count + 64
        mask = image.slots.count - 1
        textCount = image.texts.count
        textCapacity = textCount + 1024
        entries = .allocate(capacity: capacity)
        slots = .allocate(capacity: mask + 1)
        texts = .allocate(capacity: textCapacity)
        seenPlaces = .allocate(capacity: capacity)
        _ = UnsafeMutableBufferPointer(start: entries, count: capacity).initialize(from: image.entries)
        _ = UnsafeMutableBufferPointer(start: slots, count: mask + 1).initialize(from: image.slots)
        _ = UnsafeMutableBufferPointer(start: texts, count: textCapacity).initialize(from: image.texts)
    }

    /// - Parameter others: That every document may have beside those.
    private init(_ names: [String: Int], _ others: [StaticString]) {
        entries = .allocate(capacity: capacity)
        seenPlaces = .allocate(capacity: capacity)
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: -1, count: mask + 1)
        texts = .allocate(capacity: textCapacity)
        for (name, number) in names {
            var text = name
            text.withUTF8 { bytes in
                guard let start = bytes.baseAddress, XMLNameRules.isSurelyName(start, bytes.count) else { return }
                insert(start, bytes.count, number: number)
            }
        }
        for name in others {
            switch find(name.utf8Start, name.utf8CodeUnitCount, readable: name.utf8CodeUnitCount) {
            case .absent: insert(name.utf8Start, name.utf8CodeUnitCount)
            case .found, .crowded: break
            }
        }
    }

    deinit {
        entries.deallocate()
        slots.deallocate()
        texts.deallocate()
        seenPlaces.deallocate()
    }

    /// - Parameter readable: Bytes that may be read from `name` on, at least `length`.
    func find(_ name: UnsafePointer<UInt8>, _ length: Int, readable: Int) -> Lookup {
        let first = ByteWord.load(name, count: min(length, 8), readable: readable)
        let second = length > 8 ? ByteWord.load(name + 8, count: min(length &- 8, 8), readable: readable &- 8) : 0
        var at = Self.hash(first, second, name, length) & mask
        for _ in 0..<Self.longestProbe {
            let place = Int(slots[at])
            guard place >= 0 else { return .absent }
            let entry = entries + place
            if entry.pointee.first == first, entry.pointee.second == second, entry.pointee.count == length,
                length <= 16 || memcmp(texts + entry.pointee.offset, name, length) == 0
            {
                return .found(place)
            }
            at = (at &+ 1) & mask
        }
        return .crowded
    }

    /// Adds a name that is absent; gives its place.
    @discardableResult
    mutating func insert(
        _ name: UnsafePointer<UInt8>, _ length: Int, number: Int = -1
    ) -> Int {
        if count == capacity { growEntries() }
        if 2 * count >= mask { growSlots() }
        if textCount + length > textCapacity { growTexts(by: length) }
        (texts + textCount).update(from: name, count: length)
        (entries + count).initialize(
            to: Entry(name, length, at: textCount, number: number))
        textCount += length
        place(count)
        count += 1
        return count - 1
    }

    /// Those the document has, in its order; valid until the next name is added.
    var seen: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(start: seenPlaces, count: seenCount) }

    /// Notes that the document has it.
    @inline(__always)
    mutating func see(_ place: Int) {
        if !entries[place].isSeen { seeFirst(place) }
    }

    @inline(never)
    private mutating func seeFirst(_ place: Int) {
        entries[place].isSeen = true
        (seenPlaces + seenCount).initialize(to: Int32(truncatingIfNeeded: place))
        seenCount += 1
    }

    mutating func note(nextElement next: Int, behind place: Int) {
        entries[place].elements.note(next)
    }

    mutating func note(nextAttribute next: Int, behind place: Int) {
        entries[place].attributes.note(next)
    }

    /// Forgets all that was seen since there were so many.
    mutating func unsee(downTo count: Int) {
        while seenCount > count {
            seenCount -= 1
            entries[Int(seenPlaces[seenCount])].isSeen = false
        }
    }

    /// Valid until the next name is added.
    func text(_ place: Int) -> UnsafeRawBufferPointer { view.text(place) }

    /// What is asked at each tag; valid until the next name is added.
    @inline(__always)
    var view: View { View(entries: entries, texts: texts) }

    struct View {
        let entries: UnsafeMutablePointer<Entry>
        fileprivate let texts: UnsafeMutablePointer<UInt8>

        @inline(__always)
        func text(_ place: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: texts + entries[place].offset, count: entries[place].count)
        }

        /// The place of the name at `from`, where it is one that is guessed, else -1: most names follow the same one or
        /// two over and over, and are then known by one look.
        @inline(__always)
        func guessed(_ guess: Guess, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int {
            if isName(guess.last, bytes, from, count) { return Int(guess.last) }
            return isName(guess.before, bytes, from, count) ? Int(guess.before) : -1
        }

        /// Whether a name is the one at `from`, and ends before the bytes do.
        @inline(__always)
        private func isName(_ place: Int32, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Bool {
            guard place >= 0, begins(bytes + from, readable: count &- from, with: Int(place)) else { return false }
            let behind = from &+ entries[Int(place)].count
            return behind < count && PlainTokenizer.endsName(bytes[behind])
        }

        /// Whether the bytes, of which `readable` may be read, begin with the name.
        @inline(__always)
        func begins(_ bytes: UnsafePointer<UInt8>, readable: Int, with place: Int) -> Bool {
            let entry = entries + place
            guard readable >= 24 else { return beginsInFew(bytes, readable: readable, with: place) }
            guard ByteWord.load(bytes) & entry.pointee.firstMask == entry.pointee.first,
                ByteWord.load(bytes + 8) & entry.pointee.secondMask == entry.pointee.second
            else { return false }
            let length = entry.pointee.count
            if length <= 16 { return true }
            guard length <= 24 else { return beginsInFew(bytes, readable: readable, with: place) }
            let last = length &- 8
            return ByteWord.load(bytes + last) == ByteWord.load(texts + (entry.pointee.offset &+ last))
        }

        @inline(never)
        private func beginsInFew(_ bytes: UnsafePointer<UInt8>, readable: Int, with place: Int) -> Bool {
            let length = entries[place].count
            return readable >= length && memcmp(texts + entries[place].offset, bytes, length) == 0
        }
    }

    // MARK: - Growing

    private func place(_ index: Int) {
        var at = Self.hash(entries[index], texts) & mask
        while slots[at] >= 0 { at = (at + 1) & mask }
        slots[at] = Int32(truncatingIfNeeded: index)
    }

    private mutating func growEntries() {
        let grown = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        grown.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = grown
        let places = UnsafeMutablePointer<Int32>.allocate(capacity: capacity * 2)
        places.moveInitialize(from: seenPlaces, count: seenCount)
        seenPlaces.deallocate()
        seenPlaces = places
        capacity *= 2
    }

    private mutating func growSlots() {
        slots.deallocate()
        mask = mask * 2 + 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: -1, count: mask + 1)
        for index in 0..<count { place(index) }
    }

    private mutating func growTexts(by length: Int) {
        textCapacity = max(textCapacity * 2, textCount + length)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: textCapacity)
        grown.moveInitialize(from: texts, count: textCount)
        texts.deallocate()
        texts = grown
    }

    private static func hash(_ entry: Entry, _ texts: UnsafeMutablePointer<UInt8>) -> Int {
        hash(entry.first, entry.second, texts + entry.offset, entry.count)
    }

    private static func hash(_ first: UInt64, _ second: UInt64, _ name: UnsafePointer<UInt8>, _ length: Int) -> Int {
        var mixed = (first ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= second &* 0xC2B2_AE3D_27D4_EB4F
        if length > 16 { mixed ^= ByteWord.load(name + (length &- 8)) &* 0x1656_67B1_9E37_79F9 }
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) >> 17)
    }
}

// Eight bytes at a time, in an integer: quicker for the short runs that markup is made of than a call of the C library.

enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// The first `count` (0...8) bytes, the rest 0. `readable` says how many may be read.
    static func load(_ bytes: UnsafePointer<UInt8>, count: Int, readable: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        if readable >= 8 { return load(bytes) & (UInt64.max >> UInt64(truncatingIfNeeded: 8 &* (8 &- count))) }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes[index]) << UInt64(8 &* index) }
        return word
    }

    /// The bits of the first so many bytes, none for 0 or less, all for 8 or more.
    static func mask(_ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        return count >= 8 ? .max : UInt64.max >> UInt64(truncatingIfNeeded: 8 &* (8 &- count))
    }

    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* ones }

    /// The high bits of bytes that are 0; the lowest of them is right, those above it may be too many.
    static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

    /// The high bits of bytes that are 0, each of them right.
    static func exactZeros(_ word: UInt64) -> UInt64 { ~(((word & ~highs) &+ ~highs) | word | ~highs) }

    /// The high bits of bytes below `bound` (at most 0x80); the lowest of them is right.
    static func below(_ bound: UInt8, _ word: UInt64) -> UInt64 { (word &- repeated(bound)) & ~word & highs }

    /// The high bits of bytes below `bound` (at most 0x80), each of them right.
    static func exactBelow(_ bound: UInt8, _ word: UInt64) -> UInt64 {
        ~((word | highs) &- repeated(bound)) & ~word & highs
    }

    /// Which byte the lowest of such bits stands in.
    static func index(_ bits: UInt64) -> Int { bits.trailingZeroBitCount >> 3 }
}
