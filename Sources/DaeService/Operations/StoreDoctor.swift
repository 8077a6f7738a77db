import DaeObjectStore
import DaePostgreSQL
import GRDB

/// Looks whether a database and a store of bytes can be used of which one at least is elsewhere. What is in them is not
/// compared; an object is put into the store and removed again.
struct StoreDoctor {
    let settings: ServiceSettings

    func examine() async -> DoctorReport {
        var report = DoctorReport()
        await database(&report)
        await store(&report)
        return report
    }

    private func database(_ report: inout DoctorReport) async {
        let subject: String
        do throws(ServiceStartError) {
            guard case .postgreSQL(let address) = try DatabaseChoice(settings) else { return sqlite(&report) }
            subject = "\(address)"
            switch await PostgreSQLDatabase.version(of: address) {
            case .success(.newest): break
            case .success(.newer): report.add(.version, subject, "A newer daed made it.", "Use that daed.")
            case .success(.older):
                report.add(.version, subject, "An older daed made it, or none.", "`daed migrate` brings it up to date.")
            case .failure(let error):
                report.add(.database, subject, "\(error).", "Mend the address, the login or the server.")
            }
        } catch { report.add(.database, "--database", "\(error).", "Mend the setting.") }
    }

    private func sqlite(_ report: inout DoctorReport) {
        do {
            let queue = try DatabaseQueue(path: ServiceFolder(path: settings.data).database)
            let faults = try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            for fault in faults where fault != "ok" {
                report.add(
                    .database, "daed.sqlite", fault + ".", "Let `sqlite3 daed.sqlite .recover` save what it can.")
            }
        } catch { report.add(.database, "daed.sqlite", "\(error).", "Mend the folder, or the file in it.") }
    }

    private func store(_ report: inout DoctorReport) async {
        do throws(ServiceStartError) {
            guard case .s3(let location, let s3) = try StoreChoice(settings) else { return }
            do throws(S3Error) { try await S3Client(location, s3).check() } catch {
                report.add(.store, settings.store, "\(error).", "Mend the address, the credentials or the bucket.")
            }
        } catch { report.add(.store, "--store", "\(error).", "Mend the setting.") }
    }
}
