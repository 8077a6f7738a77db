/// The distinct vertices of a primitive, a few words each, one after the other.
struct VertexRecords {
    let words: [UInt32]
    /// Words of a vertex.
    let width: Int
    let count: Int

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
