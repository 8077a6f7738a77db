// Only what bears a name that the cache gives is looked at, and so removed: all else in the folder is somebody's.

package import DaeCore
package import DaeDiagnostics

extension DownloadCache {
    /// A whole file in the cache.
    package struct Blob: Sendable, Hashable {
        package let sha256: SHA256Digest
        package let path: String
        /// Bytes, at least 0.
        package let size: Int64
        /// When it was last handed out, in Unix seconds.
        package let lastUse: Int64
    }

    /// The beginning of a file that is being fetched, or that another attempt can go on from.
    package struct Partial: Sendable, Hashable {
        let key: CacheKey
        /// What it is fetched from, without user name and password; `nil` where it cannot be resumed.
        package let url: String?
        /// Bytes so far, at least 0.
        package let size: Int64
        /// Bytes there will be, as far as known.
        package let expected: Int64?
        /// When bytes last came, in Unix seconds.
        package let lastUse: Int64
    }

    func listedBlobs() throws(DownloadFailure) -> [Blob] {
        var blobs: [Blob] = []
        for (folder, name) in try names(below: "\(folder)/blobs/sha256") {
            guard let digest = SHA256Digest(hex: name), digest.hex == name, name.hasPrefix(folder) else { continue }
            let path = path(of: digest)
            guard let status = files.linkStatus(of: path) else { continue }
            blobs.append(Blob(sha256: digest, path: path, size: status.size, lastUse: status.changed))
        }
        return blobs
    }

    func listedPartials() throws(DownloadFailure) -> [Partial] {
        var partials: [Partial] = []
        for key in try keys(in: "\(folder)/partial", endings: [".part"]) {
            guard let status = files.linkStatus(of: partialPath(of: key)) else { continue }
            let record = PartialRecord(of: key, at: recordPath(of: key), files)
            partials.append(
                Partial(
                    key: key, url: record?.url, size: status.size, expected: record?.total, lastUse: status.changed))
        }
        return partials
    }

    /// Keys that have a reference, sound or not.
    func listedReferences() throws(DownloadFailure) -> [CacheKey] {
        var keys: [CacheKey] = []
        for (folder, name) in try names(below: "\(folder)/refs") {
            guard let key = Self.key(of: name, endings: [".json"]), name.hasPrefix(folder) else { continue }
            keys.append(key)
        }
        return keys
    }

    /// The addresses that refer to each content.
    func listedAddresses() throws(DownloadFailure) -> [SHA256Digest: [String]] {
        var addresses: [SHA256Digest: [String]] = [:]
        for key in try listedReferences() {
            guard let reference = CacheReference(of: key, at: referencePath(of: key), files) else { continue }
            addresses[reference.sha256, default: []].append(reference.url)
        }
        return addresses.mapValues { $0.sorted() }
    }

    /// The keys that files in a folder are named by, each once, sorted.
    func keys(in folder: String, endings: [String]) throws(DownloadFailure) -> [CacheKey] {
        var keys: [CacheKey] = []
        for name in try files.names(in: folder) {
            guard let key = Self.key(of: name, endings: endings), keys.last != key else { continue }
            keys.append(key)
        }
        return keys
    }

    /// The names in all folders of two digits, with their folder's name.
    func names(below folder: String) throws(DownloadFailure) -> [(folder: String, name: String)] {
        var names: [(folder: String, name: String)] = []
        for inner in try files.names(in: folder) {
            guard inner.utf8.count == 2, files.linkStatus(of: "\(folder)/\(inner)")?.kind == .folder else { continue }
            for name in try files.names(in: "\(folder)/\(inner)") { names.append((inner, name)) }
        }
        return names
    }

    static func key(of name: String, endings: [String]) -> CacheKey? {
        endings.lazy.filter { name.hasSuffix($0) }.compactMap { CacheKey(hex: name.dropLast($0.count)) }.first
    }
}

extension DownloadCache {
    /// What is in a cache at one moment, while others may be using it.
    package struct Contents: Sendable {
        /// Last used first.
        package let blobs: [Blob]
        /// Last written first.
        package let partials: [Partial]
        /// By content, sorted; without user names and passwords. A content may have none: what they gave changed since.
        package let addresses: [SHA256Digest: [String]]

        /// Bytes of all whole files and of all partial ones.
        package var size: Int64 {
            blobs.reduce(0) { $0 &+ $1.size } &+ partials.reduce(0) { $0 &+ $1.size }
        }
    }

    /// Lists what is in the cache; empty where the folder is not there.
    package func contents() throws(CodedFailure) -> Contents {
        try CodedFailure.wrapping { () throws(DownloadFailure) in
            try checkedVersion()
            return Contents(
                blobs: try listedBlobs().sorted { ($1.lastUse, $1.path) < ($0.lastUse, $0.path) },
                partials: try listedPartials().sorted { ($1.lastUse, $1.key.hex) < ($0.lastUse, $0.key.hex) },
                addresses: try listedAddresses())
        }
    }
}

extension DownloadCache {
    /// What a check of the whole cache has found and mended.
    package struct Verification: Sendable, Hashable {
        /// A file that was not what its name says, and is removed.
        package struct Damage: Sendable, Hashable {
            package let path: String
            package let sha256: SHA256Digest
            /// What its bytes really have; `nil` where they could not be read.
            package let found: SHA256Digest?
            /// What led to it; without user names and passwords.
            package let addresses: [String]
        }

        /// Files whose bytes were read.
        package var blobs = 0
        /// Bytes of them.
        package var bytes: Int64 = 0
        package var damaged: [Damage] = []
        /// References that led to no whole file, and are removed.
        package var references = 0
        /// Files that ended processes had left, and are removed.
        package var staleFiles = 0

        /// Whether nothing was wrong with what the cache would have handed out.
        package var isSound: Bool { damaged.isEmpty && references == 0 }
    }

    /// How far a check has come.
    package struct VerificationProgress: Sendable, Hashable {
        package let blobs: Int
        package let blobsTotal: Int
        package let bytes: Int64
        package let bytesTotal: Int64
    }

    /// Reads every whole file again and holds it against its name. What is wrong is removed with what refers to it, and
    /// what ended processes have left is swept up. Others may use the cache meanwhile.
    ///
    /// - Parameters:
    ///   - isStopped: Asked at least once a mebibyte; ends the check with the code `ASSET_CANCELLED`.
    ///   - progress: Called after every piece.
    package func verify(
        isStopped: () -> Bool = { false }, progress: (VerificationProgress) -> Void = { _ in }
    ) throws(CodedFailure) -> Verification {
        try CodedFailure.wrapping { () throws(DownloadFailure) in
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

extension CodedFailure {
    /// Runs work on a cache: why it could not be looked at, checked or pruned is told with its code. The path stands in the
    /// message.
    static func wrapping<Value>(_ body: () throws(DownloadFailure) -> Value) throws(CodedFailure) -> Value {
        do throws(DownloadFailure) { return try body() } catch {
            let isStopped = error == .cancelled
            throw CodedFailure(
                error.code, isStopped ? "the work on the cache was stopped" : "\(error.observed); \(error.expected)")
        }
    }
}
