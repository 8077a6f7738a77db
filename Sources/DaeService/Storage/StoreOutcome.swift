// What came of what was asked of a store.

import DaeCore
import Daedalus

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
    /// Another process has the upload by now, or it was finished.
    case notHeld
    /// Nothing was kept: no asset has equal bytes any more, and none were put for this one.
    case lacksBytes

    var put: PutOutcome {
        switch self {
        case .added(let put): put
        case .wasAdded, .queueIsFull, .notHeld: .unneeded
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
