import Archive
import ByteSource
import ContentHash
import Synchronization

/// The SHA-256 of the bytes that a bundle was made of. A class since one thread computes it and another may stop it.
final class SourceDigest: Sendable {
    private let source: (any ByteSource)?
    private let isStopped = Atomic(false)
    private static let leastBytes: Int64 = 1 << 20

    init(of bundle: Bundle) { source = bundle.source }

    /// Whether it takes longer than the making of a thread.
    var isWorthAThread: Bool { source.map { $0.size >= Self.leastBytes } ?? false }

    /// Nobody wants it any more: a computation that is under way ends, with no digest.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// In hexadecimal; `nil` for a folder.
    func result() -> Result<String?, ByteSourceError> {
        guard let source else { return .success(nil) }
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 18)
        defer { buffer.deallocate() }
        var hasher = SHA256Hasher()
        var at: Int64 = 0
        do throws(ByteSourceError) {
            while case let count = try source.read(at: at, into: buffer), count > 0 {
                if isStopped.load(ordering: .relaxed) { return .success(nil) }
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                at += Int64(count)
            }
        } catch { return .failure(error) }
        return .success(hasher.finish().hex)
    }
}
