import ArgumentParser
import Daedalus

/// Tokens are made where the data lies, and a running service knows them at once.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the tokens that the service asks for.",
        discussion: """
            As long as no token was made, whoever reaches the service on loopback may use it. From the first one on \
            every request but those for /healthz and /readyz needs one, or a signed link.

            Scopes: read sees everything and makes signed links; write adds assets, acts on them and removes them, \
            too; admin sees and revokes tokens, too.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a token and print it, this once.")

        @Argument(help: "What it is called: 1 to 64 letters, digits, '-' or '_'.")
        var name: String
        @Option(help: "What it allows: read (the default), write or admin. Of several the widest counts.")
        var scope: [Scope] = []
        @OptionGroup var data: DataOptions

        func run() async throws {
            guard AssetID(name) != nil else {
                throw ValidationError("'\(name)' is no name: expected 1 to 64 letters, digits, '-' or '_'.")
            }
            let token = AccessToken.random()
            let stored = StoredToken(
                id: token.id, name: name, scope: scope.max() ?? .read, digest: token.digest,
                created: AssetOperations.Instant.systemTime())
            guard try await data.use({ try await $0.add(stored) }) else {
                complain("there is a token '\(name)' already")
                throw ExitCode(1)
            }
            print(token.text)
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
            case .text: for token in tokens { print("\(token.name)  \(token.scope.rawValue)") }
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
