import Daedalus

/// Quotas of tokens and what they have, as rows of the database.
enum QuotaRow {
    /// What a token may have and has.
    ///
    /// - Parameter id: An upload that does not count.
    static func usage(of owner: String, besides id: AssetID?, on day: Int64, _ session: SQLSession) throws -> TokenUsage
    {
        let row = try session.row(
            """
            SELECT CAST(sum(assets) AS bigint) AS assets, CAST(sum(bytes) AS bigint) AS bytes, (
                SELECT requests FROM tokenRequests WHERE token = $1 AND day = $2) AS requests
            FROM (
                SELECT assets, bytes FROM usage WHERE owner = $1
                UNION ALL SELECT count(*), CAST(coalesce(sum(length), 0) AS bigint) FROM uploads
                WHERE addedBy = $1 AND phase = 0 AND id <> $3
                    AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = uploads.id)) AS parts
            """, [owner, day, id?.text ?? ""])
        let limits = try session.row("SELECT * FROM tokens WHERE id = $1", [owner])
        return TokenUsage(
            quota: try limits.map(quota) ?? TokenQuota(), assets: try row?["assets"] ?? 0,
            bytes: try row?["bytes"] ?? 0,
            requests: try row?["requests"] ?? 0)
    }

    static func quota(_ row: SQLRow) throws -> TokenQuota {
        TokenQuota(
            assets: try row["assetLimit"], bytes: try row["byteLimit"], requests: try row["requestLimit"])
    }

    /// Refuses an asset or an upload that is more than its owner may have.
    ///
    /// - Parameter bytes: Of its file; `nil` where they are not known yet, but some will come.
    static func check(_ owner: String?, _ id: AssetID, adding bytes: Int64?, _ session: SQLSession) throws {
        guard let owner, !owner.isEmpty else { return }
        guard try lock(owner, session) else { return }
        try usage(of: owner, besides: id, on: 0, session).check(adding: bytes ?? 1)
    }

    /// Refuses the bytes of an asset that is counted already: others may have come while they were on their way.
    static func check(bytes: Int64, of owner: String?, _ session: SQLSession) throws {
        guard let owner, !owner.isEmpty else { return }
        guard try lock(owner, session) else { return }
        let usage = try usage(of: owner, besides: nil, on: 0, session)
        guard let allowed = usage.quota.bytes else { return }
        guard bytes <= allowed - usage.bytes else {
            throw QuotaFault(kind: .bytes, used: usage.bytes, allowed: allowed)
        }
    }

    /// Whether a token has a quota; nobody else adds to what is held against it until the transaction ends.
    private static func lock(_ owner: String, _ session: SQLSession) throws -> Bool {
        try session.row(
            """
            SELECT id FROM tokens WHERE id = $1 AND (assetLimit IS NOT NULL OR byteLimit IS NOT NULL)
            \(session.dialect.locking("tokens"))
            """, [owner]) != nil
    }
}
