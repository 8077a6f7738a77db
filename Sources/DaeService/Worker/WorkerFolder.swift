import DaeCore
import Daedalus

/// A worker's own folder. The worker writes there and nowhere else; its parent takes from it, once the worker is gone, the
/// files whose names it knows.
struct WorkerFolder: Codable, Sendable {
    let path: String

    /// The name of downloaded bytes.
    static let content = "content"

    func file(_ name: String) -> String { "\(path)/\(name)" }

    // MARK: - The worker's side

    func write(_ bytes: [UInt8], as name: String) throws(StorageError) {
        try OpenFile(file(name), .creating, permissions: 0o600).write(bytes)
    }

    /// The same of a text that is made piece by piece; it ends with a line end.
    ///
    /// - Parameters:
    ///   - limit: Bytes that it may have.
    ///   - make: Hands them on for as long as more are wanted.
    func write(as name: String, limit: Int, _ make: (_ take: ([UInt8]) -> Bool) -> Void) throws {
        let file = try OpenFile(file(name), .creating, permissions: 0o600)
        var (count, fault): (Int, StorageError?) = (0, nil)
        func take(_ piece: [UInt8]) -> Bool {
            count += piece.count
            guard count <= limit, fault == nil else { return false }
            do throws(StorageError) { try file.write(piece) } catch { fault = error }
            return fault == nil
        }
        make(take)
        _ = take([UInt8(ascii: "\n")])
        if let fault { throw fault }
        guard count <= limit else {
            throw CodedFailure(
                .outputTooLarge, "the result would have more than \(limit) bytes, which is what may be written")
        }
    }

    // MARK: - The parent's side

    /// Those of some files that a worker left. Where one of them is nothing that a worker leaves, what the others hold is not
    /// to be trusted either.
    ///
    /// - Parameters:
    ///   - limit: Bytes that each may have.
    ///   - needed: How many of them, from the first on, have to be there.
    func left(of names: [String], limit: Int64, needed: Int) throws(StorageError) -> [String] {
        var left: [String] = []
        for (index, name) in names.enumerated() {
            if try isLeft(name, limit: limit) {
                left.append(name)
            } else if index < needed {
                throw StorageError(name, EINVAL)
            }
        }
        return left
    }

    /// Why an asset failed, or what is made of one, whose worker left what throws `EINVAL` here.
    static let fault = AssetState.Reason(
        .workerLost, "The process that worked on it left something else than files.")

    /// Whether a worker left a file of this name; looked at without following where a link leads.
    ///
    /// - Parameter limit: Bytes that it may have.
    /// - Throws: For what no worker leaves: a link, a pipe, a file that has another name as well, one that is too long.
    func isLeft(_ name: String, limit: Int64) throws(StorageError) -> Bool {
        guard let metadata = FileMetadata(file(name)) else { return false }
        guard metadata.kind == .file, metadata.links == 1 else { throw StorageError(name, EINVAL) }
        guard metadata.size <= limit else { throw StorageError(name, EFBIG) }
        return true
    }
}

/// The names of what is made of a content.
enum ResultName {
    /// What reading it gives.
    static let readings = ["inspect.json", "tree.json", "files.json"]

    /// - Parameter side: In pixels.
    static func thumbnail(side: Int) -> String { "thumbnail-\(side).png" }

    /// An entry's path comes from outside: in the file system it stands as its digest alone.
    static func entry(_ path: String) -> String { SHA256Digest(hashing: Array(path.utf8)).hex }
}
