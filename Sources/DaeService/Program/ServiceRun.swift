import DaeCore
import Daedalus
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// One run of the service, from its start to its stop.
struct ServiceRun {
    enum Role {
        case server
        /// Does its part of the work beside servers, and answers no client.
        case worker
    }

    private let role: Role
    private let settings: ServiceSettings
    /// Those of them that were set.
    private let given: Logger.Metadata
    /// What listens already, by whoever started the service.
    private let inherited: InheritedSocket?

    init(_ resolved: ResolvedSettings, as role: Role) throws(ServiceStartError) {
        var settings = resolved.settings
        (self.role, given) = (role, resolved.given)
        switch role {
        case .server: inherited = try InheritedSocket.take()
        case .worker:
            inherited = nil
            for flag in ["host", "port"] where SettingTable.setting(flag).map(resolved.origin) == .flag {
                throw ServiceStartError(
                    description: "--\(flag) is for daed serve: a worker listens at --metrics-port alone", exitCode: 78)
            }
            guard try !Set<WorkerTask>(settings).isEmpty else {
                throw ServiceStartError(
                    description: "--worker-tasks is 'none': a worker without tasks has nothing to do", exitCode: 78)
            }
        }
        if let inherited { (settings.host, settings.port) = (inherited.host, inherited.port) }
        self.settings = settings
    }

    func run() async throws {
        OpenFiles.takeAll()
        let level = settings.logLevel
        LoggingSystem.bootstrap(
            { JSONLogHandler(label: $0, level: level, metadataProvider: $1) }, metadataProvider: TraceContext.metadata)
        let log = Logger(label: "daed")
        let (tools, owner) = try await open(log)
        tools.audit.notice(
            "configured", metadata: ["version": "\(Daed.version)", "settings": .dictionary(given)])
        if role == .server { try await refuseOpenness(tools) }
        try await checkSandbox(log)
        if role == .server, !settings.publicHosts.isEmpty, try await !tools.access.hasTokens() {
            log.warning(
                "open to everybody who reaches it by a public name: no token exists; make one with 'daed token add'",
                metadata: ["names": "\(settings.publicHosts.joined(separator: ", "))"])
        }
        // Those that are named last are stopped first: what watches over the service sees all of the stop.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        if let port = settings.metricsPort {
            let routes = MetricsRoutes(tools: tools).router()
            services.append(
                .init(service: listener(routes.buildResponder(), settings.metricsHost, port, "measured", log)))
        }
        // Also of a worker, and until its work has ended: an import has to see that somebody is there.
        if tools.clients.isShared {
            services.append(.init(service: ClientExchange(tools: tools, node: owner.name)))
        }
        services.append(.init(service: ChangeWatch(tools: tools)))
        if role == .server { services.append(.init(service: EventFeed(tools))) }
        services.append(.init(service: Dispatcher(tools, owner)))
        let derivations = Derivations(tools)
        if tools.tasks.contains(.derive) {
            let taker = DerivationTaker(tools: tools, derivations: derivations, owner: owner.name)
            services.append(.init(service: taker))
        }
        switch role {
        case .server:
            let routes = try ServiceRouter(tools: tools, derivations: derivations).router()
            services.append(
                .init(service: entrance(BasePathResponder(base: tools.base, inner: routes.buildResponder()), log)))
            services.append(.init(service: UploadKeeper(tools)))
            services.append(.init(service: ServiceKeeper(tools: tools)))
            services.append(.init(service: try WebhookCourier(tools)))
        case .worker:
            log.info("working", metadata: ["tasks": "\(tools.tasks.map(\.rawValue).sorted().joined(separator: ","))"])
        }
        var configuration = ServiceGroupConfiguration(services: services, logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(settings.stopSeconds)
        let group = ServiceGroup(configuration: configuration)
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let stop = ServiceStop(tools: tools, owner: owner.name)
        let listening = Task { await stop.listen(signals, stopping: group) }
        defer { listening.cancel() }
        do { try await group.run() } catch {
            // What did not end by itself was cancelled, and says so.
            guard tools.phase.isStopping else {
                switch role {
                case .server:
                    throw error as? ServiceStartError ?? .address(settings.host, settings.port, "\(error)")
                case .worker: throw error as? ServiceStartError ?? .data(settings.data, "\(error)")
                }
            }
            log.warning("stopped at the deadline", metadata: ["reason": "\(error)"])
            try? await tools.store.release(owner: owner.name)
        }
        owner.end()
        do { try tools.database.close() } catch { log.error("closing the database: \(error)") }
        log.info("stopped")
    }

    /// Where clients ask.
    private func entrance<Responder: HTTPResponder>(
        _ responder: Responder, _ log: Logger
    ) -> any Service where Responder.Context == ServiceContext {
        let place: SocketServer<Responder>.Place
        if let inherited {
            place = .inherited(inherited)
        } else if let path = UnixSocket.path(in: settings.host) {
            place = .path(path)
        } else {
            return listener(responder, settings.host, settings.port, "listening", log)
        }
        return SocketServer(responder: responder, place: place, limits: settings.clients, log: log)
    }

    /// - Parameter message: What the log says once it listens.
    private func listener<Responder: HTTPResponder>(
        _ responder: Responder, _ host: String, _ port: Int, _ message: Logger.Message, _ log: Logger
    ) -> Listener where Responder.Context == ServiceContext {
        // It says once more what the log has when it listens.
        var quiet = log
        quiet.logLevel = max(.notice, log.logLevel)
        let application = Application(
            responder: responder, server: .http1(configuration: settings.clients.channel),
            configuration: .init(
                address: .hostname(host, port: port), serverName: "daed",
                availableConnectionsDelegate: .maximum(settings.clients.connections, logger: log)),
            onServerRunning: { channel in
                log.info(
                    message,
                    metadata: ["host": "\(host)", "port": .stringConvertible(channel.localAddress?.port ?? port)])
            },
            logger: quiet)
        return Listener(application: application, host: host, port: port)
    }

    /// Who listens beyond loopback asks for tokens; without one nobody could use the service.
    private func refuseOpenness(_ tools: ServiceTools) async throws {
        switch settings.exposure {
        case .loopback: return
        case .network:
            guard try await tools.access.tokens().isEmpty else { return }
            throw ServiceStartError.noToken(settings.host)
        }
    }

    /// Says how far workers are shut in, and tries it where that is demanded.
    private func checkSandbox(_ log: Logger) async throws {
        let support = SandboxSupport.here
        log.info(
            "sandbox",
            metadata: [
                "landlock": .stringConvertible(support.landlock), "seccomp": "\(support.filtersCalls ? "on" : "off")",
            ])
        if settings.requireSandbox {
            let faults = try await SandboxReport.tried(settings).faults
            guard faults.isEmpty else { throw ServiceStartError.sandbox(faults) }
        }
        for part in support.missing { log.warning("the kernel has no \(part)") }
    }

    private func open(_ log: Logger) async throws(ServiceStartError) -> (ServiceTools, OwnerLock) {
        var folder = ServiceFolder(path: settings.data)
        let tasks = try Set<WorkerTask>(settings)
        do {
            try folder.prepare()
            let owner = try OwnerLock(folder)
            folder.owner = owner.name
            let stores = try await ServiceStores.open(settings, folder)
            if try await Transfer.isUnfinished(in: stores.database) { throw ServiceStartError.halfTransfer }
            return (ServiceTools(settings, tasks, folder, stores, owner: owner.id, log), owner)
        } catch let error as ServiceStartError {
            throw error
        } catch { throw .data(settings.data, "\(error)") }
    }
}

/// A port at which something is answered; what keeps it from that names it.
private struct Listener: Service {
    let application: any ApplicationProtocol
    let host: String
    let port: Int

    func run() async throws {
        do { try await application.run() } catch let error as IOError {
            throw ServiceStartError.address(host, port, String(cString: strerror(error.errnoCode)))
        }
    }
}

/// Ends the service: by the first signal in good order and in time, by the second at once.
private struct ServiceStop {
    let tools: ServiceTools
    let owner: String

    /// Waits for signals as long as the service runs.
    func listen(_ signals: UnixSignalsSequence, stopping group: ServiceGroup) async {
        for await signal in signals {
            guard tools.phase.stop() else {
                tools.log.warning("stopped at once", metadata: ["signal": "\(signal)"])
                // Workers end when nobody holds their pipe, and the next start takes up the claims.
                _exit(128 + signal.rawValue)
            }
            tools.log.info(
                "stopping",
                metadata: ["signal": "\(signal)", "seconds": .stringConvertible(tools.settings.stopSeconds)])
            tools.changes.notify()
            await group.triggerGracefulShutdown()
            Task { await end() }
        }
    }

    /// Ends what did not end in time.
    private func end() async {
        try? await Task.sleep(for: .seconds(tools.settings.stopSeconds + 3))
        tools.log.warning("stopped at the deadline")
        try? await tools.store.release(owner: owner)
        _exit(0)
    }
}

/// Files and connections that a process may have open.
private enum OpenFiles {
    /// Takes as many as the system gives without being asked for privileges: what shells give by default is less than the
    /// connections that are taken.
    static func takeAll() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        _ = setrlimit(resource, &limit)
    }
}

/// Log lines as JSON objects on standard error, one a line.
private struct JSONLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    init(label: String, level: Logger.Level, metadataProvider: Logger.MetadataProvider?) {
        (self.label, logLevel, self.metadataProvider) = (label, level, metadataProvider)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .stringConvertible(let number as any BinaryInteger): .integer(Int64(clamping: number))
        case .stringConvertible(let number as Double): .real(number)
        case .dictionary(let members): .object(members.mapValues(json))
        case .string, .stringConvertible, .array: .string("\(value)")
        }
    }

    func log(event: LogEvent) {
        // Where one port cannot be opened the others are closed again, which is no fault of theirs.
        if "\(event.message)".hasPrefix("Waiting on child channel: CancellationError") { return }
        var members: [String: JSONValue] = [:]
        for fields in [metadataProvider?.get() ?? [:], metadata, event.metadata ?? [:]] {
            for (key, value) in fields { members[key] = Self.json(value) }
        }
        members["time"] = .integer(AssetOperations.Instant.systemTime())
        members["level"] = .string(event.level.rawValue)
        members["message"] = .string("\(event.message)")
        members["label"] = .string(label)
        let line = JSONValue.object(members).text(.compact) + [UInt8(ascii: "\n")]
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
