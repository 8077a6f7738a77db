import ArgumentParser
import DaeCore
import Daedalus

struct ImportFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-folder",
        abstract: "Move all that a folder keeps into the database and the store that are configured.",
        discussion: """
            No service may run on the folder, nor on what it is moved to, which has to be empty. The folder stays as it is. \
            What was interrupted goes on where it was when it is run again. Results are not moved: they are made again when \
            they are asked for.

            \(TransferOptions.codes)
            """)

    @Argument(help: ArgumentHelp("The folder that was another service's --data.", valueName: "source"))
    var source: String
    @OptionGroup var options: TransferOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
        try await data.run { settings in
            try await options.transfer(from: .ofFolder(source), to: settings, .move)
        }
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy all that is kept in the database and the store that are configured into a folder.",
        discussion: """
            `daed serve --data TARGET` serves the copy. The service may run meanwhile: then each asset is as it was at some \
            moment of it, and what came behind its beginning may not be there. What was interrupted goes on where it was when \
            it is run again. Results are not copied, nor what waits for webhooks.

            \(TransferOptions.codes)
            """)

    @Argument(help: ArgumentHelp("A folder that is empty or not there yet.", valueName: "target"))
    var target: String
    @OptionGroup var options: TransferOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
        try await data.run { settings in
            try await options.transfer(from: settings, to: .ofFolder(target), .copy)
        }
    }
}

extension ServiceSettings {
    /// With SQLite and all bytes in one folder.
    fileprivate static func ofFolder(_ data: String) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.data = data
        return settings
    }

    private var realData: String { (try? RealPath.of(data)) ?? data }
    fileprivate var places: (rows: String, bytes: String) {
        get throws(ServiceStartError) {
            switch try DatabaseChoice(self) {
            case .sqlite: (realData, store == "folder" ? realData : store)
            case .postgreSQL(let address): ("\(address)", store == "folder" ? realData : store)
            }
        }
    }
}

struct TransferOptions: ParsableArguments {
    @Option(help: "The result's form: text or json.")
    var format = ResultForm.text

    static let codes = """
        Exit code 0: all is there; 1: all but assets whose original is lost; 64: both are the same; 66: nothing is kept there; \
        69: a database or a store does not answer; 73 or 78: the target has something else, or cannot be used; 75: a service \
        runs on one of them.
        """

    fileprivate func transfer(
        from: ServiceSettings, to: ServiceSettings, _ purpose: Transfer.Purpose
    ) async throws {
        let (source, target) = (try from.places, try to.places)
        guard source.rows != target.rows else {
            throw ServiceStartError(
                description: "\(source.rows) is where its rows would go, too; name another database or folder",
                exitCode: 64)
        }
        let old = try await ServiceStores.existing(from)
        if purpose == .move { try Self.refuseService(on: ServiceFolder(path: from.data)) }
        var folder = ServiceFolder(path: to.data)
        try folder.prepare()
        try Self.refuseService(on: folder)
        OwnerLock.clear(folder)
        let owner = try OwnerLock(folder)
        defer { owner.end() }
        folder.owner = owner.name
        let new = try await ServiceStores.open(to, folder)
        let all: Int64 = try await old.database.read { try $0.value("SELECT count(*) FROM assets") } ?? 0
        let transfer = Transfer(old, new, folder, name: "\(source.rows) \(source.bytes)", purpose) { news in
            switch news {
            case .progress(let now): Self.show("\(now.assets) of \(all) assets, \(now.bytes) bytes")
            case .lost(let key, let reason):
                Self.show("")
                complain("\(key): \(reason); its assets are left out")
            case .begunAnew(let upload):
                Self.show("")
                complain("the upload \(upload): its pieces are being sent, or lost; it is empty in the copy")
            }
        }
        let outcome: Transfer.Outcome
        do { outcome = try await transfer.run() } catch let error as Transfer.Occupied {
            throw ServiceStartError(
                description: "\(target.rows) has \(error.table) of something else; expected an empty one",
                exitCode: to.isOfOneFolder ? 73 : 78)
        } catch is Transfer.Served {
            throw ServiceStartError(description: "\(target.rows): a service runs on it; stop it first", exitCode: 75)
        } catch {
            Self.show("")
            throw ServiceStartError(interrupting: error)
        }
        Self.show("")
        try old.database.close()
        try new.database.close()
        try report(outcome)
    }

    private static func refuseService(on folder: ServiceFolder) throws {
        let names = ServiceFolder.names(in: folder.owners)
        guard names.contains(where: { AssetID($0) != nil && !OwnerLock.isGone($0, folder) }) else { return }
        throw ServiceStartError(description: "\(folder.path): a daed runs on it; stop it first", exitCode: 75)
    }

    /// The present line of a terminal, in place of the one before.
    private static func show(_ line: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let bytes = Array("\r\u{1B}[K\(line)".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func report(_ outcome: Transfer.Outcome) throws {
        let (progress, isNew) =
            switch outcome {
            case .done(let progress): (progress, true)
            case .wasDone(let progress): (progress, false)
            }
        switch format {
        case .text:
            let counts = "\(progress.assets) assets, \(progress.originals) originals, \(progress.bytes) bytes"
            print(isNew ? counts : "It was done before, and nothing now: \(counts)")
        case .json:
            ResultForm.print([
                "schemaVersion": 1, "outcome": .string(isNew ? "done" : "wasDone"),
                "assets": JSONValue(progress.assets),
                "originals": JSONValue(progress.originals), "bytes": .integer(progress.bytes),
                "lost": JSONValue(progress.lost),
            ])
        }
        if progress.lost > 0 { throw ExitCode(1) }
    }
}

extension ServiceStartError {
    /// What stopped a transfer.
    fileprivate init(interrupting error: any Error) {
        let code: Int32 =
            switch StoreFault(error) {
            case .outage: 69
            case .full: 73
            case nil: 74
            }
        self.init(description: "\(error); run it again to go on", exitCode: code)
    }
}
