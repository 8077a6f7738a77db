import Daedalus
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// One run of the service, from its start to its stop.
struct ServiceRun {
    private let settings: ServiceSettings

    init(_ settings: ServiceSettings) { self.settings = settings }

    func run() async throws {
        LoggingSystem.bootstrap { JSONLogHandler(label: $0) }
        let log = Logger(label: "daed")
        let (tools, owner) = try open(log)
        let settings = settings
        let application = Application(
            router: ServiceRouter(tools: tools).router(),
            configuration: .init(address: .hostname(settings.host, port: settings.port), serverName: "daed"),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? settings.port
                log.info("listening", metadata: ["host": "\(settings.host)", "port": "\(port)"])
            },
            logger: log)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: Dispatcher(tools, owner)), .init(service: application),
                .init(service: UploadKeeper(tools)),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        do { try await ServiceGroup(configuration: configuration).run() } catch {
            throw ServiceStartError.address(settings.host, settings.port, "\(error)")
        }
        log.info("stopped")
    }

    private func open(_ log: Logger) throws(ServiceStartError) -> (ServiceTools, OwnerLock) {
        let folder = ServiceFolder(path: settings.data)
        do {
            try folder.prepare()
            let store = try SQLiteJobStore(path: folder.database)
            let tools = ServiceTools(
                settings: settings, folder: folder, store: store, uploads: store,
                blobs: FolderBlobStore(folder: folder.blobs),
                results: KnownResults(folder: folder), bell: Bell(), log: log)
            return (tools, try OwnerLock(folder))
        } catch { throw .data(settings.data, "\(error)") }
    }
}
