/// A part of a file that was read at once: short runs that lie next to each other then cost one call of the system, not
/// one each.
struct FileWindow {
    private var bytes: [UInt8] = []
    private var start = 0
    private var count = 0
    /// Where the last run ended, short or long, in the window or not.
    private var last = 0

    private static let size = 1 << 16

    mutating func removeAll() { self = FileWindow() }

    /// - Parameters:
    ///   - start: A byte of the file.
    ///   - end: That behind the file's last, which no byte before is written again.
    /// - Returns: How many bytes were put into the buffer, as ``NumberSpool/File/read`` says.
    mutating func read(
        _ start: Int, _ buffer: UnsafeMutableRawBufferPointer, upTo end: Int, of file: NumberSpool.File
    ) throws -> Int {
        // Only forwards: each step back would else read all of a window for one run.
        let isNear = (last...last + Self.size).contains(start)
        last = start + buffer.count
        if start < self.start || start + buffer.count > self.start + count {
            guard isNear, buffer.count <= Self.size / 4 else { return try file.read(Int64(start), buffer) }
            try move(to: start, min(Self.size, end - start), of: file)
        }
        return bytes.withUnsafeBytes { bytes in
            let part = bytes[start - self.start..<count].prefix(buffer.count)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            return part.count
        }
    }

    private mutating func move(to start: Int, _ wanted: Int, of file: NumberSpool.File) throws {
        (self.start, count) = (start, 0)
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: Self.size) }
        count = try bytes.withUnsafeMutableBytes { bytes in
            try file.read(Int64(start), UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]))
        }
    }
}
