import ArgumentParser
import Daedalus
import Glibc

struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look into the cache of downloads, check it, make room in it.",
        discussion: """
            The cache lies at $DAE_CACHE, else $XDG_CACHE_HOME/daedalus, else ~/.cache/daedalus, and grows to \
            $DAE_CACHE_LIMIT at most (20G where that is not set; unlimited).

            Examples:
              dae cache ls
              dae cache verify
              dae cache prune --to 2G
            """,
        subcommands: [List.self, Verify.self, Prune.self, Path.self])

    /// Runs work on the cache that a signal ends, and writes what comes of it.
    fileprivate static func run(
        _ format: OutputFormat, output: String? = nil,
        _ work: @escaping @Sendable (DownloadCache, _ isStopped: () -> Bool) throws -> (CacheReport, DaeExit)
    ) async throws {
        let cache = try NetworkOptions.cache()
        let writer = ResultWriter(path: output, isCompact: false, isSeparated: false)
        let task = Task { () -> DaeExit in
            do {
                let (report, exit) = try work(cache) { Task.isCancelled }
                return writer.write(format == .json ? .json(report.json) : .text(report.text)) ? exit : .fine
            } catch {
                complain("\(cache.folder): \((error as? CacheError)?.message ?? "\(error)")")
                return .notFound
            }
        }
        let interrupts = Interrupts { task.cancel() }
        let exit = await task.value
        if let code = interrupts.code { throw code }
        try writer.finish()
        if exit != .fine { throw exit }
    }
}

extension CacheCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List what is in the cache, the last used first.")

        @Option(help: "The result's form: text or json.")
        var format = OutputFormat.text

        func run() async throws {
            try await CacheCommand.run(format) { cache, _ in
                (CacheReport.listing(try cache.contents(), folder: cache.folder), .fine)
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Read every file in the cache again, and remove what is not what its name says.",
            discussion: "Exits with 1 when something was wrong.")

        @Option(help: "The result's form: text or json.")
        var format = OutputFormat.text

        func run() async throws {
            try await CacheCommand.run(format) { cache, isStopped in
                let result = try cache.verify(isStopped: isStopped)
                return (.verification(result), result.isSound ? .fine : .findings)
            }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove files from the cache, the longest unused first.",
            discussion: """
                Without an option the cache is brought down to its limit. What was used within the last ten minutes stays, \
                except with --all; what is being fetched always does.
                """)

        @Option(help: ArgumentHelp("Leave at most that much, such as 500M or 2G.", valueName: "size"))
        var to: String?

        @Option(help: ArgumentHelp("Remove what was not used for so many days.", valueName: "days"))
        var unused: Int?

        @Flag(help: "Remove everything.")
        var all = false

        @Option(help: "The result's form: text or json.")
        var format = OutputFormat.text

        mutating func validate() throws {
            if [to != nil, unused != nil, all].count(where: { $0 }) > 1 {
                throw ValidationError("--to, --unused and --all exclude each other.")
            }
            if let to, SizeLimit(to) == nil {
                throw ValidationError("--to is \(to.withoutControls); expected a size such as 500M or 2G.")
            }
            if let unused, !(0...36_500).contains(unused) {
                throw ValidationError("--unused is \(unused); expected 0 to 36500 days.")
            }
        }

        func run() async throws {
            let (all, unused, limit) = (all, unused, to.flatMap { SizeLimit($0) })
            try await CacheCommand.run(format) { cache, _ in
                if all { return (.removal(try cache.clear()), .fine) }
                if let unused { return (.removal(try cache.prune(unusedFor: .seconds(86_400 * unused))), .fine) }
                switch limit ?? cache.sizeLimit {
                case .unlimited: return (.removal(try cache.prune(to: .max)), .fine)
                case .bytes(let bytes):
                    let removal = try cache.prune(to: bytes)
                    let left = try cache.contents().size
                    if left > bytes {
                        complain(
                            "\(Figures.bytes(left)) are left: what was used within the last ten minutes stays, except with --all"
                        )
                    }
                    return (.removal(removal), .fine)
                }
            }
        }
    }

    struct Path: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "path", abstract: "Print where the cache lies.")

        func run() throws {
            let writer = ResultWriter(path: nil, isCompact: false, isSeparated: false)
            _ = writer.write(.text(DownloadCache.defaultFolder() + "\n"))
            try writer.finish()
        }
    }
}
