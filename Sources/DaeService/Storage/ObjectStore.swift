// Where bytes are kept: a folder of this machine, or a store that is reached over a network. Nothing here is called inside
// a transaction of the database: bytes are put before the row that names them, and removed behind the commit.

import DaeCore
import Daedalus

/// Keeps bytes under keys. What is there is whole: an object that was not put to its end is not there.
protocol ObjectStore: Sendable {
    /// Puts a local file's bytes, which outlive a machine that stops once this returns. The file may be gone from where it
    /// was, whether or not this succeeds.
    func put(localFile file: String, at key: ObjectKey) async throws
    func put(_ bytes: [UInt8], at key: ObjectKey) async throws
    /// `nil` where there is none.
    func open(_ key: ObjectKey) async throws -> (any ObjectReading)?
    /// `nil` where there is none.
    func head(_ key: ObjectKey) async throws -> StoredObject?
    /// Also of one that is not there.
    func remove(_ key: ObjectKey) async throws
    /// Removes all whose keys begin so.
    func removeAll(_ prefix: String) async throws
    /// Those whose keys begin so, in an order of the store's own: S3 servers have more than one.
    ///
    /// - Parameters:
    ///   - prefix: The kind at least.
    ///   - after: The last of the page before; one that is not there any more will do.
    func keys(_ prefix: String, after: ObjectKey?, limit: Int) async throws -> [StoredObject]
    /// Copies an object to a local file that is not there yet; whether there is one.
    func bring(_ key: ObjectKey, toLocalFile file: String) async throws -> Bool

    /// The store's own local file of an object, which is not to be changed; `nil` where there is none, or no such store.
    func localFile(_ key: ObjectKey) -> String?
    /// Results as files of this machine, of which the longest unused can go; `nil` for a store that sees to that itself.
    var evictable: EvictableResults? { get }
}

extension ObjectStore {
    func localFile(_ key: ObjectKey) -> String? { nil }

    var evictable: EvictableResults? { nil }

    func removeAll(_ prefix: String) async throws {
        try await eachPage(prefix) { page in
            for object in page { try await remove(object.key) }
        }
    }

    /// Hands over all whose keys begin so, some at a time.
    func eachPage(_ prefix: String, limit: Int = 1000, _ take: ([StoredObject]) async throws -> Void) async throws {
        var last: ObjectKey?
        repeat {
            let page = try await keys(prefix, after: last, limit: limit)
            last = page.count < limit ? nil : page.last?.key
            try await take(page)
        } while last != nil
    }

    /// All bytes of an object that this program wrote and that is small; `nil` where there is none.
    func bytes(_ key: ObjectKey) async throws -> [UInt8]? {
        guard let object = try await open(key) else { return nil }
        var bytes: [UInt8] = []
        try await object.read(0..<object.size) { bytes += $0 }
        return bytes
    }
}

/// What a store says of an object.
struct StoredObject: Sendable, Equatable {
    let key: ObjectKey
    /// In bytes.
    let size: Int64
    /// When it was put, in seconds since 1970.
    let changed: Int64
}

/// An object that is read. What is read stays whole when the object is removed meanwhile, or the reading fails.
protocol ObjectReading: Sendable {
    /// In bytes.
    var size: Int64 { get }

    /// Hands over the bytes of a range in pieces of 512 KiB at most, the next when the one before was taken.
    ///
    /// - Throws: Also where fewer bytes come.
    func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws

    /// Where a client may read it without this service, for a while and with these headers; `nil` where it comes from here.
    /// Whoever has the address can read it: it is a secret.
    func address(type: String, disposition: String?) async throws -> String?
}

extension ObjectReading {
    func address(type: String, disposition: String?) async throws -> String? { nil }
}
