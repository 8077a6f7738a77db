import Daedalus

/// A file that comes in pieces.
struct ResumableUpload: Sendable {
    /// Of the upload, and of the asset that it becomes.
    let id: AssetID
    let name: String
    /// What the client said of it, as it said it.
    let metadata: String?
    /// Bytes of the whole file.
    let length: Int64
    /// Bytes that are on the disk.
    var received: Int64
    /// Milliseconds since 1970, UTC.
    var expires: Int64
    var phase: Phase

    enum Phase: Int64, Sendable {
        case open = 0
        /// It became an asset.
        case finished = 1
    }

    var path: String { "/v1/uploads/\(id.text)" }
    var assetPath: String? {
        switch phase {
        case .open: nil
        case .finished: "/v1/assets/\(id.text)"
        }
    }

    var json: JSONValue {
        var links: [String: JSONValue] = ["self": .string(path)]
        if let assetPath { links["asset"] = .string(assetPath) }
        return [
            "id": .string(id.text), "name": .string(name), "length": .integer(length), "offset": .integer(received),
            "expires": .integer(expires), "asset": JSONValue(assetPath == nil ? nil : id.text), "links": .object(links),
        ]
    }
}

/// What is kept of uploads that come in pieces.
protocol UploadStore: Sendable {
    /// - Parameter limit: Unfinished uploads at most.
    /// - Returns: Whether there was room.
    func add(_ upload: ResumableUpload, limit: Int) async throws -> Bool
    func upload(_ id: AssetID) async throws -> ResumableUpload?
    func save(_ upload: ResumableUpload) async throws
    func removeUpload(_ id: AssetID) async throws
    /// What the unfinished ones have on the disk.
    func partialBytes() async throws -> Int64
    /// Those whose time is over, and those that are whole but no asset yet.
    func dueUploads(at now: Int64) async throws -> [ResumableUpload]
}
