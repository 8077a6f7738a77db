import Daedalus
import FileMetadata
import GRDB
import Glibc

extension Doctor {
    // MARK: - Originals

    /// Files and rows of contents, each held against the other.
    func blobs(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        let rows = try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT sha256, bytes FROM contents ORDER BY sha256").map { row in
                let (hex, bytes): (String, Int64) = (row["sha256"], row["bytes"])
                return (hex: hex, bytes: bytes)
            }
        }
        let known = Set(rows.map(\.hex))
        for group in ServiceFolder.names(in: folder.blobs) {
            for name in ServiceFolder.names(in: "\(folder.blobs)/\(group)") where !known.contains(name) {
                try stray("\(folder.blobs)/\(group)/\(name)", name, queue, &report)
            }
        }
        for (hex, bytes) in rows { try original(hex, bytes, queue, &report) }
    }

    private func stray(
        _ path: String, _ name: String, _ queue: DatabaseQueue, _ report: inout DoctorReport
    ) throws {
        var finding = DoctorFinding(
            check: .blobWithoutRow, subject: below(path), text: "No asset has these bytes.",
            advice: "--repair removes them.")
        // An asset with these bytes may have come meanwhile; with the write lock none can.
        let isStray = try queue.write { database in
            let isUsed = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM contents WHERE sha256 = ?)", arguments: [name])
            guard isUsed != true else { return false }
            if goal == .repair, unlink(path) == 0 { finding.outcome = .repaired }
            return true
        }
        if isStray { report.findings.append(finding) }
    }

    private func original(
        _ hex: String, _ bytes: Int64, _ queue: DatabaseQueue, _ report: inout DoctorReport
    ) throws {
        guard let digest = SHA256Digest(hex: hex) else { return }
        let path = "\(folder.blobs)/\(hex.prefix(2))/\(hex)"
        let size = FileMetadata(path)?.size
        guard size != bytes else {
            if depth == .deep, try FileDigest.of(path) != digest {
                try damaged(hex, path, .wrongDigest, "Its bytes have another SHA-256.", queue, &report)
            }
            return
        }
        let text = size.map { "It has \($0) of \(bytes) bytes." } ?? "It is not there."
        try damaged(hex, path, .rowWithoutBlob, text, queue, &report)
    }

    /// An original that cannot be used: its assets fail, and those from a link may be tried again.
    private func damaged(
        _ hex: String, _ path: String, _ check: DoctorFinding.Check, _ text: String, _ queue: DatabaseQueue,
        _ report: inout DoctorReport
    ) throws {
        var finding = DoctorFinding(
            check: check, subject: below(path), text: text,
            advice: "Restore it from a backup; --repair fails its assets instead, and links can then be retried.")
        if goal == .repair {
            try queue.write { database in
                guard try Self.isStill(hex, path, check, database) else { return }
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT assets.*, NULL AS bytes FROM assets WHERE sha256 = ?", arguments: [hex])
                for asset in try rows.map(AssetRow.asset) { try Self.lose(asset, database) }
                try database.execute(sql: "DELETE FROM contents WHERE sha256 = ?", arguments: [hex])
                if let digest = SHA256Digest(hex: hex) { KnownResults(folder: folder).remove(digest) }
                unlink(path)
                finding.outcome = .repaired
            }
        }
        report.findings.append(finding)
    }

    /// Whether it is as it was seen before anybody was kept out: an asset may be removed meanwhile.
    private static func isStill(
        _ hex: String, _ path: String, _ check: DoctorFinding.Check, _ database: Database
    ) throws -> Bool {
        let bytes = try Int64.fetchOne(
            database, sql: "SELECT bytes FROM contents WHERE sha256 = ?", arguments: [hex])
        guard let bytes else { return false }
        return check == .wrongDigest || FileMetadata(path)?.size != bytes
    }

    private static func lose(_ asset: AssetRecord, _ database: Database) throws {
        let now = AssetOperations.Instant.systemTime()
        let recovery: Recovery =
            switch asset.origin {
            case .address: .resume
            case .upload: .nothing
            }
        let reason = AssetState.Reason(.ioError, "The original was lost, as `daed doctor` found.")
        var machine = AssetStateMachine(source: asset.source, state: .downloading(.init(source: asset.source)))
        // The state of a later attempt than the last: those who watch take older ones for late.
        while machine.state.attempt <= asset.state.attempt {
            _ = try machine.handle(.failed(reason, .resume, attempt: machine.state.attempt))
            _ = try machine.handle(.retry)
        }
        _ = try machine.handle(.failed(reason, recovery, attempt: machine.state.attempt))
        try database.execute(
            sql: "UPDATE assets SET sha256 = NULL, contentName = NULL, contentKey = NULL WHERE id = ?",
            arguments: [asset.id.text])
        try AssetRow.save(machine.state, of: asset.id, at: now, database)
    }

    // MARK: - Results

    /// Results of bytes that nobody has any more.
    func results(_ queue: DatabaseQueue, _ report: inout DoctorReport) throws {
        for group in ServiceFolder.names(in: folder.results) {
            for name in ServiceFolder.names(in: "\(folder.results)/\(group)") {
                let path = "\(folder.results)/\(group)/\(name)"
                let hex = String(name.prefix { $0 != "." })
                var finding = DoctorFinding(
                    check: .strayResult, subject: below(path), text: "It was made of bytes that no asset has.",
                    advice: "--repair removes it.")
                let isStray = try queue.write { database in
                    let isUsed = try Bool.fetchOne(
                        database, sql: "SELECT EXISTS (SELECT 1 FROM contents WHERE sha256 = ?)", arguments: [hex])
                    guard isUsed != true else { return false }
                    if goal == .repair {
                        ServiceFolder.remove(path)
                        finding.outcome = .repaired
                    }
                    return true
                }
                if isStray { report.findings.append(finding) }
            }
        }
    }
}
