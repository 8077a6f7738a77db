import CLibZ

/// A stream of zlib's; a class since zlib's state lives behind a pointer.
final class Inflater {
    enum Outcome {
        /// All bytes were taken, or the room is full.
        case going
        case ended
        case broken
    }

    private let stream: UnsafeMutablePointer<z_stream>

    /// `nil` where memory is short.
    init?() {
        guard let stream = dae_inflate_new() else { return nil }
        self.stream = stream
    }

    deinit { dae_inflate_free(stream) }

    /// Inflates from `start` on until the bytes or the room end.
    ///
    /// - Returns: How many bytes were taken, and how many made.
    func inflate(
        _ bytes: Span<UInt8>, from start: Int, into room: inout [UInt8], at filled: Int
    ) -> (taken: Int, made: Int, outcome: Outcome) {
        let count = min(bytes.count - start, 1 << 30)
        let free = min(room.count - filled, 1 << 30)
        guard count >= 0, free > 0 else { return (0, 0, .going) }
        var (left, made): (UInt32, UInt32) = (0, 0)
        let status = bytes.withUnsafeBufferPointer { input in
            room.withUnsafeMutableBufferPointer { output in
                dae_inflate(
                    stream, input.baseAddress.map { $0 + start }, UInt32(count), &left,
                    output.baseAddress.map { $0 + filled }, UInt32(free), &made)
            }
        }
        let outcome: Outcome = status == 1 ? .ended : status < 0 ? .broken : .going
        return (count - Int(left), Int(made), outcome)
    }
}
