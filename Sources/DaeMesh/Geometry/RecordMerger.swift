// Open addressing over one flat array of words. The seed differs between processes, so that nobody can prepare records
// that all fall on one place; numbers are given in the order of first appearance, so the result does not depend on it.

/// Numbers distinct records of a few 32-bit words, in the order in which they first come.
package struct RecordMerger {
    /// Words in a record, at least 1.
    package let width: Int
    /// The distinct records, one after the other.
    package private(set) var words: [UInt32] = []
    package private(set) var count = 0
    /// Numbers of records plus 1; 0 for nothing.
    private var table = [UInt32](repeating: 0, count: 64)
    /// By the element that most of a record hangs on: the last record that came with it, plus 1.
    private var latest: [UInt32] = []
    private static let seed = UInt64.random(in: .min ... .max) | 1

    /// - Parameter expected: Records to make room for beforehand, which spares copies; there may be others.
    package init(width: Int, expecting expected: Int = 0) {
        self.width = max(1, width)
        let room = min(expected, Self.mostExpectedWords / self.width)
        guard room > 0 else { return }
        words.reserveCapacity(room * self.width)
        latest.reserveCapacity(room + 1)
        reserve(room)
    }

    /// What is not written of it takes no memory.
    private static let mostExpectedWords = 1 << 24

    /// Gives the number of each of the records that stand one after the other.
    ///
    /// - Parameters:
    ///   - elements: One a record, from 0: records of one element are likely to be the same. None at all is allowed.
    ///   - numbers: One for each record is appended.
    package mutating func merge(_ records: [UInt32], of elements: [Int32] = [], into numbers: inout [UInt32]) {
        let incoming = records.count / width
        reserve(incoming)
        // Taken out, so that both can be worked on at once without a copy.
        var words = exchange(&self.words, with: [])
        var table = exchange(&self.table, with: [])
        var latest = exchange(&self.latest, with: [])
        let most = Int(elements.max() ?? -1)
        if latest.count <= most {
            let wanted = max(most + 1, min(2 * latest.count, latest.capacity))
            latest.append(contentsOf: repeatElement(0, count: wanted - latest.count))
        }
        let (width, seed, mask) = (width, Self.seed, table.count - 1)
        records.withUnsafeBufferPointer { records in
            for record in 0..<incoming {
                let start = record * width
                let element = record < elements.count ? Int(elements[record]) : -1
                if element >= 0, latest[element] > 0 {
                    let other = (Int(latest[element]) - 1) * width
                    if Self.isSame(words, other, records, start, width) {
                        numbers.append(latest[element] - 1)
                        continue
                    }
                }
                var place = Int(truncatingIfNeeded: Self.hash(records, start, width, seed)) & mask
                while true {
                    let found = table[place]
                    if found == 0 {
                        words.append(contentsOf: UnsafeBufferPointer(rebasing: records[start..<start + width]))
                        count += 1
                        table[place] = UInt32(truncatingIfNeeded: count)
                        numbers.append(UInt32(truncatingIfNeeded: count - 1))
                        if element >= 0 { latest[element] = UInt32(truncatingIfNeeded: count) }
                        break
                    }
                    let other = (Int(found) - 1) * width
                    if Self.isSame(words, other, records, start, width) {
                        numbers.append(found - 1)
                        if element >= 0 { latest[element] = found }
                        break
                    }
                    place = (place + 1) & mask
                }
            }
        }
        self.words = words
        self.table = table
        self.latest = latest
    }

    /// Whether a record there is equals one that comes.
    @inline(__always)
    private static func isSame(
        _ words: [UInt32], _ first: Int, _ records: UnsafeBufferPointer<UInt32>, _ second: Int, _ width: Int
    ) -> Bool {
        words.withUnsafeBufferPointer { words in
            var word = 0
            // Two at a time.
            let (ours, theirs) = (UnsafeRawBufferPointer(words), UnsafeRawBufferPointer(records))
            while word &+ 1 < width {
                guard
                    ours.loadUnaligned(fromByteOffset: (first &+ word) &* 4, as: UInt64.self)
                        == theirs.loadUnaligned(fromByteOffset: (second &+ word) &* 4, as: UInt64.self)
                else { return false }
                word &+= 2
            }
            return word == width || words[first &+ word] == records[second &+ word]
        }
    }

    private static func hash(
        _ records: UnsafeBufferPointer<UInt32>, _ start: Int, _ width: Int, _ seed: UInt64
    ) -> UInt64 {
        var hash = seed
        for word in start..<start + width {
            hash = (hash ^ UInt64(records[word])) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash ^ (hash >> 32)
    }

    /// Makes room for so many more, at most half full.
    private mutating func reserve(_ more: Int) {
        guard (count + more) * 2 > table.count else { return }
        var size = table.count
        while (count + more) * 2 > size { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        let (width, seed, mask) = (width, Self.seed, size - 1)
        words.withUnsafeBufferPointer { words in
            table.withUnsafeMutableBufferPointer { table in
                for number in 0..<count {
                    var place = Int(truncatingIfNeeded: Self.hash(words, number * width, width, seed)) & mask
                    while table[place] != 0 { place = (place + 1) & mask }
                    table[place] = UInt32(truncatingIfNeeded: number + 1)
                }
            }
        }
    }
}

/// The distinct vertices of a primitive, a few words each, one after the other.
struct VertexRecords {
    let words: [UInt32]
    /// Words of a vertex.
    let width: Int
    let count: Int

    /// Those of some vertices, in that order.
    func ordered(_ vertices: [UInt32]) -> VertexRecords {
        let ordered = [UInt32](unsafeUninitializedCapacity: vertices.count * width) { room, count in
            for vertex in vertices {
                let start = Int(vertex) * width
                for word in start..<start + width {
                    room.initializeElement(at: count, to: words[word])
                    count += 1
                }
            }
        }
        return VertexRecords(words: ordered, width: width, count: vertices.count)
    }

    /// Some words of each of some vertices as values of one kind.
    func append<Value>(
        _ vertices: Range<Int>, from start: Int, _ width: Int, to values: inout [Value], _ value: (UInt32) -> Value
    ) {
        values.reserveCapacity(values.count + vertices.count * width)
        words.withUnsafeBufferPointer { words in
            var record = vertices.lowerBound * self.width + start
            for _ in vertices {
                for word in record..<record + width { values.append(value(words[word])) }
                record += self.width
            }
        }
    }

    func column<Value>(from start: Int, _ width: Int, _ value: (UInt32) -> Value) -> [Value] {
        var values: [Value] = []
        append(0..<count, from: start, width, to: &values, value)
        return values
    }
}
