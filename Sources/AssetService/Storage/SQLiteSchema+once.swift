import GRDB

extension SQLiteSchema {
    /// Which requests were done, kept with what they did.
    static func doneOnce(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("4: requests that were done") { database in
            try database.execute(
                sql: """
                    ALTER TABLE requestKeys ADD COLUMN once TEXT;
                    CREATE TABLE doneOnce (
                        once TEXT PRIMARY KEY NOT NULL,
                        what TEXT NOT NULL,
                        asset TEXT NOT NULL,
                        at INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX doneOnceByAge ON doneOnce (at);
                    """)
        }
    }
}
