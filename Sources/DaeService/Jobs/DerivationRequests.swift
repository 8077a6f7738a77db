import Daedalus

/// What a node is asked for and does not make itself: others, which share its database and its store, take it from here. Rows
/// live as long as somebody waits, and a minute more.
struct DerivationRequests: Sendable {
    let database: any RowDatabase

    /// Milliseconds for which a claim holds unless it is renewed, and for which a row stays that nobody is at.
    private static let (lease, kept): (Int64, Int64) = (15_000, 60_000)
    /// Times that one is begun: what ends each node that makes it must not end all.
    private static let mostClaims = 5

    enum Status: Sendable {
        case waiting, taken
        case done(Derivations.Outcome)
    }

    struct Claimed: Sendable {
        let key: String
        let owner: String
        /// How often it was claimed, this time included.
        let claims: Int
        let task: WorkerOrder.Task
        let asset: AssetRecord
        let place: ResultPlace
    }

    // MARK: - Of those who ask

    enum Asked: Sendable {
        case kept, queueIsFull
        /// Its asset was removed.
        case assetUnknown
    }

    /// Asks for something; once for all who ask while it is not done.
    ///
    /// - Parameters: As of ``Derivations/make(_:_:of:into:)``.
    ///   - limit: Of those that are not done.
    func ask(
        _ key: String, _ task: WorkerOrder.Task, of asset: AssetID, into place: ResultPlace, limit: Int
    ) async throws -> Asked {
        try await database.write { session in
            guard try AssetRow.lock(asset, session) != nil else { return .assetUnknown }
            try session.execute("DELETE FROM derivations WHERE key = $1 AND outcome IS NOT NULL", [key])
            let others: Int? = try session.value(
                "SELECT count(*) FROM derivations WHERE outcome IS NULL AND key <> $1", [key])
            guard others ?? 0 < limit else { return .queueIsFull }
            try session.execute(
                """
                INSERT INTO derivations (key, asset, task, folder, asked) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (key) DO UPDATE SET asked = excluded.asked
                """, [key, asset.text, try StateText.text(task), place.folder, session.now()])
            try session.wake()
            return .kept
        }
    }

    /// `nil` where nobody asks for it, or its asset was removed.
    func status(of key: String) async throws -> Status? {
        try await database.row("SELECT owner, outcome FROM derivations WHERE key = $1", [key]).map { row in
            if let outcome: String = try row["outcome"] { return .done(try WrittenOutcome.read(outcome)) }
            return try row["owner"] as String? == nil ? .waiting : .taken
        }
    }

    // MARK: - Of those who make

    private static let free = "outcome IS NULL AND owner IS NULL AND claims < \(mostClaims)"

    var isAnyFree: Bool {
        get async throws {
            try await database.read { session in try session.has("SELECT 1 FROM derivations WHERE \(Self.free)") }
        }
    }

    /// What was asked for first of all that nobody is at.
    func claim(owner: String) async throws -> Claimed? {
        try await database.write { session in
            let key: String? = try session.value(
                """
                SELECT key FROM derivations WHERE \(Self.free) ORDER BY asked, key LIMIT 1
                \(session.dialect.lockingFree("derivations"))
                """)
            guard let key else { return nil }
            let row = try session.row(
                """
                UPDATE derivations SET owner = $1, claimedUntil = $2, claims = claims + 1 WHERE key = $3
                RETURNING asset, task, folder, claims
                """, [owner, session.now() + Self.lease, key])
            // What this node cannot read is its for a lease, so that it takes what stands behind it; others try after that.
            guard let row, let id = AssetID(try row["asset"]), let asset = (try? AssetRow.fetch(id, session)) ?? nil,
                let content = asset.content, let task = try? StateText.read(WorkerOrder.Task.self, row["task"])
            else { return nil }
            return Claimed(
                key: key, owner: owner, claims: try row["claims"], task: task, asset: asset,
                place: ResultPlace(content: content.key, folder: try row["folder"]))
        }
    }

    func renew(_ claimed: Claimed) async throws {
        try await database.write { session in
            try session.execute(
                """
                UPDATE derivations SET claimedUntil = $1
                WHERE key = $2 AND owner = $3 AND claims = $4 AND outcome IS NULL
                """, [session.now() + Self.lease, claimed.key, claimed.owner, claimed.claims])
        }
    }

    /// Says what came of it, unless it is another's by now.
    func finish(_ claimed: Claimed, _ outcome: Derivations.Outcome) async throws {
        let text = try WrittenOutcome.text(outcome)
        try await database.write { session in
            try session.execute(
                "UPDATE derivations SET outcome = $1, claimedUntil = $2 WHERE key = $3 AND owner = $4 AND claims = $5",
                [text, session.now(), claimed.key, claimed.owner, claimed.claims])
            try session.wake()
        }
    }

    /// Gives back what an owner claimed.
    func release(owner: String) async throws {
        try await database.write { session in
            // A stop is no failure of what was being made.
            try session.execute(
                "UPDATE derivations SET owner = NULL, claims = claims - 1 WHERE owner = $1 AND outcome IS NULL", [owner]
            )
            try session.wake()
        }
    }

    /// Gives back what was claimed for a time that is over, and forgets what nobody waits for any more.
    func sweep() async throws {
        try await database.write { session in
            let now = try session.now()
            try session.execute(
                "UPDATE derivations SET owner = NULL WHERE claimedUntil < $1 AND outcome IS NULL AND owner IS NOT NULL",
                [now])
            // What was begun too often may be asked for anew then, however often it is asked for.
            try session.execute(
                """
                DELETE FROM derivations WHERE coalesce(claimedUntil, asked) < $1
                    AND (asked < $1 OR outcome IS NULL AND owner IS NULL AND claims >= \(Self.mostClaims))
                """, [now - Self.kept])
        }
    }
}

/// An outcome as a row has it.
private struct WrittenOutcome: Codable {
    let kind: Kind
    var code: String?
    var message = ""

    enum Kind: String, Codable {
        case made, failed, died
    }

    /// Of one that came of making it.
    static func text(_ outcome: Derivations.Outcome) throws -> String {
        let written: WrittenOutcome =
            switch outcome {
            case .made: WrittenOutcome(kind: .made)
            case .failed(let code, let message):
                WrittenOutcome(kind: .failed, code: code?.rawValue, message: message)
            case .died(let reason):
                WrittenOutcome(kind: .died, code: reason.code.rawValue, message: reason.message)
            case .queueIsFull, .notTaken, .assetUnknown: WrittenOutcome(kind: .failed, message: "It was not made.")
            }
        return try StateText.text(written)
    }

    static func read(_ text: String) throws -> Derivations.Outcome {
        let written = try StateText.read(WrittenOutcome.self, text)
        let code = written.code.flatMap { FindingCode(rawValue: $0) }
        switch written.kind {
        case .made: return .made
        case .failed: return .failed(code, written.message)
        case .died: return .died(AssetState.Reason(code ?? .workerLost, written.message))
        }
    }
}
