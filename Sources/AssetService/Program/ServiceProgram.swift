import ArgumentParser
import Daedalus
import Dispatch
import Glibc

/// The service as a program.
public enum ServiceProgram {
    /// Reads the command line, runs what it names, and ends the process with its exit code.
    public static func main() -> Never {
        // A client or a worker that is gone shows itself when writing.
        signal(SIGPIPE, SIG_IGN)
        // Before the first thread begins, which does not keep them blocked as the parent left them.
        if CommandLine.arguments.dropFirst().first == WorkerCommand.configuration.commandName {
            for number in WorkerProcess.foreignSignals { signal(number, SIG_IGN) }
        }
        Task {
            await Daed.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

struct Daed: AsyncParsableCommand {
    static let version = ReportTool.daedalus.version

    static let configuration = CommandConfiguration(
        commandName: "daed",
        abstract: "Take in downloadable 3D models over HTTP, and give back scenes that can be trusted.",
        version: "daed \(version)",
        subcommands: [
            ServeCommand.self, ConfigCommand.self, TokenCommand.self, KeyCommand.self, DoctorCommand.self,
            BackupCommand.self, HealthCommand.self, OpenAPICommand.self, WorkerCommand.self,
        ])
}
