// Only what bears a name that the cache gives is looked at, and so removed: all else in the folder is somebody's.

public import ContentHash

extension DownloadCache {
    /// A whole file in the cache.
    public struct Blob: Sendable, Hashable {
        public let sha256: SHA256Digest
        public let path: String
        /// Bytes, at least 0.
        public let size: Int64
        /// When it was last handed out, in Unix seconds.
        public let lastUse: Int64
    }

    /// The beginning of a file that is being fetched, or that another attempt can go on from.
    public struct Partial: Sendable, Hashable {
        let key: CacheKey
        /// What it is fetched from, without user name and password; `nil` where it cannot be resumed.
        public let url: String?
        /// Bytes so far, at least 0.
        public let size: Int64
        /// Bytes there will be, as far as known.
        public let expected: Int64?
        /// When bytes last came, in Unix seconds.
        public let lastUse: Int64
    }

    func listedBlobs() throws(DownloadFailure) -> [Blob] {
        var blobs: [Blob] = []
        for (folder, name) in try names(below: "\(folder)/blobs/sha256") {
            guard let digest = SHA256Digest(hex: name), digest.hex == name, name.hasPrefix(folder) else { continue }
            let path = path(of: digest)
            guard let status = files.linkStatus(of: path) else { continue }
            blobs.append(Blob(sha256: digest, path: path, size: status.size, lastUse: status.time))
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
                    key: key, url: record?.url, size: status.size, expected: record?.total, lastUse: status.time))
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
