/// The names a document type knows, numbered, so that a reader compares numbers instead of texts.
public struct XMLVocabulary: Sendable {
    let numbers: [String: Int]
    let image: NameIndex.Image

    /// Numbers names by their place in the list; of equal names the first counts.
    public init(_ names: [String]) {
        numbers = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        image = NameIndex.Image(numbers)
    }

    /// The number of a name; `nil` of one that it does not know.
    public func number(of name: String) -> Int? { numbers[name] }
}

/// The name of an element or attribute as an event brings it; valid during the event only.
// Each attribute has one, so what most names lack lies elsewhere.
public struct XMLName {
    /// What stands before a name, and what that means.
    struct Qualifier {
        /// Without an address where there is none; the namespace likewise.
        var prefix: UnsafeRawBufferPointer
        var uri: UnsafeRawBufferPointer
    }
    /// Its number, or -1.
    @usableFromInline let known: Int32
    private let count: Int32
    private let start: UnsafePointer<UInt8>
    /// `nil` where there is neither a prefix nor a namespace.
    private let qualifier: UnsafePointer<Qualifier>?

    /// - Parameter local: At most 2^31 - 1 bytes.
    @inline(__always)
    init(
        known: Int, local start: UnsafePointer<UInt8>, _ count: Int, qualifier: UnsafePointer<Qualifier>?
    ) {
        self.known = Int32(truncatingIfNeeded: known)
        self.count = Int32(truncatingIfNeeded: count)
        self.start = start
        self.qualifier = qualifier
    }

    /// Its number in the vocabulary; `nil` for names not in it or in another namespace than the root's.
    @inlinable @inline(__always)
    public var number: Int? { known < 0 ? nil : Int(known) }
    /// With its prefix, as written.
    public var text: String {
        guard let prefix = qualifier?.pointee.prefix, prefix.baseAddress != nil else { return localName }
        return String(decoding: prefix, as: UTF8.self) + ":" + localName
    }
    /// Without its prefix.
    public var localName: String {
        String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
    public var namespace: String? {
        guard let uri = qualifier?.pointee.uri, uri.baseAddress != nil else { return nil }
        return String(decoding: uri, as: UTF8.self)
    }
}

/// Numbers of names by the address of their interned text, so that each distinct name is looked up once.
struct NameTable {
    private struct Slot {
        var address = 0
        var number = -1
    }
    private let vocabulary: XMLVocabulary
    private var slots = [Slot](repeating: Slot(), count: 256)
    /// How many distinct names it was asked for.
    private(set) var used = 0

    init(_ vocabulary: XMLVocabulary) {
        self.vocabulary = vocabulary
    }

    mutating func number(of name: UnsafePointer<UInt8>) -> Int? {
        let address = Int(bitPattern: name)
        var index = Self.hash(address) & (slots.count - 1)
        while slots[index].address != 0 {
            if slots[index].address == address {
                return slots[index].number < 0 ? nil : slots[index].number
            }
            index = (index + 1) & (slots.count - 1)
        }
        return insert(name, address)
    }

    private mutating func insert(_ name: UnsafePointer<UInt8>, _ address: Int) -> Int? {
        let number = vocabulary.numbers[String(cString: name)]
        if used * 2 >= slots.count { grow() }
        place(Slot(address: address, number: number ?? -1))
        used += 1
        return number
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.address != 0 { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        var index = Self.hash(slot.address) & (slots.count - 1)
        while slots[index].address != 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = slot
    }

    private static func hash(_ address: Int) -> Int {
        let mixed = UInt(bitPattern: address) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 40)
    }
}
