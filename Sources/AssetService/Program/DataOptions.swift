import ArgumentParser
import Daedalus

/// Where settings are read from, for commands beside `serve`: what it would go by.
struct ConfigOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file of settings.", valueName: "file"))
    var config: String?

    /// - Parameter flags: By the settings' keys.
    func settings(_ flags: [String: String?]) throws -> ServiceSettings {
        let values = flags.compactMapValues { $0.map { [$0] } }
        do {
            return try SettingSources(
                flags: SettingFlags(values: values, config: config), environment: SettingSources.processEnvironment()
            ).resolve().settings
        } catch { throw ValidationError(error.description) }
    }
}

/// Where the data lies, for commands that look at it beside a service.
struct DataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder for all that is kept.", valueName: "folder"))
    var data: String?
    @OptionGroup var source: ConfigOptions

    /// - Parameter flags: Others than the folder, by the settings' keys.
    func settings(_ flags: [String: String?] = [:]) throws -> ServiceSettings {
        try source.settings(flags.merging(["data": data]) { own, _ in own })
    }

    /// Does something with what is kept of tokens and keys.
    func use<Value: Sendable>(_ body: (any AccessStore) async throws -> Value) async throws -> Value {
        let folder = ServiceFolder(path: try settings().data)
        do {
            try folder.prepare()
            return try await body(SQLiteAccessStore(try SQLiteJobStore(path: folder.database)))
        } catch {
            complain("\(folder.path): \(error)")
            throw ExitCode(73)
        }
    }
}
