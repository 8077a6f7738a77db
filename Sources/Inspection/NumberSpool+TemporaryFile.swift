import ByteSource
import ColladaParser

extension NumberSpool {
    /// Unnamed files, gone with the process.
    ///
    /// - Parameter limit: Bytes of one file; one more is an error.
    static func temporaryFiles(limit: Int64) -> NumberSpool {
        NumberSpool {
            let file = try TemporaryFile()
            return File(
                write: { bytes, offset in
                    guard offset <= limit - Int64(bytes.count) else {
                        throw ByteSourceError(
                            operation: "write", subject: "a temporary file",
                            reason: "it would have more than \(limit) bytes", cause: .overLimit)
                    }
                    try file.write(bytes, at: offset)
                },
                read: { try file.read(at: $0, into: $1) })
        }
    }
}
