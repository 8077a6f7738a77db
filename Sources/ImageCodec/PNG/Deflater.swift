import CLibZ

/// A stream of zlib's; a class since zlib's state lives behind a pointer.
final class Deflater {
    private static let room = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer = [UInt8](repeating: 0, count: Deflater.room)
    /// Deflated and not taken yet.
    private(set) var output: [UInt8] = []

    /// `nil` where memory is short.
    init?(level: Int32) {
        guard let stream = dae_deflate_new(level) else { return nil }
        self.stream = stream
    }

    deinit { dae_deflate_free(stream) }

    /// Takes bytes, all that are left where they are the last; `false` where zlib fails.
    func push(_ bytes: [UInt8], isLast: Bool) -> Bool {
        var start = 0
        while true {
            var (left, made): (UInt32, UInt32) = (0, 0)
            let count = min(bytes.count - start, 1 << 30)
            let ends = isLast && start + count == bytes.count
            let status = bytes.withUnsafeBufferPointer { input in
                buffer.withUnsafeMutableBufferPointer { output in
                    dae_deflate(
                        stream, input.baseAddress.map { $0 + start }, UInt32(count), &left, output.baseAddress,
                        UInt32(output.count), &made, ends ? 1 : 0)
                }
            }
            guard status >= 0 else { return false }
            output += buffer[..<Int(made)]
            start += count - Int(left)
            if status == 1 { return true }
            // Room that is left says that nothing more is to come.
            if !ends, start == bytes.count, Int(made) < buffer.count { return true }
        }
    }

    func take() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
