import Daedalus
import GRDB

/// What was done for requests that may be sent again: written in the transaction that does it.
enum OnceRow {
    /// The asset that it was done to; `nil` where it was not done yet.
    static func asset(of once: OnceID?, _ database: Database) throws -> AssetID? {
        guard let once else { return nil }
        return try String.fetchOne(
            database, sql: "SELECT asset FROM doneOnce WHERE once = ?", arguments: [once.text]
        ).flatMap { AssetID($0) }
    }

    static func keep(_ once: OnceID?, _ asset: AssetID, at: Int64, _ database: Database) throws {
        guard let once else { return }
        // Nobody can ask for them any more.
        try database.execute(sql: "DELETE FROM doneOnce WHERE at < ?", arguments: [at - 2 * KeyedRequest.lifetime])
        try database.execute(
            sql: "INSERT INTO doneOnce (once, asset, at) VALUES (?, ?, ?)", arguments: [once.text, asset.text, at])
    }
}
