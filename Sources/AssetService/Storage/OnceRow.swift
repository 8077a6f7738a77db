import Daedalus
import GRDB

/// What was done for requests that may be sent again: written in the transaction that does it.
enum OnceRow {
    /// The asset that it was done to; `nil` where it was not done yet.
    ///
    /// - Parameter what: The request's own words: one that asks for something else is refused.
    static func asset(_ once: OnceID?, _ what: String, _ database: Database) throws -> AssetID? {
        guard let once,
            let row = try Row.fetchOne(database, sql: "SELECT * FROM doneOnce WHERE once = ?", arguments: [once.text])
        else { return nil }
        let (done, asset): (String, String) = (row["what"], row["asset"])
        guard done == what else { throw OnceError.anotherRequest }
        return AssetID(asset)
    }

    static func isDone(_ once: OnceID, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM doneOnce WHERE once = ?)", arguments: [once.text]) ?? false
    }

    static func keep(_ once: OnceID?, _ what: String, _ asset: AssetID, at: Int64, _ database: Database) throws {
        guard let once else { return }
        // Nobody can ask for them any more.
        try database.execute(sql: "DELETE FROM doneOnce WHERE at < ?", arguments: [at - 2 * KeyedRequest.lifetime])
        try database.execute(
            sql: "INSERT INTO doneOnce (once, what, asset, at) VALUES (?, ?, ?, ?)",
            arguments: [once.text, what, asset.text, at])
    }
}
