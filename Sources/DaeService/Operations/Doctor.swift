// A service may be running on the same folder: what is removed is looked at again, and what is on its way belongs to a
// process whose lock tells that it lives.

import ArgumentParser
import DaeCore
import Daedalus
import GRDB

/// Looks whether all that is kept fits together, and mends what can be mended.
private struct Doctor {
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
            report.add(.database, "daed.sqlite", fault + ".", restore)
        }
        let migrator = SQLiteSchema.migrator
        let (isNewer, isComplete) = try queue.read {
            (try migrator.hasBeenSuperseded($0), try migrator.hasCompletedMigrations($0))
        }
        if isNewer {
            report.add(.version, "daed.sqlite", "A newer daed made it.", "Use that daed.")
        } else if !isComplete {
            report.add(
                .version, "daed.sqlite", "An older daed made it.",
                "Start `daed serve` once: it brings the tables up to date.")
        }
    }

    private func claims(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let owners = try queue.read {
            try String.fetchAll($0, sql: "SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
        }
        for owner in owners where OwnerLock.isGone(owner, folder) {
            if goal == .repair {
                try queue.write {
                    try $0.execute(
                        sql: "UPDATE jobs SET owner = NULL, claimedUntil = NULL WHERE owner = ?", arguments: [owner])
                }
            }
            report.add(
                .deadClaim, owner, "A process that is gone holds jobs.",
                "The next `daed serve` takes them over; --repair frees them now.", isRepaired: goal == .repair)
        }
    }

    // MARK: - Files

    private func leftovers(_ report: inout DoctorReport) {
        for name in OwnerLock.strays(folder) {
            if goal == .repair { ServiceFolder.discard("\(folder.uploads)/\(name)") }
            report.add(
                .leftover, "uploads/\(name)", "A process that is gone left it on its way.",
                "The next `daed serve` removes it; --repair does now.", isRepaired: goal == .repair)
        }
        let now = AssetOperations.Instant.systemTime() / 1000
        for file in EvictableResults(folder: folder).all() where file.isAbandoned(now) {
            report.add(
                .leftover, below(file.path), "It was never finished.",
                "The service removes it in time; --repair does now.",
                isRepaired: goal == .repair && unlink(file.path) == 0)
        }
    }

    private func permissions(_ report: inout DoctorReport) {
        for path in [folder.path, folder.blobs, folder.results, folder.uploads, folder.owners, folder.database] {
            guard let metadata = FileMetadata(path) else { continue }
            if metadata.owner != geteuid(), geteuid() != 0 {
                report.add(
                    .permissions, below(path), "It belongs to user \(metadata.owner).",
                    "Run daed as that user, or give it the files by chown.")
            } else if metadata.permissions & 0o077 != 0, path == folder.path || path == folder.blobs {
                // What is below a folder that is closed is closed.
                report.add(
                    .permissions, below(path),
                    "Other users may get in (mode \(String(metadata.permissions, radix: 8))).",
                    "chmod 700 closes it; --repair does.", isRepaired: goal == .repair && chmod(path, 0o700) == 0)
            }
        }
    }

    private func freeDisk(_ report: inout DoctorReport) {
        let left = DiskGuard.free(folder.path)
        guard left < free else { return }
        report.add(
            .freeDisk, ".", "\(left) bytes are free, fewer than \(free).",
            "Remove assets, set --disk-limit, or give it a larger disk.")
    }

    /// A path as seen from the data folder.
    func below(_ path: String) -> String {
        path == folder.path ? "." : String(path.dropFirst(folder.path.utf8.count + 1))
    }
}

extension Doctor {
    // MARK: - Originals

    /// Files and rows of contents, each held against the other.
    func blobs(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let rows = try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM contents ORDER BY sha256").compactMap { row in
                try SHA256Digest(hex: row["sha256"] as String).map { digest in
                    Original(
                        digest: digest, bytes: row["bytes"], object: try AssetRow.object(of: digest, row["object"]))
                }
            }
        }
        let known = Set(rows.map(\.object.text))
        for group in ServiceFolder.names(in: folder.blobs) {
            for name in ServiceFolder.names(in: "\(folder.blobs)/\(group)")
            where !known.contains("blobs/\(group)/\(name)") {
                try stray("blobs/\(group)/\(name)", queue, &report)
            }
        }
        for row in rows { try original(row, queue, &report) }
    }

    /// A row of contents.
    private struct Original {
        let digest: SHA256Digest
        let bytes: Int64
        let object: ObjectKey
    }

    /// - Parameter text: The path below the data folder.
    private func stray(_ text: String, _ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        if let key = ObjectKey(text), key.origin != nil, let digest = key.digest {
            let now = AssetOperations.Instant.systemTime() / 1000
            // Whoever put it may be about to add its row, or has since.
            guard FolderObjectStore(folder: folder).head(key)?.isAbandoned(.locks(folder), now: now) == true,
                try Self.object(of: digest, queue) != key
            else { return }
        }
        report.add(
            .blobWithoutRow, text, "No asset has these bytes.", "--repair removes them.",
            isRepaired: goal == .repair && unlink("\(folder.path)/\(text)") == 0)
    }

    private func original(_ row: Original, _ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let path = FolderObjectStore(folder: folder).path(row.object)
        let (digest, bytes) = (row.digest, row.bytes)
        let size = FileMetadata(path)?.size
        guard size != bytes else {
            if depth == .deep, try FileDigest.of(path) != digest {
                try damaged(row, path, .wrongDigest, "Its bytes have another SHA-256.", queue, &report)
            }
            return
        }
        let text = size.map { "It has \($0) of \(bytes) bytes." } ?? "It is not there."
        try damaged(row, path, .rowWithoutBlob, text, queue, &report)
    }

    /// An original that cannot be used: its assets fail, and those from a link may be tried again.
    private func damaged(
        _ row: Original, _ path: String, _ check: DoctorFinding.Check, _ text: String, _ queue: DatabaseQueue,
        _ report: inout DoctorReport
    ) throws {
        var isRepaired = false
        if goal == .repair {
            isRepaired = try queue.write { database in
                let (session, hex) = (SQLSession(database), row.digest.hex)
                guard try Self.isStill(row, path, check, session) else { return false }
                let rows = try session.rows(
                    "SELECT assets.*, NULL AS bytes, NULL AS labels FROM assets WHERE sha256 = $1", [hex])
                for asset in try rows.map(AssetRow.asset) { try Self.lose(asset, session) }
                try session.execute("DELETE FROM contents WHERE sha256 = $1", [hex])
                try session.finish()
                return true
            }
        }
        if isRepaired {
            FolderObjectStore(folder: folder).discardAll(ObjectKey.results(of: row.digest))
            unlink(path)
        }
        report.add(
            check, below(path), text,
            "Restore it from a backup; --repair fails its assets instead, and links can then be retried.",
            isRepaired: isRepaired)
    }

    /// Whether it is as it was seen before anybody was kept out: an asset may be removed meanwhile.
    private static func isStill(
        _ row: Original, _ path: String, _ check: DoctorFinding.Check, _ session: SQLSession
    ) throws -> Bool {
        guard try AssetRow.object(of: row.digest, session) == row.object else { return false }
        return check == .wrongDigest || FileMetadata(path)?.size != row.bytes
    }

    private static func object(of digest: SHA256Digest, _ queue: DatabaseQueue) throws -> ObjectKey? {
        try queue.read { try AssetRow.object(of: digest, SQLSession($0)) }
    }

    private static func lose(_ asset: AssetRecord, _ session: SQLSession) throws {
        let now = AssetOperations.Instant.systemTime()
        let recovery: Recovery =
            switch asset.origin {
            case .address: .resume
            case .upload: .nothing
            }
        let reason = AssetState.Reason(.ioError, "The original was lost, as `daed doctor` found.")
        var machine = AssetStateMachine(source: .url(asset.source), state: .downloading(.first))
        // The state of a later attempt than the last: those who watch take older ones for late.
        while machine.state.attempt <= asset.state.attempt {
            _ = try machine.handle(.failed(reason, .resume, attempt: machine.state.attempt))
            _ = try machine.handle(.retry)
        }
        _ = try machine.handle(.failed(reason, recovery, attempt: machine.state.attempt))
        try session.execute(
            "UPDATE assets SET sha256 = NULL, contentName = NULL, contentKey = NULL WHERE id = $1", [asset.id.text])
        try AssetRow.save(machine.state, of: asset.id, at: now, session)
    }

    // MARK: - Results

    /// Results of bytes that nobody has any more.
    func results(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        for group in ServiceFolder.names(in: folder.results) {
            for name in ServiceFolder.names(in: "\(folder.results)/\(group)") {
                let path = "\(folder.results)/\(group)/\(name)"
                let hex = String(name.prefix { $0 != "." })
                if let digest = SHA256Digest(hex: hex),
                    try Self.object(of: digest, queue) != nil
                {
                    continue
                }
                if goal == .repair { ServiceFolder.remove(path) }
                report.add(
                    .strayResult, below(path), "It was made of bytes that no asset has.", "--repair removes it.",
                    isRepaired: goal == .repair)
            }
        }
    }
}

/// One thing that is not as it should be, and what helps.
struct DoctorFinding: Sendable {
    let check: Check
    /// What it is about: a path below the data folder, or an asset's id.
    let subject: String
    let text: String
    /// What to do.
    let advice: String
    let outcome: Outcome

    enum Check: String, Sendable, CaseIterable {
        case database, version, blobWithoutRow, rowWithoutBlob, wrongDigest, leftover, strayResult, deadClaim
        case permissions, freeDisk, sandbox, store
    }

    enum Outcome: String, Sendable {
        case open, repaired
    }

    var json: JSONValue {
        [
            "check": .string(check.rawValue), "subject": .string(subject), "text": .string(text),
            "advice": .string(advice), "outcome": .string(outcome.rawValue),
        ]
    }
}

/// What an examination found.
struct DoctorReport: Sendable {
    private(set) var findings: [DoctorFinding] = []
    /// `nil` where it was not tried.
    var sandbox: SandboxReport?

    mutating func add(
        _ check: DoctorFinding.Check, _ subject: String, _ text: String, _ advice: String, isRepaired: Bool = false
    ) {
        findings.append(
            DoctorFinding(
                check: check, subject: subject, text: text, advice: advice, outcome: isRepaired ? .repaired : .open))
    }

    var isHealthy: Bool { !findings.contains { $0.outcome == .open } }

    var json: JSONValue {
        [
            "schemaVersion": 1, "healthy": .bool(isHealthy), "findings": .array(findings.map(\.json)),
            "sandbox": sandbox?.json ?? .null,
        ]
    }

    var text: String {
        let sandbox = sandbox?.text ?? ""
        guard !findings.isEmpty else { return "Healthy.\n" + sandbox }
        return findings.map { finding in
            let mark = finding.outcome == .repaired ? "repaired" : "found"
            let advice = finding.outcome == .repaired ? "" : " \(finding.advice)"
            return "\(mark) \(finding.check.rawValue) \(finding.subject): \(finding.text)\(advice)\n"
        }.joined() + sandbox
    }
}

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether all that is kept fits together.",
        discussion: """
            May run while the service does. Exit code 0: healthy, or all was repaired; 1: something was found; \
            66: nothing is kept there; 74: the database cannot be read; 77: the folder may not be used. With PostgreSQL or \
            S3 it looks whether they can be used; what is in them is not compared.
            """)

    @OptionGroup var data: DataOptions
    @Flag(help: "Mend what can be mended: remove what nobody needs, and let assets fail whose original is lost.")
    var repair = false
    @Flag(help: "Read every original, and hold it against its SHA-256.")
    var deep = false
    @Option(help: ArgumentHelp("text or json.", valueName: "form"))
    var format = ResultForm.text
    @Option(help: ArgumentHelp("Bytes that should be free.", valueName: "n"))
    var freeDisk: String?

    private func examine(_ settings: ServiceSettings) throws -> DoctorReport {
        let doctor = Doctor(
            folder: ServiceFolder(path: settings.data), depth: deep ? .deep : .shallow, goal: repair ? .repair : .look,
            free: settings.disk.free)
        do { return try doctor.examine() } catch {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
    }

    func run() async throws {
        let settings = try data.settings(["free-disk": freeDisk])
        if !settings.isOfOneFolder, repair || deep {
            complain("--repair and --deep do nothing here: they are for SQLite and a folder")
        }
        var report = settings.isOfOneFolder ? try examine(settings) : await StoreDoctor(settings: settings).examine()
        let sandbox = try await SandboxReport.tried(settings)
        report.sandbox = sandbox
        if settings.requireSandbox {
            for fault in sandbox.faults {
                report.add(.sandbox, "worker", fault + ".", "`daed serve` does not start with --require-sandbox on.")
            }
        }
        switch format {
        case .text: print(report.text, terminator: "")
        case .json: ResultForm.print(report.json)
        }
        if !report.isHealthy { throw ExitCode(1) }
    }
}
