import DaeCore
import Daedalus
import Logging

/// Removes objects that no row names: what is left where a process ended between a row and its bytes.
struct ObjectSweep: Sendable {
    let objects: any ObjectStore
    let store: JobStore
    let uploads: UploadStore
    let puts: PendingPuts
    let liveness: OwnerLiveness
    let log: Logger

    /// The same where it is due, of one store that several nodes share; else another node did it not long ago. Where a node
    /// is killed in the middle, the next one does it when it is due again.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - pause: Milliseconds between two looks of one node.
    func run(now: Int64, sharedEvery pause: Int64) async throws {
        guard store.database.dialect.hasNodes else { return try await run(now: now / 1000) }
        guard try await begin(after: pause) else { return }
        do { try await run(now: now / 1000) } catch {
            // Not this task, which may be cancelled.
            let database = store.database
            _ = try? await Task {
                try await database.write { _ = try $0.execute("UPDATE sweeps SET begun = 0") }
            }.value
            throw error
        }
    }

    private func begin(after pause: Int64) async throws -> Bool {
        try await store.database.write { session in
            let now = try session.now()
            // A little sooner: who swept last is not a moment too early with its next look.
            return try session.execute(
                "UPDATE sweeps SET begun = $1 WHERE begun <= $2", [now, now - pause / 10 * 9]) == 1
        }
    }

    /// - Parameter now: Seconds since 1970.
    func run(now: Int64) async throws {
        try await objects.eachPage(ObjectKey.Kind.blobs.prefix) { try await blobs($0, now) }
        try await objects.eachPage(ObjectKey.Kind.results.prefix, results)
        try await objects.eachPage(ObjectKey.Kind.partials.prefix) { try await pieces($0, now) }
    }

    private func blobs(_ page: [StoredObject], _ now: Int64) async throws {
        // Before the rows: what is not pending any more by now has its row.
        let pending = puts.all
        let named = try await store.objects(of: page.compactMap(\.key.digest))
        for object in page {
            guard let digest = object.key.digest, named[digest] != object.key, !pending.contains(object.key),
                object.key.origin == .process(puts.owner.text) || object.isAbandoned(liveness, now: now)
            else { continue }
            try await objects.remove(object.key)
            log.info("removed what no asset has", metadata: ["sha256": "\(digest.hex)"])
        }
    }

    /// What was made of bytes that no asset has; where one comes with them right now it is made again.
    private func results(_ page: [StoredObject]) async throws {
        let digests = Set(page.compactMap(\.key.digest))
        let named = try await store.objects(of: Array(digests))
        for digest in digests where named[digest] == nil {
            try await objects.removeAll(ObjectKey.results(of: digest))
            log.info("removed what was made of what no asset has", metadata: ["sha256": "\(digest.hex)"])
        }
    }

    /// Pieces that came when their upload was over.
    private func pieces(_ page: [StoredObject], _ now: Int64) async throws {
        let old = page.filter { now - $0.changed > StoredObject.patience }
        let known = try await uploads.known(old.compactMap(\.key.upload))
        for object in old {
            guard let upload = object.key.upload, !known.contains(upload) else { continue }
            try await objects.remove(object.key)
            log.info("removed a piece of what is no upload any more", metadata: ["upload": "\(upload)"])
        }
    }
}

extension StoredObject {
    /// Seconds after which an object that no row names is nobody's, whoever put it.
    fileprivate static let patience: Int64 = 86_400

    /// Whether nobody is about to add the row that names it.
    ///
    /// - Parameter now: Seconds since 1970.
    func isAbandoned(_ liveness: OwnerLiveness, now: Int64) -> Bool {
        switch key.origin {
        case .olderVersion: true
        case .process(let owner): liveness.isGone(owner) || now - changed > Self.patience
        case nil: false
        }
    }
}
