import DaeCore
import DaeNumbers
import DaeScene
import DaeSchema
import DaeXML

// The markup of the elements being read, in flat lists that are used again for each unit: no object an element.

/// Its lists lie behind one pointer, so that a view of an element is two words and costs no count of references.
struct Fragment: ~Copyable {
    struct Record {
        let entry: ElementEntry
        /// Records; -1 for none. More of them than fit would need hundreds of gigabytes.
        var parent: Int32
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// Into ``reals``, ``integers`` or ``hexes``, by the element's content; -1 without.
        var array: Int32 = -1
        /// Of a decoded unit, or of several of one name in a row: into ``units``.
        var firstUnit: Int32 = 0
        var unitCount: Int32 = 0
        var attributeCount: Int32 = 0
        /// Into ``attributes``.
        var firstAttribute: Int
        /// Into ``bytes``; padded when the element is closed.
        var textStart = 0
        var textCount = 0
        var position: XMLPosition
    }
    struct Attribute {
        let name: AttributeName
        let count: Int32
        /// Into ``bytes``.
        let start: Int
    }
    /// How far each list was filled when a unit began.
    struct Mark {
        let record: Int
        let units: Int
        let attributes: Int
        let bytes: Int
        let reals: Int
        let integers: Int
        let hexes: Int
        let raws: Int
    }

    private(set) var records: FlatList<Record>
    private(set) var attributes: FlatList<Attribute>
    private(set) var bytes: ByteArena
    /// Places of decoded units in the document's lists of their kinds.
    private(set) var units: FlatList<Int32>
    var reals: [NumberArray<Double>] = []
    var integers: [NumberArray<Int32>] = []
    var hexes: [HexDecoder] = []
    /// What is kept as it stands, by record.
    private var raws: [Int: [RawElement]] = [:]
    /// The record of each of ``raws``, in the order they were kept: what a unit has to forget.
    private var rawOwners: [Int] = []
    private var marks: [Mark] = []

    init() {
        records = FlatList()
        attributes = FlatList()
        bytes = ByteArena()
        units = FlatList()
    }

    func raws(of record: Int) -> [RawElement] {
        rawOwners.isEmpty ? [] : raws[record] ?? []
    }

    // MARK: - Growing

    /// Adds an element below `parent` (-1 for the root); gives its place.
    @inline(__always)
    mutating func open(_ entry: ElementEntry, below parent: Int, at position: XMLPosition) -> Int {
        let index = records.count
        if entry.isUnit { markUnit(at: index) }
        let link = Int32(truncatingIfNeeded: index)
        records.append(
            Record(
                entry: entry, parent: Int32(truncatingIfNeeded: parent), firstAttribute: attributes.count,
                position: position))
        if parent >= 0 {
            let above = records.at(parent)
            let last = Int(above.pointee.lastChild)
            if last >= 0 { records.at(last).pointee.nextSibling = link } else { above.pointee.firstChild = link }
            above.pointee.lastChild = link
        }
        return index
    }

    @inline(never)
    private mutating func markUnit(at record: Int) {
        marks.append(
            Mark(
                record: record, units: units.count, attributes: attributes.count, bytes: bytes.count,
                reals: reals.count, integers: integers.count, hexes: hexes.count, raws: rawOwners.count))
    }

    /// - Returns: The element's id, as long as the event is; `nil` for one without.
    @inline(__always)
    mutating func setAttributes(
        of record: Int, _ given: XMLAttributes, _ names: AttributeTable
    ) -> UnsafeRawBufferPointer? {
        given.count == 0 ? nil : addAttributes(of: record, given, names)
    }

    private mutating func addAttributes(
        of record: Int, _ given: XMLAttributes, _ names: AttributeTable
    ) -> UnsafeRawBufferPointer? {
        let room = attributes.extend(by: given.count)
        var added = 0
        // Of the attributes given.
        var id = -1
        // One copy for all of a tag, with the few bytes between its values.
        if let written = given.written, let base = written.baseAddress {
            let start = bytes.count
            bytes.append(written)
            var index = 0
            while index < given.count {
                if let number = given.number(at: index), let name = names[number] {
                    let value = given.value(at: index)
                    let place = value.baseAddress.map { start &+ ($0 - base) } ?? start
                    (room + added).initialize(
                        to: Attribute(name: name, count: Int32(clamping: value.count), start: place))
                    added &+= 1
                    if name == .id { id = index }
                }
                index &+= 1
            }
        } else {
            for index in 0..<given.count {
                guard let number = given.number(at: index), let name = names[number] else { continue }
                let value = given.value(at: index)
                (room + added).initialize(
                    to: Attribute(name: name, count: Int32(clamping: value.count), start: bytes.count))
                bytes.append(value)
                added &+= 1
                if name == .id { id = index }
            }
        }
        attributes.shorten(to: attributes.count &- given.count &+ added)
        records.at(record).pointee.attributeCount = Int32(truncatingIfNeeded: added)
        return id < 0 ? nil : given.value(at: id)
    }

    mutating func beginText(of record: Int) {
        records.at(record).pointee.textStart = bytes.count
    }

    /// Text comes before any element within, so it is always the last thing in ``bytes``.
    mutating func appendText(to record: Int, _ text: UnsafeRawBufferPointer) {
        bytes.append(text)
        records.at(record).pointee.textCount = bytes.count - records.at(record).pointee.textStart
    }

    mutating func endText() { bytes.appendPadding() }

    mutating func setReals(of record: Int, _ values: NumberArray<Double>) {
        records.at(record).pointee.array = Int32(truncatingIfNeeded: reals.count)
        reals.append(values)
    }

    mutating func setIntegers(of record: Int, _ values: NumberArray<Int32>) {
        records.at(record).pointee.array = Int32(truncatingIfNeeded: integers.count)
        integers.append(values)
    }

    mutating func setHex(of record: Int, _ hex: HexDecoder) {
        records.at(record).pointee.array = Int32(truncatingIfNeeded: hexes.count)
        hexes.append(hex)
    }

    mutating func keep(_ element: RawElement, for record: Int) {
        raws[record, default: []].append(element)
        rawOwners.append(record)
    }

    // MARK: - Forgetting

    /// Forgets all of the innermost open unit but its name, its position and the place of what it was decoded to: `nil`
    /// where there is no list of its kind. What was within it is what was added last.
    mutating func closeUnit(as unit: Int?) {
        guard let mark = marks.popLast() else { return }
        records.shorten(to: mark.record + 1)
        units.shorten(to: mark.units)
        attributes.shorten(to: mark.attributes)
        bytes.shorten(to: mark.bytes)
        // Most units hold no array that was not taken, and nothing that is kept as it stands.
        if reals.count > mark.reals { reals.removeLast(reals.count - mark.reals) }
        if integers.count > mark.integers { integers.removeLast(integers.count - mark.integers) }
        if hexes.count > mark.hexes { hexes.removeLast(hexes.count - mark.hexes) }
        if rawOwners.count > mark.raws {
            for owner in rawOwners[mark.raws...] { raws[owner] = nil }
            rawOwners.removeLast(rawOwners.count - mark.raws)
        }
        let record = records.at(mark.record)
        record.pointee.firstChild = -1
        record.pointee.lastChild = -1
        record.pointee.attributeCount = 0
        record.pointee.textCount = 0
        record.pointee.array = -1
        guard let unit else { return }
        record.pointee.firstUnit = Int32(truncatingIfNeeded: units.count)
        record.pointee.unitCount = 1
        units.append(Int32(truncatingIfNeeded: unit))
        joinUnits(at: mark.record)
    }

    /// Units of one name in a row share the record of the first: a library has as many as a file makes it.
    private mutating func joinUnits(at last: Int) {
        guard last > 0 else { return }
        let (record, before) = (records.at(last), records.at(last &- 1))
        guard before.pointee.unitCount > 0, before.pointee.parent == record.pointee.parent,
            before.pointee.entry.name == record.pointee.entry.name
        else { return }
        let link = Int32(truncatingIfNeeded: last &- 1)
        before.pointee.unitCount &+= 1
        before.pointee.nextSibling = -1
        records.at(Int(record.pointee.parent)).pointee.lastChild = link
        records.shorten(to: last)
    }
}

/// Holds a fragment at one place in memory; a class since that place has a lifetime.
final class FragmentHolder {
    let pointer: UnsafeMutablePointer<Fragment>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: Fragment())
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}

// Each event of a document adds to lists like these, so that what an append costs is a good part of what reading does: an
// array's would cost a count of its owners at each look.

// An element of a list that a struct holds is of no private type: where another file holds that struct, Swift 6.3 fails.

/// Values one behind the other in memory that is used again. It grows where it is, if it is long: the system then moves its
/// pages and copies nothing.
struct FlatList<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    private var base: UnsafeMutablePointer<Element>

    private static var firstCapacity: Int { max(4096 / MemoryLayout<Element>.stride, 1) }
    /// Bytes behind the last element, for numbers that are read where they lie.
    private static var margin: Int { NumberText.padding }

    init() {
        base = Self.buffer(Self.firstCapacity, insteadOf: nil)
        capacity = Self.firstCapacity
    }

    deinit { free(base) }

    private static func buffer(
        _ capacity: Int, insteadOf old: UnsafeMutablePointer<Element>?
    ) -> UnsafeMutablePointer<Element> {
        guard let grown = realloc(old, capacity * MemoryLayout<Element>.stride + margin) else {
            preconditionFailure("there is no memory left")  // allowed: as where the language's own room is got
        }
        return grown.assumingMemoryBound(to: Element.self)
    }

    /// The one at a place that is held; valid until the next is added.
    @inline(__always)
    func at(_ index: Int) -> UnsafeMutablePointer<Element> { base + index }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Adds so many, which the caller has to write, and gives the place of the first; valid until the next is added.
    @inline(__always)
    mutating func extend(by more: Int) -> UnsafeMutablePointer<Element> {
        if more > capacity &- count { grow(to: count + more) }
        defer { count &+= more }
        return base + count
    }

    /// `nil` where there is none.
    @inline(__always)
    var lastPlace: Int? { count > 0 ? count &- 1 : nil }

    /// Forgets what was added since there were `count`.
    @inline(__always)
    mutating func shorten(to count: Int) { self.count = count }

    @inline(never)
    private mutating func grow(to least: Int) {
        // What is added was read from memory, so no number here comes near the largest.
        capacity = max(2 * capacity, least)
        base = Self.buffer(capacity, insteadOf: base)
    }
}

/// Bytes one behind the other.
typealias ByteArena = FlatList<UInt8>

extension ByteArena {
    /// White space that can be put behind a text, in bytes.
    static var padding: Int { NumberText.padding }

    /// Must lie within what is held; valid until the next change.
    func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: at(start), count: count)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        UnsafeMutableRawPointer(extend(by: bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    }

    /// Adds ``padding`` bytes of white space.
    mutating func appendPadding() { extend(by: Self.padding).initialize(repeating: 0x20, count: Self.padding) }
}
