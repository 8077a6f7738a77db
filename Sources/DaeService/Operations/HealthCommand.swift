import ArgumentParser
import DaeCore
import Daedalus

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running service whether it is well.",
        discussion: "For containers and supervisors. Exit code 0: it is; 1: it is not, or does not answer.")

    @Option(help: ArgumentHelp("Its TCP port, 8080 by default.", valueName: "n"))
    var port: String?
    @Option(
        help: ArgumentHelp("The address that it listens on, 127.0.0.1 by default, or unix:PATH.", valueName: "address"))
    var host: String?
    @OptionGroup var source: ConfigOptions
    @Option(help: ArgumentHelp("Seconds to wait for its answer.", valueName: "n"))
    var timeout = 5
    @Flag(help: "Ask whether it takes work, and not only whether it lives.")
    var ready = false
    @Flag(help: "Ask a `daed worker`, at its --metrics-port; --port and --host then say another one.")
    var worker = false

    func run() async throws {
        let own = worker ? "metrics-" : ""
        var settings = try source.settings([own + "port": port, own + "host": host])
        if worker {
            guard let metrics = settings.metricsPort, metrics > 0 else {
                let port = settings.metricsPort.map(String.init) ?? "off"
                complain("--metrics-port is '\(port)': a worker answers at a port of it alone")
                throw ExitCode(1)
            }
            (settings.host, settings.port) = (settings.metricsHost, metrics)
        }
        let place = UnixSocket.path(in: settings.host) == nil ? "port \(settings.port)" : settings.host
        let path = ready ? "/readyz" : "/healthz"
        guard (1...3600).contains(timeout) else {
            throw ValidationError("--timeout is \(timeout); expected 1 to 3600.")
        }
        let probe = HealthProbe(host: settings.host, port: UInt16(clamping: settings.port), seconds: timeout)
        switch probe.ask(path) {
        case .status(200): return
        case .status(let status): complain("\(place): \(path) answers \(status)")
        case .silent(let reason): complain("\(place): \(reason)")
        }
        throw ExitCode(1)
    }
}

/// One request over a bare connection.
private struct HealthProbe {
    let host: String
    let port: UInt16
    let seconds: Int

    enum Answer: Equatable {
        case status(Int)
        case silent(String)
    }

    func ask(_ path: String) -> Answer {
        switch connected() {
        case .success(let descriptor):
            defer { close(descriptor) }
            return ask(path, descriptor)
        case .failure(let fault): return .silent(fault.reason)
        }
    }

    private struct Fault: Error {
        let reason: String
    }

    private func connected() -> Result<Int32, Fault> {
        if let path = UnixSocket.path(in: host) {
            do throws(SystemError) {
                let descriptor = try UnixSocket.connection(to: path)
                bound(descriptor)
                return .success(descriptor)
            } catch { return .failure(Fault(reason: error.reason)) }
        }
        // A service that listens on all addresses is asked on loopback.
        let name = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, String(port), &hints, &found)
        guard status == 0 else { return .failure(Fault(reason: "\(name): \(String(cString: gai_strerror(status)))")) }
        defer { freeaddrinfo(found) }
        var (next, fault) = (found, Fault(reason: "\(name): no address"))
        while let address = next?.pointee {
            next = address.ai_next
            let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                fault = Fault(reason: Self.reason)
                continue
            }
            bound(descriptor)
            if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return .success(descriptor) }
            fault = Fault(reason: Self.reason)
            close(descriptor)
        }
        return .failure(fault)
    }

    /// Lets it wait for so long.
    private func bound(_ descriptor: Int32) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    }

    private func ask(_ path: String, _ descriptor: Int32) -> Answer {
        let text = "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
        do { try WholeFile.write(Array(text.utf8)[...], to: descriptor, "request") } catch {
            return .silent(error.description)
        }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while line.count < 512, !line.contains(UInt8(ascii: "\n")) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .silent(Self.reason) }
            guard count > 0 else { break }
            line += buffer[..<count]
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return .silent("no answer of HTTP came")
        }
        return .status(status)
    }

    private static var reason: String { errno == EAGAIN ? "no answer came in time" : String(cString: strerror(errno)) }
}
