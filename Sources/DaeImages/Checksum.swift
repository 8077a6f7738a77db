import CLibZ

/// The CRC-32 of bytes that come in turn, as PNG and ZIP files have it.
package struct Checksum {
    package private(set) var value: UInt32 = 0
    private var count = 0

    package init() {}

    package mutating func add<Number: BitwiseCopyable>(_ numbers: [Number]) { add(numbers[...]) }

    package mutating func add<Number: BitwiseCopyable>(_ numbers: ArraySlice<Number>) {
        numbers.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            // Without a start it would begin anew.
            if let start { value = UInt32(truncatingIfNeeded: crc32_z(uLong(value), start, bytes.count)) }
            count += bytes.count
        }
    }

    /// Adds bytes whose sum is known.
    package mutating func add(_ other: Checksum) {
        value = UInt32(
            truncatingIfNeeded: crc32_combine(uLong(value), uLong(other.value), other.count))
        count += other.count
    }
}
