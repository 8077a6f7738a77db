import DaeCore
import Daedalus

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

/// Keys of requests that may be sent again, each kept in the transaction that does what its request asks for.
enum RequestKeyRow {
    static func fetch(_ key: RequestKey, at now: Int64, _ session: SQLSession) throws -> SQLRow? {
        try session.row(
            "SELECT what, asset FROM requestKeys WHERE client = $1 AND key = $2 AND at >= $3",
            [key.client, key.text, now - RequestKey.lifetime])
    }

    /// The asset that a request with this key did something to; `nil` where there was none.
    ///
    /// - Parameter what: What is asked for: a key that came with something else is refused.
    static func asset(_ key: RequestKey?, _ what: String, at now: Int64, _ session: SQLSession) throws -> AssetID? {
        guard let key, let row = try fetch(key, at: now, session) else { return nil }
        let (digest, asset): (String, String) = (try row["what"], try row["asset"])
        guard digest == Self.digest(what) else { throw RequestKeyError.anotherRequest }
        return AssetID(asset)
    }

    static func keep(
        _ key: RequestKey?, _ what: String, _ asset: AssetID, at now: Int64, _ session: SQLSession
    ) throws {
        guard let key else { return }
        try session.execute("DELETE FROM requestKeys WHERE at < $1", [now - RequestKey.lifetime])
        try session.execute(
            """
            DELETE FROM requestKeys WHERE at < (SELECT at FROM requestKeys ORDER BY at DESC LIMIT 1 OFFSET $1)
            """, [RequestKey.limit - 2])
        try session.execute(
            "INSERT INTO requestKeys (client, key, what, asset, at) VALUES ($1, $2, $3, $4, $5)",
            [key.client, key.text, digest(what), asset.text, now])
    }

    /// All that is kept of what was asked for: an address may be a secret, and outlive its asset here.
    private static func digest(_ what: String) -> String { SHA256Digest(hashing: Array(what.utf8)).hex }
}
