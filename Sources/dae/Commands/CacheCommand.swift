import ArgumentParser
import DaeCore
import Daedalus

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
                complain("\(cache.folder): \((error as? CodedFailure)?.message ?? "\(error)")")
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

/// What a command on the cache tells.
private enum CacheReport {
    case listing(DownloadCache.Contents, folder: String)
    case verification(DownloadCache.Verification)
    case removal(DownloadCache.Removal)

    var text: String {
        switch self {
        case .listing(let contents, let folder): Self.text(of: contents, folder)
        case .verification(let result): Self.text(of: result)
        case .removal(let removal): Self.text(of: removal)
        }
    }

    private static func text(of contents: DownloadCache.Contents, _ folder: String) -> String {
        var table = TextTable(columns: [.right("Bytes"), .left("Last used"), .left("SHA-256"), .left("Address")])
        for blob in contents.blobs {
            let addresses = Self.addresses(of: blob, in: contents)
            table.add([
                Figures.count(Int(blob.size)), UTCTime.text(blob.lastUse), String(blob.sha256.hex.prefix(16)),
                addresses.joined(separator: " ").withoutControls,
            ])
        }
        var lines = table.isEmpty ? [] : table.lines(.plain)
        for partial in contents.partials {
            let whole = partial.expected.map { " of \(Figures.bytes($0))" } ?? ""
            lines.append("partial: \(Figures.bytes(partial.size))\(whole) \((partial.url ?? "").withoutControls)")
        }
        let count = Figures.count(contents.blobs.count, "file")
        lines.append("\(count), \(Figures.bytes(contents.size)) in \(folder.withoutControls)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Once each, also where it was asked for with different headers.
    private static func addresses(of blob: DownloadCache.Blob, in contents: DownloadCache.Contents) -> [String] {
        Set(contents.addresses[blob.sha256] ?? []).sorted()
    }

    private static func text(of result: DownloadCache.Verification) -> String {
        var lines = result.damaged.map { damage in
            let found = damage.found.map { "its bytes have \($0.hex)" } ?? "it cannot be read"
            let addresses = damage.addresses.isEmpty ? "" : " (\(damage.addresses.joined(separator: " ")))"
            return "removed: \(damage.path.withoutControls): \(found)\(addresses.withoutControls)"
        }
        if result.references > 0 {
            lines.append(
                "removed: \(Figures.count(result.references, "address", "addresses")) that led to no whole file")
        }
        if result.staleFiles > 0 {
            lines.append("removed: \(Figures.count(result.staleFiles, "left-over")) of ended processes")
        }
        let read = "\(Figures.count(result.blobs, "file")), \(Figures.bytes(result.bytes)) read"
        lines.append(result.damaged.isEmpty ? "\(read): all sound" : "\(read): \(result.damaged.count) damaged")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(of removal: DownloadCache.Removal) -> String {
        let partials = removal.partials == 0 ? "" : " and \(Figures.count(removal.partials, "partial file"))"
        return "removed \(Figures.count(removal.blobs, "file"))\(partials), \(Figures.bytes(removal.bytes))\n"
    }
}

// MARK: - JSON

extension CacheReport {
    var json: JSONValue {
        switch self {
        case .listing(let contents, let folder): Self.json(of: contents, folder)
        case .verification(let result): Self.json(of: result)
        case .removal(let removal):
            .object([
                "schemaVersion": 1, "files": .integer(Int64(removal.blobs)),
                "partials": .integer(Int64(removal.partials)),
                "addresses": .integer(Int64(removal.references)), "bytes": .integer(removal.bytes),
            ])
        }
    }

    private static func json(of contents: DownloadCache.Contents, _ folder: String) -> JSONValue {
        .object([
            "schemaVersion": 1, "folder": .string(folder), "bytes": .integer(contents.size),
            "files": .array(
                contents.blobs.map { blob in
                    .object([
                        "sha256": .string(blob.sha256.hex), "path": .string(blob.path), "bytes": .integer(blob.size),
                        "lastUsed": .string(UTCTime.text(blob.lastUse)),
                        "addresses": .array(Self.addresses(of: blob, in: contents).map(JSONValue.string)),
                    ])
                }),
            "partials": .array(
                contents.partials.map { partial in
                    .object([
                        "url": JSONValue(partial.url), "bytes": .integer(partial.size),
                        "expected": JSONValue(partial.expected), "lastUsed": .string(UTCTime.text(partial.lastUse)),
                    ])
                }),
        ])
    }

    private static func json(of result: DownloadCache.Verification) -> JSONValue {
        .object([
            "schemaVersion": 1, "isSound": .bool(result.isSound), "files": .integer(Int64(result.blobs)),
            "bytes": .integer(result.bytes), "addressesRemoved": .integer(Int64(result.references)),
            "leftOversRemoved": .integer(Int64(result.staleFiles)),
            "damaged": .array(
                result.damaged.map { damage in
                    .object([
                        "path": .string(damage.path), "sha256": .string(damage.sha256.hex),
                        "found": JSONValue(damage.found?.hex),
                        "addresses": .array(damage.addresses.map(JSONValue.string)),
                    ])
                }),
        ])
    }
}

/// Points in time for people and programs alike.
private enum UTCTime {
    /// `2026-03-01T12:00:00Z` of Unix seconds.
    static func text(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
