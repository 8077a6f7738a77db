/// A run of bytes of known size that can be read at any place: a file, memory, a spool, ranges of a web address.
///
/// Reading is safe from several threads at once.
public protocol ByteSource: Sendable {
    /// Bytes in all, at least 0.
    var size: Int64 { get }

    /// Copies bytes from `offset` (0...`size`) on into `buffer`.
    ///
    /// - Returns: How many were copied: at least 1 unless `offset` is at the end or `buffer` is empty, then 0.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int
}

/// Why bytes could not be had.
public struct ByteSourceError: Error, Sendable, Hashable {
    /// What was tried, such as `open` or `read`.
    public let operation: String
    /// The name of the file or address, as it was given.
    public let subject: String
    /// The system's reason, such as "No such file or directory".
    public let reason: String
    /// Whether the thing to be read does not exist (as against being unreadable).
    public let isMissing: Bool

    public init(operation: String, subject: String, reason: String, isMissing: Bool = false) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
        self.isMissing = isMissing
    }
}

extension ByteSourceError: CustomStringConvertible {
    public var description: String { "\(subject): cannot \(operation): \(reason)" }
}
