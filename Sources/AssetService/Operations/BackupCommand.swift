import ArgumentParser
import Daedalus

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy all that is kept, as it is at one moment; the service may run meanwhile.",
        discussion: """
            `daed serve --data TARGET` serves the copy. Originals are hard links where the disk is the same. Results \
            are not copied: they are made again when they are asked for.
            """)

    @Argument(help: ArgumentHelp("A folder that is not there yet.", valueName: "target"))
    var target: String
    @OptionGroup var data: DataOptions

    func run() async throws {
        let backup = Backup(source: ServiceFolder(path: try data.settings().data), target: target)
        let count: Backup.Count
        do { count = try backup.run() } catch {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
        print("\(target): \(count.assets) assets, \(count.originals) originals")
    }
}
