import DaeCore
import Daedalus
import Synchronization

/// How a new asset's bytes are to be found in the store.
enum ContentBytes: Sendable {
    /// As those of an asset that has equal ones; also where it has none yet.
    case known
    /// In an object that was put for them.
    ///
    /// - instead: The object that the content has lost, which this one takes the place of.
    case put(ObjectKey, instead: ObjectKey?)
}

/// What the transaction says of an object that was put for what it keeps.
enum PutOutcome: Sendable, Equatable {
    /// A row names it, or none was put.
    case named
    /// No row names it: the asset was not kept, or finds its bytes in another object.
    case unneeded
    /// The asset was not kept, since none was put, and no asset has equal bytes any more.
    case missing
}

protocol ContentOutcome: Sendable {
    var put: PutOutcome { get }
}

/// The way of assets' bytes into the store, before the transaction that names them.
struct ContentIntake: Sendable {
    let objects: any ObjectStore
    let store: JobStore
    let puts: PendingPuts

    /// What a content's bytes are in; `nil` where no asset has them.
    func object(of content: StoredContent) async throws -> ObjectKey? {
        if let object = content.object { return object }
        return try await store.object(of: content.digest)
    }

    enum Presence: Sendable {
        case here(ObjectKey)
        /// A row names an object that is not there, or is another's.
        case lost(ObjectKey)
        case absent

        var isHere: Bool {
            switch self {
            case .here: true
            case .lost, .absent: false
            }
        }
    }

    func presence(_ content: StoredContent) async throws -> Presence {
        guard let key = try await object(of: content) else { return .absent }
        return try await objects.head(key)?.size == content.bytes ? .here(key) : .lost(key)
    }

    /// Has a content kept, whose bytes are put where none are there. No object stays that no row names, unless nobody can
    /// tell; the sweep finds that.
    ///
    /// - Parameters:
    ///   - file: Where the bytes are now.
    ///   - presence: What was found just now; it may have changed.
    ///   - keep: Keeps the row.
    func put<Outcome: ContentOutcome>(
        _ content: StoredContent, from file: String, _ presence: Presence,
        _ keep: (ContentBytes) async throws -> Outcome
    ) async throws -> Outcome {
        var lost: ObjectKey?
        switch presence {
        case .here:
            let outcome = try await keep(.known)
            guard outcome.put == .missing else { return outcome }
        case .lost(let key): lost = key
        case .absent: break
        }
        let key = ObjectKey.blob(content.digest, putBy: puts.owner)
        puts.begin(key)
        do {
            try await objects.put(localFile: file, at: key)
            let outcome = try await keep(.put(key, instead: lost))
            switch outcome.put {
            case .named: puts.end(key)
            case .unneeded, .missing: await drop(key)
            }
            return outcome
        } catch let error as any CommitError where error.mayBeKept {
            // Whether a row names it shows later. As long as this process lives nobody takes it for unneeded.
            throw error
        } catch {
            await drop(key)
            throw error
        }
    }

    /// Not in the task of whoever asked, which may be cancelled.
    private func drop(_ key: ObjectKey) async {
        let (objects, store, puts) = (objects, store, puts)
        _ = await Task {
            defer { puts.end(key) }
            guard let digest = key.digest, try await store.object(of: digest) != key else { return }
            try await objects.remove(key)
        }.result
    }
}

/// The objects that this process puts and that no row names yet. A class because all share it.
final class PendingPuts: Sendable {
    /// This process.
    let owner: AssetID
    private let keys = Mutex<Set<ObjectKey>>([])

    init(owner: AssetID) { self.owner = owner }

    func begin(_ key: ObjectKey) { keys.withLock { _ = $0.insert(key) } }
    func end(_ key: ObjectKey) { keys.withLock { _ = $0.remove(key) } }

    var all: Set<ObjectKey> { keys.withLock { $0 } }
}
