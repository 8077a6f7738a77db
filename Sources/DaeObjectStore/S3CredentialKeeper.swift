import DaeCore
import DaeDownload

/// Has credentials ready, and gets others before they expire.
actor S3CredentialKeeper {
    private let source: S3CredentialSource
    private let environment: S3Environment
    private let http: HTTPClient
    private var held: S3Credentials?
    /// When to ask again, in seconds since 1970.
    private var renewal = Int64.min
    /// One for all who wait.
    private var fetching: Task<S3Credentials, any Error>?

    /// Seconds before credentials expire.
    private static let lead: Int64 = 300
    /// Seconds between attempts while what is held still serves.
    private static let pause: Int64 = 10

    init(_ source: S3CredentialSource, _ environment: S3Environment) {
        self.source = source
        self.environment = environment
        // Never over a network, nor by a proxy: a secret comes back.
        let own = ["localhost", "127.0.0.0/8", "::1", "169.254.0.0/16", "fd00:ec2::/32"].compactMap {
            try? HostPattern($0)
        }
        var rules = NetworkRules()
        (rules.hosts, rules.ports, rules.addresses) = (.only(own), .any, .any)
        http = HTTPClient(RequestOptions(), policy: .closed(rules))
    }

    /// - Parameter refused: Credentials that the store does not take any more.
    func current(insteadOf refused: S3Credentials? = nil) async throws(S3Error) -> S3Credentials {
        let now = environment.now()
        if let held, held != refused, now < renewal { return held }
        let task = fetching ?? Task { try await self.find(self.source) }
        fetching = task
        let result = await task.result
        if fetching == task { fetching = nil }
        switch result {
        case .success(let credentials):
            // Those that last for ever are looked for again as well: a file may have others by then.
            renewal = credentials.expires.map { max($0 - Self.lead, now + Self.pause) } ?? now + Self.lead
            held = credentials
            return credentials
        case .failure(let error):
            renewal = now + Self.pause
            // What has not expired serves while its successor cannot be had.
            guard let held, held != refused, now < held.expires ?? .max else { throw error as? S3Error ?? .cancelled }
            return held
        }
    }

    private func find(_ source: S3CredentialSource) async throws(S3Error) -> S3Credentials {
        switch source {
        case .fixed(let credentials): return credentials
        case .environment:
            if let credentials = fromEnvironment { return credentials }
            throw .credentials("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set")
        case .file: return try fromFile()
        case .container: return try await fromContainer()
        case .instance: return try await fromInstance()
        case .automatic:
            if let credentials = fromEnvironment { return credentials }
            if FileMetadata(following: file) != nil { return try fromFile() }
            if containerURL != nil { return try await fromContainer() }
            do throws(S3Error) { return try await fromInstance() } catch {
                throw .credentials("neither in the environment nor in \(file.printable()) nor of a role (\(error))")
            }
        }
    }
}

// MARK: - This machine

extension S3CredentialKeeper {
    private func variable(_ name: String) -> String? {
        environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var fromEnvironment: S3Credentials? {
        guard let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") else {
            return nil
        }
        return S3Credentials(accessKey: key, secret: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
    }

    private var file: String {
        variable("AWS_SHARED_CREDENTIALS_FILE") ?? (variable("HOME") ?? "") + "/.aws/credentials"
    }

    private func fromFile() throws(S3Error) -> S3Credentials {
        let profile = variable("AWS_PROFILE") ?? "default"
        guard let credentials = S3Credentials(file: try text(ofFile: file), profile: profile) else {
            throw .credentials("\(file.printable()) has no keys for the profile \(profile.printable(limit: 80))")
        }
        return credentials
    }

    private func text(ofFile path: String) throws(S3Error) -> String {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try OpenFile(path, .reading).bytes(limit: 1 << 20) } catch {
            throw .credentials("\(error)")
        }
        guard let bytes else { throw .credentials("\(path.printable()) is too large") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - Roles

extension S3CredentialKeeper {
    private var containerURL: String? {
        variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").map { "http://169.254.170.2" + $0 }
            ?? variable("AWS_CONTAINER_CREDENTIALS_FULL_URI")
    }

    private func fromContainer() async throws(S3Error) -> S3Credentials {
        guard let url = containerURL else {
            throw .credentials("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and …_FULL_URI are not set")
        }
        var token = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
        if let file = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
            token = String(try text(ofFile: file).prefix { !$0.isNewline })
        }
        return try role(of: "container", try await answer(HTTPExchange(url), "Authorization", token))
    }

    private func fromInstance() async throws(S3Error) -> S3Credentials {
        guard variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else {
            throw .credentials("AWS_EC2_METADATA_DISABLED is set")
        }
        var server = variable("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? "http://169.254.169.254"
        while server.hasSuffix("/") { server.removeLast() }
        let session = HTTPExchange(server + "/latest/api/token", .put(RequestBody([])))
        let token = try await answer(session, "X-aws-ec2-metadata-token-ttl-seconds", "21600")
        let roles = server + "/latest/meta-data/iam/security-credentials/"
        let (name, value) = ("X-aws-ec2-metadata-token", String(decoding: token, as: UTF8.self))
        let lines = String(decoding: try await answer(HTTPExchange(roles), name, value), as: UTF8.self)
        let url = roles + PercentEncoding.encode(String(lines.prefix { !$0.isNewline }))
        return try role(of: "instance", try await answer(HTTPExchange(url), name, value))
    }

    private func role(of kind: String, _ json: [UInt8]) throws(S3Error) -> S3Credentials {
        if let credentials = S3Credentials(role: json) { return credentials }
        throw .credentials("what the \(kind)'s role gives is not understood")
    }

    private func answer(_ exchange: HTTPExchange, _ name: String, _ value: String?) async throws(S3Error) -> [UInt8] {
        var exchange = exchange
        exchange.headers = value.map { [RequestHeader(ofProtocol: name, $0)] } ?? []
        exchange.patience = .seconds(2)
        let arrival = S3Arrival(limit: 64 << 10)
        do { try await http.run(exchange, to: arrival.receiver) } catch { throw .credentials(error.message) }
        guard let answer = arrival.answer, answer.head.status == 200 else {
            throw .credentials("\(exchange.url.printable()) answered \(arrival.answer?.head.status ?? 0)")
        }
        return answer.body
    }
}
