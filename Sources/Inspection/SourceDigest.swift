import Archive
import ByteSource
import ContentHash
import Synchronization

/// The SHA-256 of the bytes that a bundle was made of: those that are read for something else are taken as they come, and
/// only the rest is read for it. A class since what reads holds it as well as what asks for it.
final class SourceDigest {
    private let source: (any ByteSource)?
    /// Of the bytes before `position`; `nil` once it was finished.
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var position: Int64 = 0

    /// - Parameter source: `nil` for a folder, which has no digest.
    init(of source: (any ByteSource)?) { self.source = source }

    /// Takes bytes of the source that were read; those that do not continue what was taken are let be.
    func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        guard offset == position else { return }
        hasher?.update(bytes)
        position += Int64(bytes.count)
    }

    /// In hexadecimal, and only once; `nil` for a folder, and where it is not wanted any more.
    func result(isStopped: () -> Bool = { false }) -> Result<String?, ByteSourceError> {
        guard let source else { return .success(nil) }
        do throws(ByteSourceError) { try takeRest(of: source, isStopped) } catch { return .failure(error) }
        return .success(isStopped() ? nil : hasher.take()?.finish().hex)
    }

    private func takeRest(of source: any ByteSource, _ isStopped: () -> Bool) throws(ByteSourceError) {
        guard position < source.size else { return }
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 18)
        defer { buffer.deallocate() }
        while !isStopped(), case let count = try source.read(at: position, into: buffer), count > 0 {
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
        }
    }
}

/// The computation of a digest on a thread of its own, which another one may stop.
final class SideDigest: Sendable {
    private let source: any ByteSource
    private let isStopped = Atomic(false)
    private static let leastBytes: Int64 = 1 << 20

    /// `nil` where it takes no longer than the making of a thread.
    init?(of source: (any ByteSource)?) {
        guard let source, source.size >= Self.leastBytes else { return nil }
        self.source = source
    }

    /// Nobody wants it any more: a computation that is under way ends, with no digest.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    func result() -> Result<String?, ByteSourceError> {
        SourceDigest(of: source).result { isStopped.load(ordering: .relaxed) }
    }
}
