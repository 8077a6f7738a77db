import ArgumentParser
import Daedalus
import Glibc

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve until told to stop.",
        discussion: """
            Listens on loopback alone. Everything is kept below --data; several processes \
            may share it. SIGTERM stops it: running work is handed back and taken up again at the next start.

            Every option may be given as a variable: DAED_PORT, DAED_DATA, DAED_HOST, DAED_WORKERS, DAED_UPLOAD_LIMIT, \
            DAED_QUEUE_LIMIT, DAED_WORKER_MEMORY, DAED_WORKER_CPU, DAED_WORKER_TIME, DAED_ALLOW_ADDRESSES.
            """)

    @Option(help: ArgumentHelp("The TCP port, 8080 by default; 0 for any that is free.", valueName: "n"))
    var port: Int?
    @Option(help: ArgumentHelp("The folder for all that is kept.", valueName: "folder"))
    var data: String?
    @Option(help: ArgumentHelp("The loopback address to listen on, 127.0.0.1 by default.", valueName: "address"))
    var host: String?
    @Option(help: ArgumentHelp("Child processes at work at once, 2 by default.", valueName: "n"))
    var workers: Int?
    @Option(help: ArgumentHelp("Bytes of one upload or download at most.", valueName: "n"))
    var uploadLimit: Int64?
    @Option(help: ArgumentHelp("Assets that wait for a worker at most.", valueName: "n"))
    var queueLimit: Int?
    @Option(help: ArgumentHelp("Bytes of memory of one worker.", valueName: "n"))
    var workerMemory: Int64?
    @Option(help: ArgumentHelp("Seconds of processor time of one worker.", valueName: "n"))
    var workerCpu: Int?
    @Option(help: ArgumentHelp("Seconds that one worker may take.", valueName: "n"))
    var workerTime: Int?
    @Option(help: ArgumentHelp("Bytes of all that is kept; results that can be made again go first.", valueName: "n"))
    var diskLimit: Int64?
    @Option(help: ArgumentHelp("Bytes of the disk that stay free, 64 MiB by default.", valueName: "n"))
    var freeDisk: Int64?
    @Option(help: ArgumentHelp("Seconds that a stop may take, 10 by default.", valueName: "n"))
    var stopTimeout: Int?
    @Option(help: ArgumentHelp("The port of /metrics on loopback; none without, 0 for any.", valueName: "n"))
    var metricsPort: Int?
    @Option(
        help: ArgumentHelp(
            "A block of private addresses that downloads may go to, such as 10.0.0.0/8; may be given again.",
            valueName: "block"))
    var allowAddresses: [String] = []

    func run() async throws {
        let settings = try settings { name in getenv(name).map { String(cString: $0) } }
        do {
            try await ServiceRun(settings).run()
        } catch let error as ServiceStartError {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
    }

    func settings(_ environment: @escaping (String) -> String?) throws -> ServiceSettings {
        var settings = ServiceSettings()
        let reader = SettingReader(environment: environment)
        settings.port = try reader.number(port, "DAED_PORT", 0...65535) ?? settings.port
        settings.host = reader.text(host, "DAED_HOST") ?? settings.host
        settings.data = reader.text(data, "DAED_DATA") ?? ServiceSettings.defaultData(environment)
        settings.workers = try reader.number(workers, "DAED_WORKERS", 1...256) ?? settings.workers
        settings.contentLimit =
            try reader.number(uploadLimit, "DAED_UPLOAD_LIMIT", 1...(1 << 40)) ?? settings.contentLimit
        settings.queueLimit = try reader.number(queueLimit, "DAED_QUEUE_LIMIT", 1...1_000_000) ?? settings.queueLimit
        settings.worker.memory =
            try reader.number(workerMemory, "DAED_WORKER_MEMORY", (64 << 20)...(1 << 40)) ?? settings.worker.memory
        settings.worker.processorSeconds =
            try reader.number(workerCpu, "DAED_WORKER_CPU", 1...86_400) ?? settings.worker.processorSeconds
        settings.worker.wallSeconds =
            try reader.number(workerTime, "DAED_WORKER_TIME", 1...86_400) ?? settings.worker.wallSeconds
        settings.disk.total = try reader.number(diskLimit, "DAED_DISK_LIMIT", 1...(1 << 60))
        settings.disk.free = try reader.number(freeDisk, "DAED_FREE_DISK", 0...(1 << 60)) ?? settings.disk.free
        settings.stopSeconds = try reader.number(stopTimeout, "DAED_STOP_TIMEOUT", 1...3600) ?? settings.stopSeconds
        settings.metricsPort = try reader.number(metricsPort, "DAED_METRICS_PORT", 0...65535)
        settings.allowedBlocks = allowAddresses
        if allowAddresses.isEmpty, let blocks = reader.text(nil, "DAED_ALLOW_ADDRESSES") {
            settings.allowedBlocks = blocks.split(separator: ",").map(String.init)
        }
        guard LoopbackName.contains(settings.host) else {
            throw ValidationError(
                "--host is \(settings.host); expected a loopback address: whoever reaches the service may use it.")
        }
        do { _ = try settings.networkPolicy() } catch { throw ValidationError("--allow-addresses: \(error)") }
        return settings
    }
}

/// Where a setting comes from: a flag, else the environment; an empty variable counts as unset.
struct SettingReader {
    let environment: (String) -> String?

    func text(_ flag: String?, _ variable: String) -> String? {
        let text = flag ?? environment(variable)
        return text?.isEmpty == true ? nil : text
    }

    func number<Number: FixedWidthInteger>(
        _ flag: Number?, _ variable: String, _ range: ClosedRange<Number>
    ) throws -> Number? {
        var number = flag
        if number == nil, let text = text(nil, variable) {
            guard let read = Number(text) else { throw ValidationError("\(variable) is \(text); expected a number.") }
            number = read
        }
        guard let number else { return nil }
        guard range.contains(number) else {
            throw ValidationError(
                "\(variable) or its option is \(number); expected \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
