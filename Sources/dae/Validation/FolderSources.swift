import ArgumentParser
import DaeCore
import Daedalus

/// What a folder or an archive among the sources means.
enum FolderMeaning: String, ExpressibleByArgument, CaseIterable {
    /// One scene where a manifest names it, else each model in it.
    case auto
    /// One scene: the best where no manifest names one.
    case bundle
    case each

    var several: SeveralModels {
        switch self {
        case .auto: .each
        case .each: .all
        case .bundle: .best
        }
    }
}

// Of commands that take each model. No group of options: each kind of them takes a third of a millisecond at the start.
extension FolderMeaning {
    static let help = ArgumentHelp(
        "What a folder or an archive of several models means: bundle, each model in it, or auto: what manifest.xml or doc.kml names, else each.",
        valueName: "how")

    /// The sources, with each folder that is no bundle replaced by the models below it, and each robot's description by
    /// those that it names; what of these is not read is told.
    func contents(of sources: [String], _ places: PlaceOptions) throws -> FolderSources.Contents {
        let contents = try FolderSources(meaning: self, robots: places.robots).contents(of: sources)
        for note in contents.notes { complain(note) }
        return contents
    }
}

extension FolderMeaning {
    /// The sources, where a robot's description among them names one model.
    ///
    /// - Parameter option: Takes several models.
    func only(
        of sources: [String], _ places: PlaceOptions, else option: String
    ) throws -> (sources: [String], robots: [DescribedRobot]) {
        guard let source = sources.first, RobotDescription.Format(named: source) != nil else { return (sources, []) }
        let contents = try contents(of: sources, places)
        for failure in contents.failures { complain(SourceRun.text(of: failure)) }
        if let failure = contents.failures.first { throw DaeExit(failure: failure.code) }
        guard contents.sources.count == 1 else {
            let count = Figures.count(contents.sources.count, "model")
            throw ValidationError("\(source.withoutControls) names \(count); expected one, or \(option).")
        }
        return (contents.sources, contents.robots)
    }
}

/// Folders of many models, as the models in them.
struct FolderSources {
    /// What folders hold.
    struct Contents {
        var sources: [String] = []
        /// What may be models too and cannot be read.
        var faults: [Fault] = []
        /// Descriptions among the sources.
        var robots: [DescribedRobot] = []
        /// Of the models that these name, their paths in their packages.
        var tops: [String: String] = [:]
        /// What is not read of these.
        var notes: [String] = []
    }

    /// What lies in a folder and cannot be looked at.
    struct Fault {
        /// As it may be shown.
        let path: String
        let failure: InspectionFailure

        init(path: String, reason: String) {
            self.path = path
            failure = InspectionFailure(
                source: .init(input: path), stage: .download, code: .ioError, message: reason, place: Place())
        }

        init(_ failure: InspectionFailure) {
            path = failure.source.input
            self.failure = failure
        }
    }

    private static let endings = [".dae", ".zae", ".kmz", ".zip"]
    /// As many entries as a bundle may have.
    private static let limit = 200_000

    let meaning: FolderMeaning
    let robots: RobotReading

    /// The sources, with each folder that is no bundle replaced by the models below it, sorted by path.
    func contents(of given: [String]) throws -> Contents {
        var all = Contents()
        for source in given {
            switch robots.robot(at: source) {
            case .read(let robot): all.add(robot)
            case .failed(let failure): all.faults.append(Fault(failure))
            case nil:
                let own = try contents(of: source)
                all.sources += own.sources
                all.faults += own.faults
            }
        }
        return all
    }

    /// The files below a folder whose names are wanted, sorted by path.
    static func files(below folder: String, where isWanted: @escaping (String) -> Bool) throws -> [String] {
        var walk = FolderWalk(folder, isWanted)
        try walk.run()
        return walk.contents.sources
    }

    private func contents(of source: String) throws -> Contents {
        let bundle = Contents(sources: [source])
        guard ControlFile.kind(source) == .folder else { return bundle }
        switch meaning {
        case .bundle: return bundle
        case .auto:
            if Self.namesScene(source) { return bundle }
            var walk = FolderWalk(source)
            try walk.run()
            // Of a bundle the archive reader tells what it leaves out.
            guard walk.models > 1 else { return bundle }
            let contents = Self.withoutParts(walk.contents, in: source)
            return contents.sources.count == 1 && contents.faults.isEmpty ? bundle : contents
        case .each:
            var walk = FolderWalk(source)
            try walk.run()
            if walk.contents.sources.isEmpty, walk.contents.faults.isEmpty {
                throw ValidationError("\(source.withoutControls): no model is in this folder.")
            }
            return Self.withoutParts(walk.contents, in: source)
        }
    }

    /// Whether a manifest says which document of a folder is its scene.
    private static func namesScene(_ folder: String) -> Bool {
        guard let bundle = try? Bundle.open(path: folder),
            let choice = try? BundleManifest.scene(of: bundle, documents: .unread).choice
        else { return false }
        return choice.rule == .zaeManifest || choice.rule == .kmzModelLink
    }

    /// Without documents that others refer to: they are parts of models.
    private static func withoutParts(_ contents: Contents, in folder: String) -> Contents {
        let top = folder.hasSuffix("/") ? folder : folder + "/"
        let documents = contents.sources.filter { $0.lowercased().hasSuffix(".dae") && $0.hasPrefix(top) }
        guard documents.count > 1 else { return contents }
        let models = DocumentReferences.models(among: documents.map { String($0.dropFirst(top.count)) }) { path in
            (try? references(of: top + path)) ?? []
        }
        let parts = Set(documents).subtracting(models.map { top + $0 })
        var contents = contents
        contents.sources.removeAll { parts.contains($0) }
        return contents
    }

    private static func references(of path: String) throws -> [String] {
        let source = try FileByteSource(path: path)
        var references = DocumentReferences()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while case let count = try source.read(at: offset, into: buffer), count > 0 {
            references.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return references.files
    }

    /// Links to folders are not followed, and hidden folders not entered.
    private struct FolderWalk {
        private(set) var contents = Contents()
        /// Files that are named as models are, whether they can be read or not.
        private(set) var models = 0
        private let folder: String
        private let isWanted: (String) -> Bool
        private var waiting: [String]

        init(
            _ folder: String,
            _ isWanted: @escaping (String) -> Bool = { endings.contains(where: $0.lowercased().hasSuffix) }
        ) {
            self.folder = folder
            self.isWanted = isWanted
            waiting = [folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder]
        }

        mutating func run() throws {
            var seen = 0
            while let place = waiting.popLast() {
                var names: [[UInt8]] = []
                let fault = FolderReading.read(place) { name, _ in
                    if name.first != UInt8(ascii: "."), !name.elementsEqual("__MACOSX".utf8) {
                        names.append(Array(name))
                    }
                    return seen + names.count <= limit
                }
                if let fault { tell(place, "cannot list", fault) }
                seen += names.count
                guard seen <= limit else {
                    throw ValidationError("\(folder.withoutControls): more than \(limit) files; name fewer folders.")
                }
                for name in names { look(at: name, in: place) }
            }
            contents.sources.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            contents.faults.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }

        private mutating func look(at name: [UInt8], in place: String) {
            let shown = (place == "/" ? "/" : place + "/") + String(decoding: name, as: UTF8.self)
            let isModel = isWanted(shown)
            let path = Array(place.utf8) + [UInt8(ascii: "/")] + name
            var status = stat()
            let text = path.map { CChar(bitPattern: $0) } + [0]
            guard lstat(text, &status) == 0 else {
                // Gone since it was listed: not there.
                if errno != ENOENT { tell(shown, "cannot read", errno) }
                return
            }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if isLink, isModel, stat(text, &status) != 0 {
                models += 1
                return tell(shown, "cannot follow the link", errno)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where !isLink:
                guard isText(name, shown) else { return }
                waiting.append(shown)
            case S_IFREG where isModel:
                models += 1
                guard isText(name, shown) else { return }
                contents.sources.append(shown)
            default: break
            }
        }

        /// Whether a name can be a source's; one that cannot is told.
        private mutating func isText(_ name: [UInt8], _ shown: String) -> Bool {
            if String(validating: name, as: UTF8.self) != nil { return true }
            contents.faults.append(Fault(path: shown, reason: "its name is not UTF-8, so it cannot be read by it"))
            return false
        }

        private mutating func tell(_ path: String, _ what: String, _ code: Int32) {
            contents.faults.append(Fault(path: path, reason: "\(what): \(String(cString: strerror(code)))"))
        }
    }
}
