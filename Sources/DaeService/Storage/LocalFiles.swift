import DaeCore
import Daedalus

/// Objects as files of this machine, which workers read: the store's own, or copies.
struct LocalFiles: Sendable {
    private let objects: any ObjectStore
    private let copies: LocalCopies

    /// - Parameters:
    ///   - folder: Of the copies; made when the first is.
    ///   - limit: Bytes of all copies; those in use may be more.
    init(_ objects: any ObjectStore, folder: String, limit: Int64) {
        self.objects = objects
        copies = LocalCopies(objects, folder: folder, limit: limit)
    }

    /// Hands over an object's file, which stays until `body` returns; `nil` where there is no such object.
    func with<Value: Sendable>(
        _ key: ObjectKey, isolation: isolated (any Actor)? = #isolation, _ body: (String?) async throws -> Value
    ) async throws -> Value {
        if let own = objects.localFile(key) { return try await body(own) }
        guard let path = try await copies.acquire(key) else { return try await body(nil) }
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(path)) } catch { outcome = .failure(error) }
        await copies.release(key)
        return try outcome.get()
    }
}

/// Copies of objects up to a limit, of which the longest unused go.
private actor LocalCopies {
    private let objects: any ObjectStore
    private let folder: String
    private let limit: Int64
    private var copies: [ObjectKey: Copy] = [:]
    /// Grows with each use.
    private var clock: UInt64 = 0

    private struct Copy {
        /// Gives the file's bytes once it is here; `nil` where there is no such object.
        let coming: Task<Int64?, any Error>
        let bytes: Int64
        var users = 0
        var used: UInt64 = 0
    }

    init(_ objects: any ObjectStore, folder: String, limit: Int64) {
        (self.objects, self.folder, self.limit) = (objects, folder, limit)
    }

    /// A copy's path, to be given back; `nil` where there is no such object.
    func acquire(_ key: ObjectKey) async throws -> String? {
        if copies[key] == nil {
            guard let object = try await objects.head(key) else { return nil }
            if copies[key] == nil {
                try makeRoom(object.size)
                let (objects, path) = (objects, path(key))
                let coming = Task { try await Self.bring(key, objects, to: path) }
                copies[key] = Copy(coming: coming, bytes: object.size)
            }
        }
        guard let coming = copies[key]?.coming else { return nil }
        clock += 1
        copies[key]?.users += 1
        copies[key]?.used = clock
        do {
            if try await coming.value != nil { return path(key) }
        } catch {
            release(key, forgetting: true)
            throw error
        }
        release(key, forgetting: true)
        return nil
    }

    func release(_ key: ObjectKey, forgetting isUseless: Bool = false) {
        copies[key]?.users -= 1
        // Who waits for the same hears of the same fault.
        if isUseless, copies[key]?.users == 0 { remove(key) }
    }

    private func makeRoom(_ bytes: Int64) throws {
        try ServiceFolder.make(folder)
        var total = copies.values.reduce(bytes) { $0 + $1.bytes }
        for (key, copy) in copies.sorted(by: { $0.value.used < $1.value.used }) where total > limit && copy.users == 0 {
            remove(key)
            total -= copy.bytes
        }
    }

    private func remove(_ key: ObjectKey) {
        copies[key] = nil
        unlink(path(key))
    }

    private func path(_ key: ObjectKey) -> String {
        folder + "/" + key.text.split(separator: "/").joined(separator: "+")
    }

    /// Its bytes came over a network: they are what their key says, or none.
    private static func bring(_ key: ObjectKey, _ objects: any ObjectStore, to path: String) async throws -> Int64? {
        guard try await objects.bring(key, toLocalFile: path) else { return nil }
        return try await Thread.run {
            if key.origin != nil, try FileDigest.of(path) != key.digest {
                unlink(path)
                throw StorageError("\(key), whose bytes have another SHA-256,", EIO)
            }
            return FileMetadata(path)?.size
        }
    }
}
