import ArgumentParser
import Daedalus

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
