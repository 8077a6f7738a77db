package import Diagnostics

/// Whether reading goes on after an event.
package enum XMLFlow {
    case proceed
    /// It goes on, and text that comes before the next tag need not be told.
    case passText
    /// It goes on, and text need not be told that is nothing but the indentation of the next tag.
    case passIndents
    case stop
}

/// Receives the events of one document, in its order. Everything handed over is valid during the call only.
package protocol XMLEventHandler: AnyObject {
    /// Whether it is all one how lines end in the text that comes now: they may then be as they are written.
    var takesAnyLineEnd: Bool { get }
    /// `position` is that of the tag's `<`.
    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow
    /// A piece of the text of the innermost open element, as UTF-8, cut anywhere between characters.
    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow
    /// `position` is that of the end tag's `<` (of an empty element: of its only tag).
    func endElement(at position: XMLPosition) -> XMLFlow
}

extension XMLEventHandler {
    package var takesAnyLineEnd: Bool { false }
}

/// The attributes of one element as an event brings them; valid during the event only.
package struct XMLAttributes {
    @usableFromInline struct Entry {
        /// Its number only when it has no prefix.
        @usableFromInline var name: XMLName
        @usableFromInline var value: UnsafeRawBufferPointer

        init(name: XMLName, value: UnsafeRawBufferPointer) {
            self.name = name
            self.value = value
        }
    }
    @usableFromInline let entries: UnsafePointer<Entry>?
    package let count: Int
    /// Markup in which all values lie, from the first one to the end of the last; `nil` where they lie apart.
    package let written: UnsafeRawBufferPointer?

    init(_ entries: UnsafeBufferPointer<Entry>, written: UnsafeRawBufferPointer? = nil) {
        self.entries = entries.baseAddress
        count = entries.count
        self.written = written
    }

    /// The name of the attribute at `index`; `nil` where there is none. Its number only when it has no prefix.
    @inlinable @inline(__always)
    package func name(at index: Int) -> XMLName? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name
    }

    /// The number in the vocabulary of the name at `index`; `nil` of one that is not in it or has a prefix.
    @inlinable @inline(__always)
    package func number(at index: Int) -> Int? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name.number
    }

    /// The value of the attribute at `index` as UTF-8, entities resolved, white space normalised; empty where none is.
    @inlinable @inline(__always)
    package func value(at index: Int) -> UnsafeRawBufferPointer {
        guard let entries, index >= 0, index < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return entries[index].value
    }
}

/// The names a document type knows, numbered, so that a reader compares numbers instead of texts.
package struct XMLVocabulary: Sendable {
    let numbers: [String: Int]
    let image: NameIndex.Image

    /// Numbers names by their place in the list; of equal names the first counts.
    package init(_ names: [String]) {
        numbers = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        image = NameIndex.Image(numbers)
    }

    /// The number of a name; `nil` of one that it does not know.
    package func number(of name: String) -> Int? { numbers[name] }
}

/// The name of an element or attribute as an event brings it; valid during the event only.
// Each attribute has one, so what most names lack lies elsewhere.
package struct XMLName {
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
    package var number: Int? { known < 0 ? nil : Int(known) }
    /// With its prefix, as written.
    package var text: String {
        guard let prefix = qualifier?.pointee.prefix, prefix.baseAddress != nil else { return localName }
        return String(decoding: prefix, as: UTF8.self) + ":" + localName
    }
    /// Without its prefix.
    package var localName: String {
        String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
    package var namespace: String? {
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

// Every element, reference and source has its place, so it is packed: with a word for each of its numbers a document of
// many small elements would be a fourth larger.

/// A place in a document.
package struct XMLPosition: Sendable, Hashable, BitwiseCopyable {
    @usableFromInline var lineBits: UInt32
    @usableFromInline var columnBits: UInt32
    /// The byte, and below it ``documentWidth`` bits of the document.
    @usableFromInline var place: UInt64

    @usableFromInline static var documentWidth: UInt64 { 20 }
    @usableFromInline static var lastDocument: UInt64 { 1 << documentWidth - 1 }
    @usableFromInline static var lastByte: UInt64 { UInt64.max >> documentWidth }

    @inlinable
    package init(line: Int = 1, column: Int = 1, byte: Int64 = 0) {
        lineBits = UInt32(clamping: line)
        columnBits = UInt32(clamping: column)
        place = min(UInt64(clamping: byte), Self.lastByte) << Self.documentWidth
    }

    /// Of numbers that are at least 0.
    @inline(__always)
    init(positiveLine line: Int, column: Int, byte: Int64) {
        lineBits = UInt32(truncatingIfNeeded: min(line, Int(UInt32.max)))
        columnBits = UInt32(truncatingIfNeeded: min(column, Int(UInt32.max)))
        place = min(UInt64(bitPattern: byte), Self.lastByte) << Self.documentWidth
    }

    /// From 1; at most 2^32 − 1.
    @inlinable package var line: Int {
        get { Int(lineBits) }
        set { lineBits = UInt32(clamping: newValue) }
    }
    /// From 1, in characters; at most 2^32 − 1.
    @inlinable package var column: Int {
        get { Int(columnBits) }
        set { columnBits = UInt32(clamping: newValue) }
    }
    /// From 0, in the document as UTF-8, its byte order mark counted where it has one; below 2^44.
    @inlinable package var byte: Int64 {
        get { Int64(place >> Self.documentWidth) }
        set { place = min(UInt64(clamping: newValue), Self.lastByte) << Self.documentWidth | place & Self.lastDocument }
    }
    /// Of several documents that are read into one, which; 0 is the first. Below 2^20.
    @inlinable package var document: Int {
        get { Int(place & Self.lastDocument) }
        set { place = place & ~Self.lastDocument | min(UInt64(clamping: newValue), Self.lastDocument) }
    }

    /// The place after `bytes`, read from here on.
    package func advanced(over bytes: UnsafeRawBufferPointer) -> XMLPosition {
        var line = line
        var column = column
        for value in bytes {
            if value == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if value & 0xC0 != 0x80 {
                column += 1
            }
        }
        var position = self
        position.line = line
        position.column = column
        position.byte += Int64(bytes.count)
        return position
    }
}

extension Place {
    package init(_ position: XMLPosition) {
        self.init(line: position.line, column: position.column, byte: position.byte)
        document = position.document
    }

    /// - Parameter id: Of the element there, or of the one around it that it is told of.
    package init(_ position: XMLPosition, of id: String?) {
        self.init(position)
        elementID = id
    }
}
