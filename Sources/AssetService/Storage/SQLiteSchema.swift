import GRDB

/// The tables, as they came to be: a migration that was released never changes.
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: assets, jobs, events") { database in
            try database.execute(
                sql: """
                    CREATE TABLE contents (
                        sha256 TEXT PRIMARY KEY NOT NULL,
                        bytes INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE assets (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        name TEXT NOT NULL,
                        url TEXT,
                        sha256 TEXT REFERENCES contents (sha256),
                        contentName TEXT,
                        contentKey TEXT,
                        stateName TEXT NOT NULL,
                        state TEXT NOT NULL,
                        created INTEGER NOT NULL,
                        changed INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX assetsByContent ON assets (sha256);
                    CREATE INDEX assetsByState ON assets (stateName);
                    CREATE TABLE jobs (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        asset TEXT NOT NULL UNIQUE REFERENCES assets (id) ON DELETE CASCADE,
                        owner TEXT,
                        claimedUntil INTEGER,
                        claims INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE TABLE events (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        asset TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        data TEXT NOT NULL,
                        at INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX eventsByAsset ON events (asset, number);
                    """)
        }
        registerAccess(&migrator)
        uploads(&migrator)
        doneOnce(&migrator)
        totals(&migrator)
        return migrator
    }
}
