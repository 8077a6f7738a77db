// The markup of the elements being read, in flat lists that are used again for each unit: no object an element.

import XMLReader

final class Fragment {
    struct Record {
        let entry: ElementEntry
        let parent: Int
        let position: XMLPosition
        var firstChild = -1
        var lastChild = -1
        var nextSibling = -1
        /// Into ``attributes``.
        var attributeRange = 0..<0
        /// Into ``bytes``.
        var textRange = 0..<0
        /// Into ``reals``, ``integers`` or ``hexes``, by the element's content; -1 without.
        var array = -1
        /// Of a decoded unit: its place in the document's list of its kind; -1 else.
        var unit = -1
    }
    struct Attribute {
        let name: AttributeName
        let range: Range<Int>
    }
    /// How far each list was filled when a unit began.
    struct Mark {
        let record: Int
        let attributes: Int
        let bytes: Int
        let reals: Int
        let integers: Int
        let hexes: Int
        let raws: Int
    }

    private(set) var records: [Record] = []
    private(set) var attributes: [Attribute] = []
    private(set) var bytes: [UInt8] = []
    var reals: [[Double]] = []
    var integers: [[Int32]] = []
    var hexes: [HexDecoder] = []
    /// What is kept as it stands, by record.
    private(set) var raws: [Int: [RawElement]] = [:]
    /// The record of each of ``raws``, in the order they were kept: what a unit has to forget.
    private var rawOwners: [Int] = []

    // MARK: - Growing

    /// Adds an element below `parent` (-1 for the root); gives its place.
    func open(_ entry: ElementEntry, below parent: Int, at position: XMLPosition) -> Int {
        let index = records.count
        records.append(Record(entry: entry, parent: parent, position: position))
        if parent >= 0 {
            if records[parent].lastChild >= 0 {
                records[records[parent].lastChild].nextSibling = index
            } else {
                records[parent].firstChild = index
            }
            records[parent].lastChild = index
        }
        return index
    }

    func setAttributes(of record: Int, _ given: XMLAttributes) {
        let first = attributes.count
        for index in 0..<given.count {
            guard let name = given.name(at: index), let known = ColladaVocabulary.attribute(name) else { continue }
            let start = bytes.count
            bytes.append(contentsOf: given.value(at: index))
            attributes.append(Attribute(name: known, range: start..<bytes.count))
        }
        records[record].attributeRange = first..<attributes.count
    }

    func beginText(of record: Int) {
        records[record].textRange = bytes.count..<bytes.count
    }

    /// Text comes before any element within, so it is always the last thing in ``bytes``.
    func appendText(to record: Int, _ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        records[record].textRange = records[record].textRange.lowerBound..<bytes.count
    }

    func setReals(of record: Int, _ values: [Double]) {
        records[record].array = reals.count
        reals.append(values)
    }

    func setIntegers(of record: Int, _ values: [Int32]) {
        records[record].array = integers.count
        integers.append(values)
    }

    func setHex(of record: Int, _ hex: HexDecoder) {
        records[record].array = hexes.count
        hexes.append(hex)
    }

    func keep(_ element: RawElement, for record: Int) {
        raws[record, default: []].append(element)
        rawOwners.append(record)
    }

    // MARK: - Forgetting

    func mark(before record: Int) -> Mark {
        Mark(
            record: record, attributes: attributes.count, bytes: bytes.count, reals: reals.count,
            integers: integers.count, hexes: hexes.count, raws: rawOwners.count)
    }

    /// Forgets all within a unit but the place of what it was decoded to.
    func close(_ mark: Mark, as unit: Int) {
        records.removeLast(records.count - mark.record - 1)
        attributes.removeLast(attributes.count - mark.attributes)
        bytes.removeLast(bytes.count - mark.bytes)
        reals.removeLast(reals.count - mark.reals)
        integers.removeLast(integers.count - mark.integers)
        hexes.removeLast(hexes.count - mark.hexes)
        for owner in rawOwners[mark.raws...] { raws[owner] = nil }
        rawOwners.removeLast(rawOwners.count - mark.raws)
        records[mark.record].firstChild = -1
        records[mark.record].lastChild = -1
        records[mark.record].attributeRange = 0..<0
        records[mark.record].textRange = 0..<0
        records[mark.record].array = -1
        records[mark.record].unit = unit
    }
}
