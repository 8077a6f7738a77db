import ArgumentParser
import Daedalus
import Glibc

/// The service as a program.
public enum ServiceProgram {
    /// Reads the command line, runs what it names, and ends the process with its exit code.
    public static func main() async {
        // A client or a worker that is gone shows itself when writing.
        signal(SIGPIPE, SIG_IGN)
        await Daed.main()
    }
}

struct Daed: AsyncParsableCommand {
    static let version = ReportTool.daedalus.version

    static let configuration = CommandConfiguration(
        commandName: "daed",
        abstract: "Take in downloadable 3D models over HTTP, and give back scenes that can be trusted.",
        version: "daed \(version)",
        subcommands: [ServeCommand.self, ConfigCommand.self, OpenAPICommand.self, WorkerCommand.self])
}
