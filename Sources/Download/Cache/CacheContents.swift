public import ContentHash

extension DownloadCache {
    /// What is in a cache at one moment, while others may be using it.
    public struct Contents: Sendable {
        /// Last used first.
        public let blobs: [Blob]
        /// Last written first.
        public let partials: [Partial]
        /// By content, sorted; without user names and passwords. A content may have none: what they gave changed since.
        public let addresses: [SHA256Digest: [String]]

        /// Bytes of all whole files and of all partial ones.
        public var size: Int64 {
            blobs.reduce(0) { $0 &+ $1.size } &+ partials.reduce(0) { $0 &+ $1.size }
        }
    }

    /// Lists what is in the cache; empty where the folder is not there.
    public func contents() throws(CacheError) -> Contents {
        try CacheError.wrapping { () throws(DownloadFailure) in
            try checkedVersion()
            return Contents(
                blobs: try listedBlobs().sorted { ($1.lastUse, $1.path) < ($0.lastUse, $0.path) },
                partials: try listedPartials().sorted { ($1.lastUse, $1.key.hex) < ($0.lastUse, $0.key.hex) },
                addresses: try listedAddresses())
        }
    }
}
