import ArgumentParser
import Daedalus
import Glibc

/// Which service does the work, where it is not this program.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let the service daed at this address do the work: each source is sent to it, or its address, and kept there.",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the service's token; else DAE_SERVER_TOKEN says it.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    mutating func validate() throws {
        if server == nil, tokenFile != nil { throw ValidationError("--token-file is for --server.") }
    }

    /// The service that was asked for; `nil` where this program works by itself.
    ///
    /// - Parameter allowed: Options that mean the same there; any other one is refused, so that none is lost silently.
    func client(_ run: RunOptions, allowing allowed: [String]) throws -> AssetServiceClient? {
        guard let server else { return nil }
        try refuseOthers(than: Set(allowed + Self.always))
        do throws(AssetServiceError) {
            let options = try requests(run)
            return try AssetServiceClient(server, options: options)
        } catch { throw ValidationError("--server is \(server.withoutControls): \(error)") }
    }

    /// The texts are drawn from the scene, which stays where it was read.
    static func check(_ format: OutputFormat?) throws {
        switch format {
        case .json, nil: return
        case .text: throw ValidationError("--format text does not go together with --server; expected json.")
        }
    }

    private static let always = [
        "--server", "--token-file", "--output", "-o", "--quiet", "-q", "--verbose", "-v", "--cacert", "--color",
    ]

    private func refuseOthers(than allowed: Set<String>) throws {
        for argument in CommandLine.arguments.dropFirst() {
            if argument == "--" { return }
            guard argument.hasPrefix("-"), argument != "-" else { continue }
            let name = String(argument.prefix { $0 != "=" })
            guard allowed.contains(name) else {
                let why = name.hasPrefix("--password") ? ": the service opens no encrypted archives" : ""
                throw ValidationError("\(name.withoutControls) does not go together with --server\(why).")
            }
        }
    }

    private func requests(_ run: RunOptions) throws(AssetServiceError) -> RequestOptions {
        var options = RequestOptions()
        options.userAgent = "dae/\(Dae.version)"
        options.caFile = run.network.cacert
        if run.verbose { options.log = { complain($0) } }
        if let token = try token() {
            do throws(RequestHeaderError) { options.bearerToken = try BearerToken(token) } catch {
                throw .invalidServer("\(error)")
            }
        }
        return options
    }

    private func token() throws(AssetServiceError) -> String? {
        if let tokenFile {
            let bytes: [UInt8]
            do throws(ControlError) { bytes = try ControlFile.bytes(tokenFile, limit: 4096) } catch {
                throw .invalidServer("--token-file: \(error)")
            }
            let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
            return String(decoding: line, as: UTF8.self)
        }
        guard let token = getenv("DAE_SERVER_TOKEN").map({ String(cString: $0) }), !token.isEmpty else { return nil }
        return token
    }
}
