// Originals are linked before the database is copied and once more after it: one that is removed in between is there
// already, and one that comes in between is there by then. What came and went in between is told by the database alone,
// and goes from the copy.

import ArgumentParser
import DaeCore
import Daedalus
import GRDB

/// Makes a copy of all that is kept which a service can be started on.
private struct Backup {
    let source: ServiceFolder
    /// Appears when it is whole.
    let target: String

    struct Count: Sendable {
        var assets = 0
        var originals = 0
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
        /// Of sysexits.h.
        let exitCode: Int32
    }

    func run() throws(Fault) -> Count {
        guard access(source.database, R_OK) == 0 else {
            throw Fault(description: "\(source.path): no daed.sqlite is in it", exitCode: 66)
        }
        guard FileMetadata(target) == nil else {
            throw Fault(description: "\(target): it is there already", exitCode: 73)
        }
        let place = target + "." + AssetID.random().text
        do {
            let count = try copy(to: ServiceFolder(path: place))
            // What came meanwhile stays, unless it is an empty folder.
            guard rename(place, target) == 0 else { throw StorageError(target, errno) }
            try Durable.sync(folderOf: target)
            return count
        } catch {
            ServiceFolder.remove(place)
            throw Fault(description: "\(error)", exitCode: 73)
        }
    }

    private func copy(to copy: ServiceFolder) throws -> Count {
        try copy.prepare()
        for group in ServiceFolder.names(in: source.blobs) {
            for name in ServiceFolder.names(in: "\(source.blobs)/\(group)") {
                guard let key = ObjectKey("blobs/\(group)/\(name)"), key.origin != nil else { continue }
                _ = try link(key, to: copy)
            }
        }
        let count = try database(to: copy)
        for group in ServiceFolder.names(in: copy.blobs) { try Durable.sync("\(copy.blobs)/\(group)") }
        for folder in [copy.blobs, copy.path] { try Durable.sync(folder) }
        return count
    }

    private func database(to copy: ServiceFolder) throws -> Count {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let original = try DatabaseQueue(path: source.database, configuration: configuration)
        let queue = try DatabaseQueue(path: copy.database)
        // All pages in one step, as one reader sees them.
        try original.backup(to: queue)
        let count = try queue.write { database in
            var kept: Set<ObjectKey> = []
            for row in try Row.fetchAll(database, sql: "SELECT * FROM contents") {
                let hex: String = row["sha256"]
                let key = try SHA256Digest(hex: hex).map { try AssetRow.object(of: $0, row["object"]) }
                if let key, try link(key, to: copy) {
                    kept.insert(key)
                } else {
                    try database.execute(sql: "DELETE FROM assets WHERE sha256 = ?", arguments: [hex])
                    try database.execute(sql: "DELETE FROM contents WHERE sha256 = ?", arguments: [hex])
                }
            }
            try unneeded(kept, copy)
            try database.execute(sql: "UPDATE jobs SET owner = NULL, claimedUntil = NULL")
            // The service that was copied sends them.
            try database.execute(sql: "DELETE FROM deliveries")
            return Count(
                assets: try Int.fetchOne(database, sql: "SELECT count(*) FROM assets") ?? 0, originals: kept.count)
        }
        try queue.close()
        try Durable.sync(copy.database)
        return count
    }

    /// Removes what was linked before its row went.
    private func unneeded(_ kept: Set<ObjectKey>, _ copy: ServiceFolder) throws {
        let kept = Set(kept.map(\.text))
        for group in ServiceFolder.names(in: copy.blobs) {
            for name in ServiceFolder.names(in: "\(copy.blobs)/\(group)")
            where !kept.contains("blobs/\(group)/\(name)") {
                unlink("\(copy.blobs)/\(group)/\(name)")
            }
        }
    }

    /// Whether an original is in the copy; it never changes, so that a link is as good as a copy.
    private func link(_ key: ObjectKey, to copy: ServiceFolder) throws -> Bool {
        let (from, to) = ("\(source.path)/\(key)", "\(copy.path)/\(key)")
        if access(to, F_OK) == 0 { return true }
        guard access(from, R_OK) == 0 else { return false }
        try ServiceFolder.make(FolderReading.folder(of: to))
        if DaeCore.link(from, to) == 0 { return true }
        do { try FileCopy.copy(from, to: to) } catch {
            // It was removed just now.
            if access(from, F_OK) != 0 { return false }
            throw error
        }
        try Durable.sync(to)
        return true
    }
}

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy all that is kept, as it is at one moment; the service may run meanwhile.",
        discussion: """
            `daed serve --data TARGET` serves the copy. Originals are hard links where the disk is the same. Results \
            are not copied: they are made again when they are asked for.
            """)

    @Argument(help: ArgumentHelp("A folder that is not there yet.", valueName: "target"))
    var target: String
    @OptionGroup var data: DataOptions

    func run() async throws {
        let settings = try data.settings()
        guard settings.isOfOneFolder else {
            // Bytes without rows do no harm; rows without bytes do.
            let rows = settings.database == "sqlite" ? "daed.sqlite with sqlite3's .backup" : "PostgreSQL with pg_dump"
            let bytes =
                settings.store == "folder"
                ? "the folder blobs before it and after" : "let the bucket keep versions of its objects"
            complain("backup copies SQLite and a folder; copy \(rows), and \(bytes); or use 'daed export'")
            throw ExitCode(64)
        }
        let backup = Backup(source: ServiceFolder(path: settings.data), target: target)
        let count: Backup.Count
        do { count = try backup.run() } catch {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
        print("\(target): \(count.assets) assets, \(count.originals) originals")
    }
}
