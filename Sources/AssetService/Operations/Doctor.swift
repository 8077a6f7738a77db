// A service may be running on the same folder: what is removed is looked at again while nobody else can write rows, and
// what is on its way belongs to a process whose lock tells that it lives.

import Daedalus
import FileMetadata
import GRDB
import Glibc

/// Looks whether all that is kept fits together, and mends what can be mended.
struct Doctor {
    let folder: ServiceFolder
    /// Reads all originals, and not their sizes alone.
    let depth: Depth
    let goal: Goal
    let free: Int64

    enum Depth {
        case shallow, deep
    }

    enum Goal {
        case look, repair
    }

    /// Why nothing can be said.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
        /// Of sysexits.h.
        let exitCode: Int32
    }

    func examine() throws(Unusable) -> DoctorReport {
        guard ServiceFolder.isFolder(folder.path) else {
            throw Unusable(description: "\(folder.path): there is no such folder", exitCode: 66)
        }
        guard access(folder.path, R_OK | W_OK | X_OK) == 0 else {
            throw Unusable(description: "\(folder.path): it may not be read and written", exitCode: 77)
        }
        guard access(folder.database, F_OK) == 0 else {
            throw Unusable(description: "\(folder.path): no daed.sqlite is in it", exitCode: 66)
        }
        var report = DoctorReport()
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            let database = try DatabaseQueue(path: folder.database, configuration: configuration)
            try databaseItself(database, &report)
            guard report.isHealthy else { return report }
            try blobs(database, &report)
            try results(database, &report)
            leftovers(&report)
            try claims(database, &report)
            permissions(&report)
            freeDisk(&report)
        } catch { throw Unusable(description: "\(folder.database): \(error)", exitCode: 74) }
        return report
    }

    // MARK: - The database

    private func databaseItself(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let restore = "Restore a backup (`daed backup`), or let `sqlite3 daed.sqlite .recover` save what it can."
        let faults = try queue.read { database in
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            let keys = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
                let (table, number): (String, Int64?) = (row["table"], row["rowid"])
                return "row \(number ?? 0) of \(table) refers to nothing"
            }
            return integrity + keys
        }
        for fault in faults {
            report.findings.append(.init(check: .database, subject: "daed.sqlite", text: fault + ".", advice: restore))
        }
        let migrator = SQLiteSchema.migrator
        let (isNewer, isComplete) = try queue.read {
            (try migrator.hasBeenSuperseded($0), try migrator.hasCompletedMigrations($0))
        }
        if isNewer {
            report.findings.append(
                .init(
                    check: .version, subject: "daed.sqlite", text: "A newer daed made it.", advice: "Use that daed."))
        } else if !isComplete {
            report.findings.append(
                .init(
                    check: .version, subject: "daed.sqlite", text: "An older daed made it.",
                    advice: "Start `daed serve` once: it brings the tables up to date."))
        }
    }

    private func claims(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let owners = try queue.read {
            try String.fetchAll($0, sql: "SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
        }
        for owner in owners where OwnerLock.isGone(owner, folder) {
            var finding = DoctorFinding(
                check: .deadClaim, subject: owner, text: "A process that is gone holds jobs.",
                advice: "The next `daed serve` takes them over; --repair frees them now.")
            if goal == .repair {
                try queue.write {
                    try $0.execute(
                        sql: "UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE owner = ?", arguments: [owner])
                }
                finding.outcome = .repaired
            }
            report.findings.append(finding)
        }
    }

    // MARK: - Files

    private func leftovers(_ report: inout DoctorReport) {
        for name in OwnerLock.strays(folder) {
            var finding = DoctorFinding(
                check: .leftover, subject: "uploads/\(name)", text: "A process that is gone left it on its way.",
                advice: "The next `daed serve` removes it; --repair does now.")
            if goal == .repair {
                ServiceFolder.discard("\(folder.uploads)/\(name)")
                finding.outcome = .repaired
            }
            report.findings.append(finding)
        }
        let now = AssetOperations.Instant.systemTime() / 1000
        for file in ResultFile.all(folder) where file.isAbandoned(now) {
            var finding = DoctorFinding(
                check: .leftover, subject: below(file.path), text: "It was never finished.",
                advice: "The service removes it in time; --repair does now.")
            if goal == .repair, unlink(file.path) == 0 { finding.outcome = .repaired }
            report.findings.append(finding)
        }
    }

    private func permissions(_ report: inout DoctorReport) {
        for path in [folder.path, folder.blobs, folder.results, folder.uploads, folder.owners, folder.database] {
            guard let metadata = FileMetadata(path) else { continue }
            if metadata.owner != geteuid(), geteuid() != 0 {
                report.findings.append(
                    .init(
                        check: .permissions, subject: below(path), text: "It belongs to user \(metadata.owner).",
                        advice: "Run daed as that user, or give it the files by chown."))
            } else if metadata.permissions & 0o077 != 0, path == folder.path || path == folder.blobs {
                // What is below a folder that is closed is closed.
                var finding = DoctorFinding(
                    check: .permissions, subject: below(path),
                    text: "Other users may get in (mode \(String(metadata.permissions, radix: 8))).",
                    advice: "chmod 700 closes it; --repair does.")
                if goal == .repair, chmod(path, 0o700) == 0 { finding.outcome = .repaired }
                report.findings.append(finding)
            }
        }
    }

    private func freeDisk(_ report: inout DoctorReport) {
        let left = DiskGuard.free(folder.path)
        guard left < free else { return }
        report.findings.append(
            .init(
                check: .freeDisk, subject: ".", text: "\(left) bytes are free, fewer than \(free).",
                advice: "Remove assets, set --disk-limit, or give it a larger disk."))
    }

    /// A path as seen from the data folder.
    func below(_ path: String) -> String {
        path == folder.path ? "." : String(path.dropFirst(folder.path.utf8.count + 1))
    }
}
