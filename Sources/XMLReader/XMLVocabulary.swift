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
public struct XMLName {
    /// Its number, or -1.
    @usableFromInline let known: Int
    let local: UnsafeRawBufferPointer
    /// Without an address where there is none; the namespace likewise.
    let prefix: UnsafeRawBufferPointer
    let uri: UnsafeRawBufferPointer

    /// Its number in the vocabulary; `nil` for names not in it or in another namespace than the root's.
    @inlinable public var number: Int? { known < 0 ? nil : known }
    /// With its prefix, as written.
    public var text: String {
        guard prefix.baseAddress != nil else { return localName }
        return String(decoding: prefix, as: UTF8.self) + ":" + localName
    }
    /// Without its prefix.
    public var localName: String { String(decoding: local, as: UTF8.self) }
    public var namespace: String? { uri.baseAddress == nil ? nil : String(decoding: uri, as: UTF8.self) }
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
