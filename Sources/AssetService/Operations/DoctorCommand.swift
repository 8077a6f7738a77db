import ArgumentParser
import Daedalus

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether all that is kept fits together.",
        discussion: """
            May run while the service does. Exit code 0: healthy, or all was repaired; 1: something was found; \
            66: nothing is kept there; 74: the database cannot be read; 77: the folder may not be used.
            """)

    @OptionGroup var data: DataOptions
    @Flag(help: "Mend what can be mended: remove what nobody needs, and let assets fail whose original is lost.")
    var repair = false
    @Flag(help: "Read every original, and hold it against its SHA-256.")
    var deep = false
    @Option(help: ArgumentHelp("text or json.", valueName: "form"))
    var format = ResultForm.text
    @Option(help: ArgumentHelp("Bytes that should be free.", valueName: "n"))
    var freeDisk: String?

    func run() async throws {
        let settings = try data.settings(["free-disk": freeDisk])
        let doctor = Doctor(
            folder: ServiceFolder(path: settings.data), depth: deep ? .deep : .shallow, goal: repair ? .repair : .look,
            free: settings.disk.free)
        let report: DoctorReport
        do { report = try doctor.examine() } catch {
            complain(error.description)
            throw ExitCode(error.exitCode)
        }
        switch format {
        case .text: print(report.text, terminator: "")
        case .json: ResultForm.print(report.json)
        }
        if !report.isHealthy { throw ExitCode(1) }
    }
}
