import ArgumentParser
import Daedalus
import Glibc

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether all that is kept fits together.",
        discussion: """
            May run while the service does. Exit code 0: healthy, or all was repaired; 1: something was found; \
            66: nothing is kept there; 74: the database cannot be read; 77: the folder may not be used.
            """)

    @Option(help: ArgumentHelp("The folder of all that is kept.", valueName: "folder"))
    var data: String?
    @Flag(help: "Mend what can be mended: remove what nobody needs, and let assets fail whose original is lost.")
    var repair = false
    @Flag(help: "Read every original, and hold it against its SHA-256.")
    var deep = false
    @Option(help: ArgumentHelp("text or json.", valueName: "form"))
    var format = OperatorFormat.text
    @Option(help: ArgumentHelp("Bytes that should be free.", valueName: "n"))
    var freeDisk: Int64?

    func run() async throws {
        let folder = ServiceFolder(path: OperatorData.folder(data))
        let doctor = Doctor(
            folder: folder, depth: deep ? .deep : .shallow, goal: repair ? .repair : .look,
            free: freeDisk ?? DiskLimits().free)
        let report: DoctorReport
        do { report = try doctor.examine() } catch {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
        switch format {
        case .text: OperatorData.write(Array(report.text.utf8))
        case .json: OperatorData.write(report.json.text(.indented) + [UInt8(ascii: "\n")])
        }
        if !report.isHealthy { throw ExitCode(1) }
    }
}

enum OperatorFormat: String, ExpressibleByArgument {
    case text, json
}

/// What the commands beside `serve` have in common.
enum OperatorData {
    /// As `serve` finds its folder.
    static func folder(_ flag: String?) -> String {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        return SettingReader(environment: environment).text(flag, "DAED_DATA")
            ?? ServiceSettings.defaultData(environment)
    }

    static func write(_ bytes: [UInt8]) {
        _ = try? WholeFile.write(bytes[...], to: STDOUT_FILENO, "standard output")
    }
}
