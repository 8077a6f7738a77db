// What is kept of assets and of the work on them. SQLite is one answer to it; another database is another.

import DaeCore
import Daedalus

/// A claim on the work for one asset, which ends unless it is renewed.
struct Job: Sendable {
    let id: Int64
    let owner: String
    let asset: AssetRecord
    /// How often it was claimed, this time included.
    let claims: Int
    /// The trace of the request that made it, where it had one.
    var trace: String?

    enum History: Sendable {
        case new
        /// Somebody began it and is gone.
        case interrupted
        /// It was begun so often that it is given up.
        case hopeless
    }

    /// Times that a job is begun: a store or a worker that fails for good would have it begun for ever.
    static let mostClaims = 100

    var history: History { claims > Self.mostClaims ? .hopeless : claims > 1 ? .interrupted : .new }
}

/// Which assets are asked for.
struct AssetQuery: Sendable {
    /// Of this state alone, by its name on the wire.
    var state: String?
    /// Of this digest alone, in hexadecimal.
    var digest: String?
    /// Whose name contains this, in letters of either case.
    var name: String?
    /// With all of these.
    var labels: [LabelFilter] = []
    /// Behind the asset of this number, the newest first.
    var after: Int64?
    var limit = 50
}

struct AssetPage: Sendable {
    let assets: [AssetRecord]
    /// The state of each as JSON, as it is kept: to write all of a page anew would take most of its time.
    let states: [String]
    /// What ``AssetQuery/after`` is for the next page; `nil` behind the last.
    let next: Int64?
    /// What is wrong with the assets that are left out, since they cannot be read.
    let unread: [String]
}

/// Something that happened, as watchers are told of it.
struct ServiceEvent: Sendable {
    /// Grows from event to event; `nil` for one that is not kept, which tells how far a worker is within a state.
    let number: Int64?
    let asset: AssetID
    let kind: Kind
    /// A JSON text.
    let data: String
    /// What of the asset's link not everybody may see.
    var secret: LinkSecret?

    enum Kind: String, Sendable {
        case state, action, removed
        /// What a client says of the asset became something else.
        case details
    }
}

/// Some events, the oldest first.
struct EventPage: Sendable {
    let events: [ServiceEvent]
    /// Of all that happened: what is older is forgotten.
    let first: Int64
    /// There is no other up to this one that was asked for.
    let end: Int64
    let newest: Int64
}

/// What came of removing an asset.
enum Removal: Sendable, Equatable {
    case unknown
    /// By the same request, when it was sent before.
    case wasRemoved
    /// - unused: The bytes that no asset has any more. They are still there: whoever stops here has lost nothing.
    case removed(unused: UnusedContent?)
}

/// Bytes that no asset has any more.
struct UnusedContent: Sendable, Equatable {
    let digest: SHA256Digest
    /// What they are in, which no row names any more.
    let object: ObjectKey
}

/// What came of adding an asset.
enum Admission: Sendable, Equatable, ContentOutcome {
    /// - put: As of ``PutOutcome``; never `missing`.
    case added(put: PutOutcome)
    /// By the same request, when it was sent before.
    case wasAdded(AssetRecord)
    /// So many wait already.
    case queueIsFull
    /// Nothing was kept: no asset has equal bytes any more, and none were put for this one.
    case lacksBytes

    var put: PutOutcome {
        switch self {
        case .added(let put): put
        case .wasAdded, .queueIsFull: .unneeded
        case .lacksBytes: .missing
        }
    }
}

/// What came of an action on an asset.
enum ActionOutcome: Sendable {
    case unknown
    /// - asset: As it is behind it.
    case taken(AssetRecord)
    /// By the same request, when it was sent before.
    ///
    /// - asset: As it is now.
    case wasTaken(AssetRecord)
}

/// The key of a request, by which its client may send it again without it being done again.
struct RequestKey: Sendable {
    /// Whose key it is.
    let client: String
    let text: String

    /// Milliseconds for which a key is kept.
    static let lifetime: Int64 = 24 * 3_600_000
    /// Keys that are kept at most; the oldest go first.
    static let limit = 10_000
}

/// Why a request whose key is known is not answered as it was.
enum RequestKeyError: Error {
    /// The key came with a request for something else.
    case anotherRequest
    /// What the request did was done to an asset that was removed since.
    case removedSince
}

/// What came of keeping what a job's bytes are.
enum ContentAdmission: Sendable, Equatable, ContentOutcome {
    /// - put: As of ``Admission/added(put:)``.
    case kept(put: PutOutcome)
    /// Another job reads equal bytes now.
    case isReadElsewhere(put: PutOutcome)
    /// The job is no longer its owner's, and nothing was kept.
    case notHeld
    /// As of ``Admission/lacksBytes``.
    case lacksBytes

    var put: PutOutcome {
        switch self {
        case .kept(let put), .isReadElsewhere(let put): put
        case .notHeld: .unneeded
        case .lacksBytes: .missing
        }
    }
}

/// Why a transaction failed, where that may leave open whether it was kept.
protocol CommitError: Error {
    /// The database was gone before it had said so: nobody can tell.
    var mayBeKept: Bool { get }
}

/// - Throws: ``RequestKeyError`` where a key is known that does not fit what is asked for. After an error nothing was kept,
///   unless a ``CommitError`` says that it may be.
protocol JobStore: Sendable {
    /// Whether a request with this key did what it asked for.
    func isKnown(_ key: RequestKey) async throws -> Bool
    /// Keeps a new asset; one that is not settled gets a job, with the trace of the present task.
    ///
    /// - Parameters:
    ///   - bytes: Where its bytes are.
    ///   - key: Of the request, which adds it once; `nil` where each time adds one.
    func add(_ asset: AssetRecord, bytes: ContentBytes, key: RequestKey?, queueLimit: Int) async throws -> Admission
    func asset(_ id: AssetID) async throws -> AssetRecord?
    func assets(_ query: AssetQuery) async throws -> AssetPage
    /// Forgets an asset and its job.
    ///
    /// - Parameter key: As for ``add(_:bytes:key:queueLimit:)``.
    func remove(_ id: AssetID, key: RequestKey?) async throws -> Removal
    /// Forgets assets that fit, as many as the query's limit at most.
    func remove(_ query: AssetQuery) async throws -> MassRemoval
    /// Forgets assets whose time is over.
    func removeExpired(limit: Int) async throws -> MassRemoval
    /// Changes what a client says of an asset; gives the asset as it is then, `nil` where there is none.
    func change(
        _ id: AssetID, _ changing: @escaping @Sendable (inout AssetDetails) throws -> Void
    ) async throws -> AssetRecord?
    /// How an asset's link is downloaded; `nil` once it can be retried no more, and where nothing was said of it.
    func download(of id: AssetID) async throws -> DownloadDetails?
    /// What the bytes of some digests are in, of those that assets have; asked for some thousands at once at most.
    func objects(of digests: [SHA256Digest]) async throws -> [SHA256Digest: ObjectKey]
    /// The ids of all assets whose bytes are not here, or not yet.
    func assetsWithoutContent() async throws -> Set<String>

    /// Keeps what a job's worker said; a state that is settled ends the job.
    ///
    /// - Returns: Whether the job is still its owner's: an asset may be stopped, removed or taken over meanwhile.
    func save(_ state: AssetState, of job: Job) async throws -> Bool
    /// Keeps what an asset's bytes are; `bytes` as for a new one.
    func save(_ content: StoredContent, of job: Job, bytes: ContentBytes) async throws -> ContentAdmission
    /// Takes an action: decides on the state as it is and keeps what follows, with or without a job.
    func take(
        _ action: AssetAction, on id: AssetID, key: RequestKey?,
        deciding: @escaping @Sendable (AssetRecord) throws -> AssetState
    ) async throws -> ActionOutcome

    /// The oldest job that nobody has a claim on, of contents that nobody works on.
    ///
    /// - Parameters:
    ///   - lease: Milliseconds for which the claim holds unless it is renewed.
    ///   - mostBytes: Of its content, where that is here already; `nil` for any number.
    func claim(owner: String, lease: Int64, mostBytes: Int64?) async throws -> Job?
    /// Renews all claims of an owner.
    func renew(owner: String, lease: Int64) async throws
    /// Gives back one claim.
    func giveBack(_ job: Job) async throws
    /// Gives back what an owner claimed.
    func release(owner: String) async throws
    /// Gives back what was claimed for a time that is over.
    func releaseExpired() async throws
    func owners() async throws -> [String]
    /// The jobs that are an owner's.
    func held(by owner: String) async throws -> [Int64]

    func events(after number: Int64, of asset: AssetID?, limit: Int) async throws -> EventPage
    func counts() async throws -> ServiceCounts
    /// What all contents take.
    func originalBytes() async throws -> Int64
    /// Whether what is kept can be read and written.
    func check() async throws
}

extension JobStore {
    /// What some bytes are in; `nil` where no asset has them.
    func object(of digest: SHA256Digest) async throws -> ObjectKey? { try await objects(of: [digest])[digest] }
}

struct ServiceCounts: Sendable {
    /// By the state's name.
    var states: [String: Int] = [:]
    var queued = 0
    /// When the asset changed last that waits for a worker longest, in milliseconds since 1970; `nil` where none waits.
    var oldest: Int64?
    var running = 0
}
