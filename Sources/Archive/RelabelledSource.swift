import ByteSource

/// An archive in whose directory some names are not called UTF-8 any more.
///
/// libzip refuses a whole archive for one name that is said to be UTF-8 and is not; without the flag it takes the name
/// for what it is. Nothing else of the entry depends on the flag.
struct RelabelledSource: ByteSource {
    private let base: any ByteSource
    /// Of the bytes that hold the flag, ascending.
    private let places: [Int64]
    private static let utf8Flag: UInt8 = 0x08

    /// - Parameter records: Where the records of these names begin, ascending.
    init(_ base: any ByteSource, records: [Int64]) {
        self.base = base
        places = records.map { $0 + 9 }
    }

    var size: Int64 { base.size }

    var distance: ByteDistance { base.distance }

    func willRead(_ range: Range<Int64>) { base.willRead(range) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let count = try base.read(at: offset, into: buffer)
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < offset { low = middle + 1 } else { high = middle }
        }
        while low < places.count, places[low] < offset + Int64(count) {
            buffer[Int(places[low] - offset)] &= ~Self.utf8Flag
            low += 1
        }
        return count
    }
}
