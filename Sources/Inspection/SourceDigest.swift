import Archive
import ByteSource
import ContentHash
import Synchronization

/// Computes the SHA-256 of the bytes that a bundle was made of; a long one is computed on a thread of its own, which
/// another one may stop.
final class SourceDigest: Sendable {
    private let source: (any ByteSource)?
    private let isStopped = Atomic(false)
    private static let longBytes: Int64 = 1 << 20

    /// - Parameter source: `nil` for a folder, which has no digest.
    init(of source: (any ByteSource)?) { self.source = source }

    /// Whether it takes longer than starting a thread.
    var isLong: Bool { source.map { $0.size >= Self.longBytes } ?? false }

    /// Ends a computation that is under way; its result is then `nil`.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// In hexadecimal; `nil` for a folder, and where it was stopped.
    func result() -> Result<String?, ByteSourceError> {
        guard let source else { return .success(nil) }
        do throws(ByteSourceError) {
            let digest = try digest(of: source)
            return .success(isStopped.load(ordering: .relaxed) ? nil : digest.hex)
        } catch { return .failure(error) }
    }

    private func digest(of source: any ByteSource) throws(ByteSourceError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: Int(min(1 << 18, max(1, source.size))))
        defer { buffer.deallocate() }
        var position: Int64 = 0
        while !isStopped.load(ordering: .relaxed), case let count = try source.read(at: position, into: buffer),
            count > 0
        {
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
        return hasher.finish()
    }
}
