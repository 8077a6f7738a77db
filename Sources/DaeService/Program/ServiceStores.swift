import DaeCore
import DaeObjectStore
import DaePostgreSQL
import Daedalus
import Logging
import ServiceLifecycle

/// What keeps the rows and the bytes of a service, as its settings say.
struct ServiceStores: Sendable {
    let database: any RowDatabase
    let objects: any ObjectStore
    let pieces: any UploadPieces
    let liveness: OwnerLiveness

    /// Opens both, and sees that they can be used.
    ///
    /// - Parameter folder: Of this machine; with SQLite and a folder all is kept there, else what is on its way.
    static func open(
        _ settings: ServiceSettings, _ folder: ServiceFolder
    ) async throws(ServiceStartError) -> ServiceStores {
        let database = try await database(settings, folder)
        switch try StoreChoice(settings) {
        case .folder:
            return ServiceStores(
                database: database.rows, objects: FolderObjectStore(folder: folder),
                pieces: FolderUploadPieces(folder: folder), liveness: database.liveness)
        case .s3(let location, let s3):
            let objects: S3ObjectStore
            do {
                objects = S3ObjectStore(
                    client: try S3Client(location, s3), sendsClients: settings.resultsRedirect)
                try await objects.client.check()
            } catch { throw ServiceStartError(error) }
            return ServiceStores(
                database: database.rows, objects: objects,
                pieces: ObjectUploadPieces(objects: objects, folder: folder, uploads: UploadStore(database.rows)),
                liveness: database.liveness)
        }
    }

    /// The rows alone, and what is known of the processes that have claims on them.
    static func database(
        _ settings: ServiceSettings, _ folder: ServiceFolder
    ) async throws(ServiceStartError) -> (rows: any RowDatabase, liveness: OwnerLiveness) {
        switch try DatabaseChoice(settings) {
        case .sqlite:
            do { return (try SQLiteDatabase(path: folder.database), .locks(folder)) } catch {
                throw .data(settings.data, "\(error)")
            }
        case .postgreSQL(let address):
            do { return (try await PostgreSQLDatabase(address), .unknown) } catch {
                throw ServiceStartError(error, address)
            }
        }
    }

    /// How far the tables are; nothing is changed.
    static func version(_ settings: ServiceSettings) async throws(ServiceStartError) -> SchemaVersion {
        switch try DatabaseChoice(settings) {
        case .sqlite:
            do { return try SQLiteDatabase.version(of: ServiceFolder(path: settings.data).database) } catch {
                throw .data(settings.data, "\(error)")
            }
        case .postgreSQL(let address):
            do { return try await PostgreSQLDatabase.version(of: address).get() } catch {
                throw ServiceStartError(error, address)
            }
        }
    }

    /// Those of an installation that is there already, whose tables stay as they are.
    static func existing(_ settings: ServiceSettings) async throws(ServiceStartError) -> ServiceStores {
        let folder = ServiceFolder(path: settings.data)
        if settings.database == "sqlite", FileMetadata(folder.database) == nil {
            throw ServiceStartError(description: "\(folder.path): no daed.sqlite is in it", exitCode: 66)
        }
        switch try await version(settings) {
        case .newest, .newer: return try await open(settings, folder)
        case .older:
            throw ServiceStartError(
                description: "what it is copied from is an older daed's; 'daed migrate' brings its tables up to date",
                exitCode: 78)
        }
    }
}

/// Which database is meant.
enum DatabaseChoice: Sendable {
    case sqlite
    case postgreSQL(PostgreSQLAddress)

    init(_ settings: ServiceSettings) throws(ServiceStartError) {
        switch settings.database {
        case "sqlite": self = .sqlite
        case let text where text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"):
            do { self = .postgreSQL(try PostgreSQLAddress(text)) } catch {
                throw ServiceStartError(description: "--database: \(error)", exitCode: 78)
            }
        default:
            throw ServiceStartError(
                description: "--database: expected sqlite or postgresql://user@host/database", exitCode: 78)
        }
    }
}

/// Which store of bytes is meant.
enum StoreChoice: Sendable {
    case folder
    case s3(S3Location, S3Settings)

    init(_ settings: ServiceSettings) throws(ServiceStartError) {
        guard settings.store != "folder" else {
            guard !settings.resultsRedirect else {
                throw ServiceStartError(
                    description: "--results-redirect is 'on'; expected off, since --store is the folder and not S3",
                    exitCode: 78)
            }
            self = .folder
            return
        }
        var s3 = S3Settings(
            region: settings.s3Region, endpoint: settings.s3Endpoint.isEmpty ? nil : settings.s3Endpoint)
        s3.addressing = settings.s3Addressing
        do { self = .s3(try S3Location(settings.store), s3) } catch {
            throw ServiceStartError(description: "--store: \(error); or folder", exitCode: 78)
        }
    }
}

extension ServiceSettings {
    /// Whether all that is kept is in one folder of this machine.
    var isOfOneFolder: Bool { database == "sqlite" && store == "folder" }
}

extension ServiceStartError {
    /// What has to be configured otherwise is told apart from what may pass.
    fileprivate init(_ error: any Error, _ address: PostgreSQLAddress) {
        let isTransient = (error as? PostgreSQLError)?.isTransient ?? false
        self.init(description: "\(address): \(error)", exitCode: isTransient ? 69 : 78)
    }

    init(_ error: S3Error) {
        let code: Int32 =
            switch error {
            case .configuration, .credentials, .bucketAbsent, .keyAbsent, .wrongRegion, .refused, .clockSkew: 78
            case .unreachable, .transient, .checksumMismatch, .tooLarge, .outOfRange, .unexpected, .file, .cancelled:
                69
            }
        self.init(description: "\(error)", exitCode: code)
    }
}

/// Wakes those who wait for something to have been kept when another node kept it.
struct ChangeWatch: Service {
    let tools: ServiceTools

    func run() async throws {
        let log = tools.log
        let hints = tools.database.hints { log.warning("no word of other nodes' changes: \($0)") }
        for await _ in hints.cancelOnGracefulShutdown() {
            tools.changes.notify()
            // Many nodes keep much, and each notice has several parts of this one ask for what it was.
            try? await Task.sleep(for: .milliseconds(50))
        }
        // Whoever ends before its turn is taken for broken.
        try? await gracefulShutdown()
    }
}
