import ArgumentParser

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the tables of the database up to date, as every start does.",
        discussion: """
            Exit code 0: they are; 69: the database does not answer; 73: it cannot be written; 78: its address or login is \
            wrong, or a newer daed made it.
            """)

    @OptionGroup var data: DataOptions

    func run() async throws {
        let before = try await data.run { try await ServiceStores.version($0) }
        try await data.use { _ in }
        switch before {
        case .newest, .newer: print("The tables are up to date, as they were.")
        case .older: print("The tables were brought up to date.")
        }
    }
}
