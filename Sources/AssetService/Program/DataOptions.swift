import ArgumentParser
import Daedalus

/// Where the data lies, for commands that look at it beside a service.
struct DataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder for all that is kept.", valueName: "folder"))
    var data: String?
    @Option(help: ArgumentHelp("The file of settings.", valueName: "file"))
    var config: String?

    func settings() throws -> ServiceSettings {
        do {
            return try SettingSources(
                flags: SettingFlags(values: data.map { ["data": [$0]] } ?? [:], config: config),
                environment: SettingSources.processEnvironment()
            ).resolve().settings
        } catch { throw ValidationError(error.description) }
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
