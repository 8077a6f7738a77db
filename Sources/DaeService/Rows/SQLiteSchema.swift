import GRDB

/// The tables, as they came to be: a migration that was released never changes.
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in migrations { migrator.registerMigration(name) { try $0.execute(sql: sql) } }
        return migrator
    }

    private static let migrations = [
        (
            "1: assets, jobs, events",
            """
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
            """
        ),
        // Who may do what, and which requests were answered already.
        (
            "2: tokens, request keys",
            """
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
            """
        ),
        (
            "3: uploads",
            """
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
            """
        ),
        // Which requests were done, kept with what they did.
        (
            "4: requests that were done",
            """
            ALTER TABLE requestKeys ADD COLUMN once TEXT;
            CREATE TABLE doneOnce (
                once TEXT PRIMARY KEY NOT NULL,
                what TEXT NOT NULL,
                asset TEXT NOT NULL,
                at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX doneOnceByAge ON doneOnce (at);
            """
        ),
        // What all contents take, kept by the database itself, and whose the links are.
        (
            "5: totals, owners of assets",
            """
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
            """
        ),
        // Keys of requests, each with what its request did. Those of before are forgotten: they hold for a day.
        (
            "6: request keys with what was done",
            """
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
            """
        ),
        // Which request made a job, for the log.
        ("7: traces of jobs", "ALTER TABLE jobs ADD COLUMN trace TEXT;"),
        // What clients say of assets, and what each token has here and may have: counted by the database itself.
        (
            "8: labels, expiries, quotas",
            """
            ALTER TABLE assets ADD COLUMN expires INTEGER;
            CREATE INDEX assetsByExpiry ON assets (expires) WHERE expires IS NOT NULL;
            CREATE INDEX assetsByName ON assets (name);
            CREATE TABLE assetLabels (
                asset INTEGER NOT NULL REFERENCES assets (number) ON DELETE CASCADE,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (asset, name)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX assetLabelsByValue ON assetLabels (name, value, asset);
            CREATE INDEX assetLabelsByName ON assetLabels (name, asset);
            CREATE TABLE assetDownloads (
                asset TEXT PRIMARY KEY NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
                details TEXT NOT NULL
            ) STRICT;
            ALTER TABLE uploads ADD COLUMN addedBy TEXT;
            CREATE INDEX uploadsByOwner ON uploads (addedBy) WHERE phase = 0;
            ALTER TABLE tokens ADD COLUMN expires INTEGER;
            ALTER TABLE tokens ADD COLUMN assetLimit INTEGER;
            ALTER TABLE tokens ADD COLUMN byteLimit INTEGER;
            ALTER TABLE tokens ADD COLUMN requestLimit INTEGER;
            CREATE TABLE tokenRequests (
                token TEXT PRIMARY KEY NOT NULL,
                day INTEGER NOT NULL,
                requests INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE usage (
                owner TEXT PRIMARY KEY NOT NULL,
                assets INTEGER NOT NULL,
                bytes INTEGER NOT NULL
            ) STRICT;
            INSERT INTO usage
                SELECT addedBy, count(*), coalesce(sum(bytes), 0) FROM assets LEFT JOIN contents USING (sha256)
                WHERE addedBy IS NOT NULL GROUP BY addedBy;
            CREATE TRIGGER assetCame AFTER INSERT ON assets WHEN NEW.addedBy IS NOT NULL BEGIN
                INSERT INTO usage
                    VALUES (NEW.addedBy, 1, coalesce((SELECT bytes FROM contents WHERE sha256 = NEW.sha256), 0))
                    ON CONFLICT (owner) DO UPDATE SET assets = assets + 1, bytes = bytes + excluded.bytes;
                END;
            CREATE TRIGGER assetChanged AFTER UPDATE OF sha256 ON assets WHEN NEW.addedBy IS NOT NULL BEGIN
                UPDATE usage SET bytes = usage.bytes
                    + coalesce((SELECT bytes FROM contents WHERE sha256 = NEW.sha256), 0)
                    - coalesce((SELECT bytes FROM contents WHERE sha256 = OLD.sha256), 0)
                    WHERE owner = NEW.addedBy;
                END;
            CREATE TRIGGER assetWent AFTER DELETE ON assets WHEN OLD.addedBy IS NOT NULL BEGIN
                UPDATE usage SET assets = assets - 1,
                    bytes = usage.bytes - coalesce((SELECT bytes FROM contents WHERE sha256 = OLD.sha256), 0)
                    WHERE owner = OLD.addedBy;
                END;
            """
        ),
        // Who is told of assets, and what there is still to be told.
        (
            "9: webhooks",
            """
            CREATE TABLE webhooks (
                name TEXT PRIMARY KEY NOT NULL,
                url TEXT NOT NULL,
                secret TEXT NOT NULL,
                events TEXT NOT NULL,
                labels TEXT NOT NULL,
                created INTEGER NOT NULL,
                taken INTEGER NOT NULL,
                dropped INTEGER NOT NULL DEFAULT 0,
                fault TEXT,
                parked INTEGER
            ) STRICT;
            CREATE TABLE deliveries (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                hook TEXT NOT NULL REFERENCES webhooks (name) ON DELETE CASCADE,
                asset TEXT NOT NULL,
                body TEXT NOT NULL,
                created INTEGER NOT NULL,
                due INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX deliveriesByDue ON deliveries (hook, due);
            CREATE INDEX deliveriesByAsset ON deliveries (hook, asset, number);
            """
        ),
        // Which object has the bytes; none is named of those that older versions kept under their digest alone.
        ("10: objects of contents", "ALTER TABLE contents ADD COLUMN object TEXT;"),
        // Who is signed in. What was ended stays until it would have expired: whoever has a stream hears of it.
        (
            "11: sessions",
            """
            CREATE TABLE sessions (
                digest TEXT PRIMARY KEY NOT NULL,
                token TEXT NOT NULL,
                began INTEGER NOT NULL,
                expires INTEGER NOT NULL,
                ended INTEGER
            ) STRICT;
            CREATE INDEX sessionsByToken ON sessions (token, began);
            CREATE INDEX sessionsByExpiry ON sessions (expires);
            """
        ),
        // Where all of this came from, if it came from another installation, and how far that is.
        (
            "12: transfers",
            """
            CREATE TABLE transfers (
                source TEXT PRIMARY KEY NOT NULL,
                progress TEXT NOT NULL,
                ended INTEGER
            ) STRICT;
            """
        ),
        // Which process takes pieces of an upload: the last that held it, as long as its lease lasts.
        (
            "13: leases of uploads",
            """
            ALTER TABLE uploads ADD COLUMN holds INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE uploads ADD COLUMN heldUntil INTEGER;
            """
        ),
        // Which claims of a job came before its bytes were handed over, and what one node is asked for that others make.
        (
            "14: nodes with some of the tasks",
            """
            ALTER TABLE jobs ADD COLUMN handed INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE derivations (
                key TEXT PRIMARY KEY NOT NULL,
                asset TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
                task TEXT NOT NULL,
                folder TEXT,
                asked INTEGER NOT NULL,
                owner TEXT,
                claimedUntil INTEGER,
                claims INTEGER NOT NULL DEFAULT 0,
                outcome TEXT
            ) STRICT, WITHOUT ROWID;
            """
        ),
    ]
}
