// What is within some elements is the same over and over: its records are copied from those of one before, each at the
// place where its markup stands now.

import XMLReader

/// What was within some elements of a document, as records that can be copied.
struct RepeatedRecords {
    private struct Content: BitwiseCopyable {
        /// Into the lists below, as are the places in the records; those of elements are from the first of them.
        let records: Int
        let recordCount: Int
        let attributes: Int
        let attributeCount: Int
        let bytes: Int
        var byteCount = 0
        let lastChild: Int32
        /// Where it began.
        let start: XMLPosition

        func ending(at end: Int) -> Content {
            var content = self
            content.byteCount = end - bytes
            return content
        }
    }

    private var contents = FlatList<Content>()
    private var records = FlatList<Fragment.Record>()
    private var attributes = FlatList<Fragment.Attribute>()
    private var bytes = ByteArena()

    var isSmall: Bool { contents.isSmall && records.isSmall && attributes.isSmall && bytes.isSmall }

    mutating func removeAll() {
        contents.shorten(to: 0)
        records.shorten(to: 0)
        attributes.shorten(to: 0)
        bytes.shorten(to: 0)
    }

    func free() {
        contents.free()
        records.free()
        attributes.free()
        bytes.free()
    }

    var count: Int { contents.count }

    /// Keeps what is within an element, which comes last of all.
    ///
    /// - Returns: False where something is within that means more than its attributes.
    mutating func add(_ element: Int, of fragment: borrowing Fragment, from start: XMLPosition) -> Bool {
        let first = element + 1
        let end = fragment.records.count
        for place in first..<max(first, end) where !isPlain(fragment.records.at(place).pointee, of: fragment) {
            return false
        }
        let content = Content(
            records: records.count, recordCount: end - first, attributes: attributes.count,
            attributeCount: (first..<end).reduce(0) { $0 + Int(fragment.records.at($1).pointee.attributeCount) },
            bytes: bytes.count,
            lastChild: fragment.records.at(element).pointee.lastChild - Int32(truncatingIfNeeded: first), start: start)
        for place in first..<end {
            var record = fragment.records.at(place).pointee
            let written = fragment.attributes.at(record.firstAttribute)
            record.move(elements: -first, attributes: attributes.count - content.attributes - record.firstAttribute)
            record.textStart = 0
            records.append(record)
            guard record.attributeCount > 0 else { continue }
            // What stands between the values of one element stays there.
            let last = written[Int(record.attributeCount) - 1]
            let from = written.pointee.start
            let shift = bytes.count - content.bytes - from
            for index in 0..<Int(record.attributeCount) { attributes.append(written[index].moved(by: shift)) }
            bytes.append(fragment.bytes.bytes(from, last.start + Int(last.count) - from))
        }
        contents.append(content.ending(at: bytes.count))
        return true
    }

    /// Whether an element means nothing more than its attributes.
    private func isPlain(_ record: Fragment.Record, of fragment: borrowing Fragment) -> Bool {
        switch record.entry.content {
        case .elements, .text: break
        case .reals, .integers, .hex, .raw, .skipped: return false
        }
        guard !record.entry.isUnit, record.textCount == 0, record.content < 0 else { return false }
        return (0..<Int(record.attributeCount)).allSatisfy {
            fragment.attributes.at(record.firstAttribute + $0).pointee.name != .id
        }
    }

    /// Puts a content within an element that comes last of all and has nothing within.
    func put(_ number: Int, within element: Int, of fragment: inout Fragment, from start: XMLPosition) {
        let content = contents.at(number).pointee
        let first = fragment.records.count
        let shift = fragment.attributes.count
        let room = fragment.room(
            records: content.recordCount, attributes: content.attributeCount,
            bytes: bytes.bytes(content.bytes, content.byteCount))
        for place in 0..<content.attributeCount {
            (room.attributes + place).initialize(
                to: attributes.at(content.attributes + place).pointee.moved(by: room.bytes))
        }
        for place in 0..<content.recordCount {
            var record = records.at(content.records + place).pointee
            record.move(elements: first, attributes: shift)
            // Those directly within the element.
            if record.parent < Int32(truncatingIfNeeded: first) { record.parent = Int32(truncatingIfNeeded: element) }
            record.position = record.position.moved(from: content.start, to: start)
            (room.records + place).initialize(to: record)
        }
        guard content.recordCount > 0 else { return }
        fragment.connect(
            element, to: first, last: first + Int(content.lastChild), content: number)
    }
}

extension Fragment.Record {
    /// Counts its places from elsewhere.
    fileprivate mutating func move(elements: Int, attributes: Int) {
        let shift = Int32(truncatingIfNeeded: elements)
        parent &+= shift
        if firstChild >= 0 { firstChild &+= shift }
        if lastChild >= 0 { lastChild &+= shift }
        if nextSibling >= 0 { nextSibling &+= shift }
        firstAttribute += attributes
    }
}
