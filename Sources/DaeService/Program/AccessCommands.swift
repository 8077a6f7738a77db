import ArgumentParser
import Daedalus

/// Tokens are made where the data lies, and a running service knows them at once.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, limit, list and revoke the tokens that the service asks for.",
        discussion: """
            As long as no token was made, whoever reaches the service on loopback may use it. From the first one on \
            every request needs one, or a signed link, but those for /healthz and /readyz, for the page's own files \
            (/, /page/…, /viewer/…) and for /v1/findings.

            Scopes: read sees everything and makes signed links; write adds assets, acts on them and removes them, \
            too; admin sees and revokes tokens and looks after webhooks, too.
            """,
        subcommands: [Add.self, Limit.self, List.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a token and print it, this once.")

        @Argument(help: "What it is called: 1 to 64 letters, digits, '-' or '_'.")
        var name: String
        @Option(help: "What it allows: read (the default), write or admin. Of several the widest counts.")
        var scope: [Scope] = []
        @Option(
            help: ArgumentHelp("How long it holds, such as 30d, 12h, 90m or 45s; for ever without.", valueName: "time"))
        var expires: Lifetime?
        @OptionGroup var quota: QuotaOptions
        @OptionGroup var data: DataOptions

        func run() async throws {
            guard AssetID(name) != nil else {
                throw ValidationError("'\(name)' is no name: expected 1 to 64 letters, digits, '-' or '_'.")
            }
            let (token, now) = (AccessToken.random(), AssetOperations.Instant.systemTime())
            var stored = StoredToken(
                id: token.id, name: name, scope: scope.max() ?? .read, digest: token.digest, created: now,
                expires: expires.map { now + $0.milliseconds })
            quota.changes.apply(to: &stored.quota)
            let new = stored
            guard try await data.use({ try await $0.add(new) }) else {
                complain("there is a token '\(name)' already")
                throw ExitCode(1)
            }
            print(token.text)
        }
    }

    struct Limit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what a token may have and ask for, at once; what is not named stays as it is.")

        @Argument(help: "What it is called.")
        var name: String
        @OptionGroup var quota: QuotaOptions
        @OptionGroup var data: DataOptions

        func run() async throws {
            let (name, quota) = (name, quota.changes)
            guard !quota.isEmpty else { throw ValidationError("Expected --assets, --bytes or --requests.") }
            guard try await data.use({ try await $0.limit(name) { limits in quota.apply(to: &limits) } }) else {
                complain("there is no token '\(name)'")
                throw ExitCode(3)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens in use.")

        @Option(help: "The result's form: text or json.")
        var format = ResultForm.text
        @OptionGroup var data: DataOptions

        func run() async throws {
            let tokens = try await data.use { try await $0.tokens() }
            switch format {
            case .text: for token in tokens { print(token.line(now: AssetOperations.Instant.systemTime())) }
            case .json: ResultForm.print(["tokens": .array(tokens.map(\.json))])
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a token's use, at once.")

        @Argument(help: "What it is called.")
        var name: String
        @OptionGroup var data: DataOptions

        func run() async throws {
            let name = name
            guard try await data.use({ try await $0.revoke(name, at: AssetOperations.Instant.systemTime()) }) else {
                complain("there is no token '\(name)'")
                throw ExitCode(3)
            }
        }
    }
}

extension Scope: ExpressibleByArgument {}

extension StoredToken {
    /// For people: the name, the scope and what bounds it.
    fileprivate func line(now: Int64) -> String {
        var parts = [name, scope.rawValue]
        if let expires {
            let hours = (expires - now) / 3_600_000
            let left = hours < 2 ? "\((expires - now) / 1000) s" : hours < 48 ? "\(hours) h" : "\(hours / 24) d"
            parts.append(expires <= now ? "expired" : "expires in \(left)")
        }
        for (limit, what) in [(quota.assets, "assets"), (quota.bytes, "bytes"), (quota.requests, "requests/day")] {
            if let limit { parts.append("\(limit) \(what)") }
        }
        return parts.joined(separator: "  ")
    }
}

/// A time from now on, such as `30d`.
struct Lifetime: ExpressibleByArgument {
    let milliseconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
            // A hundred years.
            (1...36_525 * 86_400_000 / unit).contains(count)
        else { return nil }
        milliseconds = count * unit
    }
}

/// What a token may have, as options.
struct QuotaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Assets that it may have here at once, or none for any number.", valueName: "n"),
        transform: QuotaLimit.assets)
    var assets: QuotaLimit?
    @Option(
        help: ArgumentHelp("Bytes of their files, such as 500M, or none for any number.", valueName: "size"),
        transform: QuotaLimit.bytes)
    var bytes: QuotaLimit?
    @Option(
        help: ArgumentHelp("Requests of a day by UTC, such as 1000/day, or none for any number.", valueName: "n/day"),
        transform: QuotaLimit.requests)
    var requests: QuotaLimit?

    var changes: Changes { Changes(assets: assets, bytes: bytes, requests: requests) }

    struct Changes: Sendable {
        let assets: QuotaLimit?
        let bytes: QuotaLimit?
        let requests: QuotaLimit?

        var isEmpty: Bool { assets == nil && bytes == nil && requests == nil }

        func apply(to quota: inout TokenQuota) {
            if let assets { quota.assets = assets.number }
            if let bytes { quota.bytes = bytes.number }
            if let requests { quota.requests = requests.number }
        }
    }
}

/// A number of a quota.
struct QuotaLimit: Sendable {
    /// `nil` for any.
    let number: Int64?

    @Sendable static func assets(_ text: String) throws -> QuotaLimit {
        try read(text, number, expected: "a number, such as 500")
    }

    @Sendable static func bytes(_ text: String) throws -> QuotaLimit {
        try read(text, size, expected: "a number of bytes, such as 500M")
    }

    /// With `/day`, or without.
    @Sendable static func requests(_ text: String) throws -> QuotaLimit {
        try read(
            text, { number($0.hasSuffix("/day") ? String($0.dropLast(4)) : $0) },
            expected: "a number of requests of a day, such as 1000/day")
    }

    private static func read(
        _ text: String, _ number: (String) -> Int64?, expected: String
    ) throws(ValidationError) -> QuotaLimit {
        if text == "none" { return QuotaLimit(number: nil) }
        guard let number = number(text) else { throw ValidationError("Expected \(expected), or none.") }
        return QuotaLimit(number: number)
    }

    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int64(text) : nil
    }

    private static func size(_ text: String) -> Int64? {
        switch SizeLimit(text) {
        case .bytes(let number): number
        case .unlimited, nil: nil
        }
    }
}

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Add, list and retire the keys of signed links.",
        discussion: """
            New links are signed with the newest key; links of older ones hold until their key is retired. The service \
            makes the first key by itself.
            """,
        subcommands: [Add.self, List.self, Retire.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a key and print its name.")

        @OptionGroup var data: DataOptions

        func run() async throws {
            let key = SigningKey.random(now: AssetOperations.Instant.systemTime())
            try await data.use { try await $0.add(key) }
            print(key.id)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, the newest first.")

        @Option(help: "The result's form: text or json.")
        var format = ResultForm.text
        @OptionGroup var data: DataOptions

        func run() async throws {
            let keys = try await data.use { try await $0.keys() }
            switch format {
            case .text: for key in keys { print("\(key.id)  \(key.phase.rawValue)") }
            case .json: ResultForm.print(["keys": .array(keys.map(\.json))])
            }
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a key's links hold no longer.")

        @Argument(help: "The key's name.")
        var id: String
        @OptionGroup var data: DataOptions

        func run() async throws {
            let id = id
            guard try await data.use({ try await $0.retire(id, at: AssetOperations.Instant.systemTime()) }) else {
                complain("there is no key '\(id)' in use")
                throw ExitCode(3)
            }
        }
    }
}

extension SigningKey {
    /// All but its secret.
    fileprivate var json: JSONValue {
        ["id": .string(id), "state": .string(phase.rawValue), "created": .integer(created)]
    }
}
