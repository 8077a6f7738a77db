import DaeCore
import DaeObjectStore
import Daedalus

/// Objects below one location of an S3 store.
struct S3ObjectStore: ObjectStore {
    let client: S3Client
    /// Whether clients read objects from the store itself.
    var sendsClients = false

    // MARK: - Putting

    func put(localFile file: String, at key: ObjectKey) async throws {
        let digest = try await Thread.run { () throws(StorageError) in try FileDigest.of(file) }
        _ = try await client.asked { try await $0.put(.file(file), key: key.text, sha256: digest) }
    }

    func put(_ bytes: [UInt8], at key: ObjectKey) async throws {
        _ = try await client.asked {
            try await $0.put(.bytes(bytes), key: key.text, sha256: SHA256Digest(hashing: bytes))
        }
    }

    // MARK: - Reading

    func open(_ key: ObjectKey) async throws -> (any ObjectReading)? {
        try await head(key).map { S3Reading(client: client, key: key, size: $0.size, sendsClients: sendsClients) }
    }

    func head(_ key: ObjectKey) async throws -> StoredObject? {
        do {
            return StoredObject(try await client.asked { try await $0.head(key.text) }, key)
        } catch S3Error.keyAbsent { return nil }
    }

    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool {
        do { _ = try await client.asked { try await $0.get(key.text, to: file) } } catch S3Error.keyAbsent {
            return false
        }
        return true
    }

    // MARK: - Removing and listing

    func remove(_ key: ObjectKey) async throws { try await client.asked { try await $0.delete(key.text) } }

    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject] {
        guard ObjectKey.Kind(prefix: prefix) != nil else { return [] }
        var (found, last, hasMore): ([StoredObject], String?, Bool) = ([], after?.text, true)
        // What others keep below the location is passed over.
        while hasMore, found.count < limit {
            let page = try await client.asked { [last, left = limit - found.count] in
                try await $0.list(prefix: prefix, after: last, limit: left)
            }
            (last, hasMore) = (page.objects.last?.key ?? last, page.hasMore)
            found += page.objects.compactMap { object in ObjectKey(object.key).map { StoredObject(object, $0) } }
        }
        return found
    }
}

extension S3Client {
    /// What a request gives; where its task was cancelled, the error by which all know that.
    fileprivate func asked<Value>(_ request: (S3Client) async throws -> Value) async throws -> Value {
        do { return try await request(self) } catch S3Error.cancelled { throw CancellationError() }
    }
}

extension StoredObject {
    fileprivate init(_ object: S3Client.Object, _ key: ObjectKey) {
        self.init(key: key, size: object.size, changed: object.modified ?? 0)
    }
}

/// An object that is read, each range in a transfer of its own.
private struct S3Reading: ObjectReading {
    let client: S3Client
    let key: ObjectKey
    let size: Int64
    let sendsClients: Bool

    func address(type: String, disposition: String?) async throws -> String? {
        guard sendsClients else { return nil }
        return try await client.presignedGet(key.text, seconds: 60, contentType: type, disposition: disposition)
    }

    func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws {
        guard !range.isEmpty else { return }
        let whole = range == 0..<size && key.origin != nil ? key.digest : nil
        let count = try await client.asked {
            var count: Int64 = 0
            for try await piece in try await $0.get(key.text, range: range, sha256: whole).body {
                count += Int64(piece.count)
                try await take(piece)
            }
            return count
        }
        guard count == range.upperBound - range.lowerBound else { throw StorageError(key.text, EIO) }
    }
}
