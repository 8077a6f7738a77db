import GRDB

extension SQLiteSchema {
    /// What all contents take, kept by the database itself, and whose the links are.
    static func totals(_ migrator: inout DatabaseMigrator) {
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
