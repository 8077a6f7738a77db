import ArgumentParser
import Daedalus

/// How addresses are asked for.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Ask no server: addresses are read from the cache, or not at all.")
    var offline = false

    @Flag(help: "Fetch addresses again, whatever is in the cache.")
    var refresh = false

    @Option(
        help: ArgumentHelp(
            "What the download must hash to; so does an address that ends in #sha256=DIGITS.", valueName: "digits"))
    var sha256: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "A header for the server, such as \"X-Key: 1\". A token is better given in DAE_BEARER_TOKEN.",
            valueName: "line"))
    var header: [String] = []

    @Flag(help: "Look up user names and passwords in ~/.netrc.")
    var netrc = false

    @Option(help: ArgumentHelp("Look them up in this file.", valueName: "file"), completion: .file())
    var netrcFile: String?

    @Option(
        help: ArgumentHelp("Trust the certificates in this PEM file instead of the system's.", valueName: "file"),
        completion: .file())
    var cacert: String?

    mutating func validate() throws {
        if offline, refresh { throw ValidationError("--offline and --refresh contradict each other.") }
        if let sha256, SHA256Digest(hex: sha256) == nil {
            throw ValidationError("--sha256 is \(sha256.withoutControls); expected 64 hexadecimal digits.")
        }
        for case let (option, path?) in [("--cacert", cacert), ("--netrc-file", netrcFile)]
        where access(path, R_OK) != 0 {
            throw ValidationError("\(option): \(path) cannot be read: \(SystemError(path).reason).")
        }
        _ = try requests(isVerbose: false)
    }

    /// - Parameter isVerbose: Whether each request is told on standard error.
    func applied(
        to options: AssetOperations.LiveOptions, isQuiet: Bool, isVerbose: Bool
    ) throws -> AssetOperations.LiveOptions {
        var options = options
        options.cache = try Self.cache()
        options.web.requests = try requests(isVerbose: isVerbose)
        options.web.mode = mode
        options.web.sha256 = digest
        if !isQuiet { options.web.notice = { complain($0.text) } }
        return options
    }

    var mode: CacheMode { offline ? .offline : refresh ? .refresh : .revalidate }

    var digest: SHA256Digest? { sha256.flatMap { SHA256Digest(hex: $0) } }

    /// Where the environment says, as large as it says.
    static func cache() throws -> DownloadCache {
        var limit = SizeLimit.standard
        if let text = getenv("DAE_CACHE_LIMIT").map({ String(cString: $0) }), !text.isEmpty {
            guard let named = SizeLimit(text) else {
                throw ValidationError(
                    "DAE_CACHE_LIMIT is \(text.withoutControls); expected a size such as 20G, or unlimited.")
            }
            limit = named
        }
        return DownloadCache(folder: DownloadCache.defaultFolder(), sizeLimit: limit)
    }

    func requests(isVerbose: Bool) throws -> RequestOptions {
        var options = AssetOperations.LiveOptions().web.requests
        do throws(RequestHeaderError) {
            for line in header { options.headers.append(try RequestHeader(line: line)) }
            if let token = getenv("DAE_BEARER_TOKEN").map({ String(cString: $0) }), !token.isEmpty {
                options.bearerToken = try BearerToken(token)
            }
        } catch { throw ValidationError("\(error)") }
        options.caFile = cacert
        if netrc { options.netrc = .standard }
        if let netrcFile { options.netrc = .file(netrcFile) }
        if isVerbose { options.log = { complain($0) } }
        return options
    }
}
