import GRDB

extension SQLiteSchema {
    static func uploads(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("3: uploads") { database in
            try database.execute(
                sql: """
                    CREATE TABLE uploads (
                        id TEXT PRIMARY KEY NOT NULL,
                        name TEXT NOT NULL,
                        metadata TEXT,
                        length INTEGER NOT NULL,
                        received INTEGER NOT NULL,
                        expires INTEGER NOT NULL,
                        phase INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX uploadsByExpiry ON uploads (expires);
                    """)
        }
    }
}
