import GRDB

extension SQLiteSchema {
    /// Who may do what, and which requests were answered already.
    static func registerAccess(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("2: tokens, request keys") { database in
            try database.execute(
                sql: """
                    CREATE TABLE tokens (
                        id TEXT PRIMARY KEY NOT NULL,
                        name TEXT NOT NULL,
                        scope TEXT NOT NULL,
                        digest TEXT NOT NULL,
                        created INTEGER NOT NULL,
                        revoked INTEGER
                    ) STRICT;
                    CREATE UNIQUE INDEX tokensByName ON tokens (name) WHERE revoked IS NULL;
                    CREATE TABLE signingKeys (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        secret TEXT NOT NULL,
                        created INTEGER NOT NULL,
                        retired INTEGER
                    ) STRICT;
                    CREATE TABLE requestKeys (
                        client TEXT NOT NULL,
                        key TEXT NOT NULL,
                        line TEXT NOT NULL,
                        begun INTEGER NOT NULL,
                        workedUntil INTEGER NOT NULL,
                        digest TEXT,
                        status INTEGER,
                        location TEXT,
                        type TEXT,
                        body TEXT,
                        PRIMARY KEY (client, key)
                    ) STRICT;
                    CREATE INDEX requestKeysByAge ON requestKeys (begun);
                    """)
        }
    }
}
