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
        requestKeys(&migrator)
        return migrator
    }
}

extension SQLiteSchema {
    /// Who may do what, and which requests were answered already.
    private static func registerAccess(_ migrator: inout DatabaseMigrator) {
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

extension SQLiteSchema {
    /// Which requests were done, kept with what they did.
    private static func doneOnce(_ migrator: inout DatabaseMigrator) {
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

extension SQLiteSchema {
    /// What all contents take, kept by the database itself, and whose the links are.
    private static func totals(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("5: totals, owners of assets") { database in
            try database.execute(
                sql: """
                    CREATE TABLE totals (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        originals INTEGER NOT NULL,
                        checked INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO totals SELECT 1, coalesce(sum(bytes), 0), 0 FROM contents;
                    CREATE TRIGGER contentsCame AFTER INSERT ON contents
                        BEGIN UPDATE totals SET originals = originals + NEW.bytes; END;
                    CREATE TRIGGER contentsWent AFTER DELETE ON contents
                        BEGIN UPDATE totals SET originals = originals - OLD.bytes; END;
                    ALTER TABLE assets ADD COLUMN addedBy TEXT;
                    """)
        }
    }
}

extension SQLiteSchema {
    /// Keys of requests, each with what its request did. Those of before are forgotten: they hold for a day.
    private static func requestKeys(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("6: request keys with what was done") { database in
            try database.execute(
                sql: """
                    DROP TABLE doneOnce;
                    DROP TABLE requestKeys;
                    CREATE TABLE requestKeys (
                        client TEXT NOT NULL,
                        key TEXT NOT NULL,
                        what TEXT NOT NULL,
                        asset TEXT NOT NULL,
                        at INTEGER NOT NULL,
                        PRIMARY KEY (client, key)
                    ) STRICT;
                    CREATE INDEX requestKeysByAge ON requestKeys (at);
                    """)
        }
    }
}
