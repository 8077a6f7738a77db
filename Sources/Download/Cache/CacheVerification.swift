public import ContentHash

extension DownloadCache {
    /// What a check of the whole cache has found and mended.
    public struct Verification: Sendable, Hashable {
        /// A file that was not what its name says, and is removed.
        public struct Damage: Sendable, Hashable {
            public let path: String
            public let sha256: SHA256Digest
            /// What its bytes really have; `nil` where they could not be read.
            public let found: SHA256Digest?
            /// What led to it; without user names and passwords.
            public let addresses: [String]
        }

        /// Files whose bytes were read.
        public var blobs = 0
        /// Bytes of them.
        public var bytes: Int64 = 0
        public var damaged: [Damage] = []
        /// References that led to no whole file, and are removed.
        public var references = 0
        /// Files that ended processes had left, and are removed.
        public var staleFiles = 0

        /// Whether nothing was wrong with what the cache would have handed out.
        public var isSound: Bool { damaged.isEmpty && references == 0 }
    }

    /// How far a check has come.
    public struct VerificationProgress: Sendable, Hashable {
        public let blobs: Int
        public let blobsTotal: Int
        public let bytes: Int64
        public let bytesTotal: Int64
    }

    /// Reads every whole file again and holds it against its name. What is wrong is removed with what refers to it, and
    /// what ended processes have left is swept up. Others may use the cache meanwhile.
    ///
    /// - Parameters:
    ///   - isStopped: Asked at least once a mebibyte; ends the check with ``CacheError/isCancelled`` set.
    ///   - progress: Called after every piece.
    public func verify(
        isStopped: () -> Bool = { false }, progress: (VerificationProgress) -> Void = { _ in }
    ) throws(CacheError) -> Verification {
        try CacheError.wrapping { () throws(DownloadFailure) in
            var result = Verification()
            guard try isUsable() else { return result }
            let blobs = try listedBlobs()
            let addresses = try listedAddresses()
            let total = blobs.reduce(0) { $0 &+ $1.size }
            for blob in blobs {
                let check = try check(blob, isStopped: isStopped) { bytes in
                    result.bytes &+= bytes
                    progress(
                        VerificationProgress(
                            blobs: result.blobs, blobsTotal: blobs.count, bytes: result.bytes, bytesTotal: total))
                }
                switch check {
                case .gone: continue
                case .sound: result.blobs += 1
                case .damaged(let found):
                    result.blobs += 1
                    result.damaged.append(
                        Verification.Damage(
                            path: blob.path, sha256: blob.sha256, found: found, addresses: addresses[blob.sha256] ?? [])
                    )
                }
            }
            result.references = try removeUnsoundReferences()
            result.staleFiles = try removeStaleFiles()
            usage.set(nil)
            return result
        }
    }

    private enum Check {
        case sound
        /// Removed or replaced while it was read.
        case gone
        case damaged(found: SHA256Digest?)
    }

    /// Removes the file unless its bytes are what its name says.
    private func check(
        _ blob: Blob, isStopped: () -> Bool, progress: (Int64) -> Void
    ) throws(DownloadFailure) -> Check {
        guard let before = files.linkStatus(of: blob.path) else { return .gone }
        var found: SHA256Digest?
        do throws(DownloadFailure) {
            found = try digest(of: blob.path, isStopped: isStopped, progress: progress)
        } catch {
            guard error != .cancelled else { throw error }
        }
        guard found != blob.sha256 else { return .sound }
        return try whileRemoving {
            guard files.linkStatus(of: blob.path)?.identity == before.identity else { return .gone }
            files.remove(blob.path)
            return .damaged(found: found)
        }
    }

    private func digest(
        of path: String, isStopped: () -> Bool, progress: (Int64) -> Void
    ) throws(DownloadFailure) -> SHA256Digest {
        let file = try files.openForReading(path)
        var hasher = SHA256Hasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while true {
            guard !isStopped() else { throw .cancelled }
            let count = try file.read(into: &buffer, at: offset)
            guard count > 0 else { return hasher.finish() }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += Int64(count)
            progress(Int64(count))
        }
    }
}
