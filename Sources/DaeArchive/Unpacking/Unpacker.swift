import DaeCore
import DaeDiagnostics

/// Writes a bundle's files below a folder: plain files and folders, with the permissions that the process gives new
/// ones. Nothing half-written is ever seen there.
package struct Unpacker: Sendable {
    /// What happens where a file is in the folder already.
    package enum Conflict: Sendable {
        /// Nothing at all is written.
        case refuse
        /// Files of the same path are replaced, each at once; all others stay.
        case replaceFiles
    }

    package struct Result: Sendable, Equatable {
        package var files = 0
        package var bytes: Int64 = 0
    }

    package let folder: String
    package let conflict: Conflict
    var links = Placement.Links.tried

    /// - Parameter folder: Made when it is missing; the folder it stands in must be there. It may hold other files, and
    ///   may be a symbolic link to a folder; no link below it is followed.
    package init(folder: String, conflict: Conflict = .refuse) {
        self.folder = folder
        self.conflict = conflict
    }

    /// Unpacks every entry that `selects` wants; the first of those that share a path.
    ///
    /// All is written into a new folder first: in the target where that is there, else beside it. Then it is put in
    /// place. When something fails, what was written is removed, what was replaced is put back, and the target is as it
    /// was. What a process that was killed has left in the same place is removed first.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked before each file and every 128 KiB.
    ///   - report: Called before each step.
    /// - Throws: ``UnpackError``.
    package func unpack(
        _ bundle: Bundle, selects: (Bundle.Entry) -> Bool = { _ in true }, isCancelled: () -> Bool = { false },
        report: (Step) -> Void = { _ in }
    ) throws(UnpackError) -> Result {
        let entries = bundle.entries.filter { selects($0) && bundle.entry(at: $0.path) == $0 }
        do { try bundle.check(readable: entries) } catch { throw UnpackError(error) }
        let plan = try UnpackPlan(entries, limits: bundle.limits)
        let target = try UnpackTarget.open(folder)
        do throws(SystemError) {
            try PartialFolder.removeLeftovers(in: target.ground, isCancelled: isCancelled) { name, fate in
                report(.found(folder: target.path(of: name), fate))
            }
        } catch {
            throw .cannotWrite(folder, error)
        }
        try check(plan, target, isCancelled)
        let partial: PartialFolder
        do throws(SystemError) { partial = try PartialFolder.make(in: target.ground) } catch {
            throw .cannotWrite(target.groundName, error)
        }
        let path = target.path(of: partial.name)
        report(.writing(folder: path))
        defer { report(.ended) }
        do throws(UnpackError) {
            let result = try write(plan, of: bundle, to: partial.files, isCancelled)
            report(.placing(folder: path))
            try place(partial, in: target, isCancelled)
            report(.removing(folder: path))
            // What cannot be removed is found by the next unpacking; the files are in their place.
            try? partial.remove(from: target.ground)
            return result
        } catch {
            guard error.leftover == nil else { throw error }
            report(.removing(folder: path))
            do throws(SystemError) { try partial.remove(from: target.ground) } catch let failure {
                throw error.leaving(path, failure)
            }
            throw error
        }
    }
}

extension Unpacker {
    /// What an unpacking is about to do, for who has to know which folder is left where the process ends at once.
    ///
    /// Each folder is a path as ``Unpacker/folder`` is one.
    package enum Step: Sendable, Equatable {
        /// What another process had left there, and what became of it.
        case found(folder: String, Leftover)
        /// All is written into this folder first.
        case writing(folder: String)
        /// Files leave that folder for the target; those that they replace are kept in its folder `replaced`.
        case placing(folder: String)
        case removing(folder: String)
        /// Nothing is written any more.
        case ended
    }

    package enum Leftover: Sendable, Equatable {
        case removed
        /// The file system has no locks that would tell whether somebody still writes to it.
        case maybeInUse
        /// The process was stopped while it replaced files: those that it took away are in the folder `replaced`.
        case holdsReplacedFiles
        case cannotBeRemoved(reason: String)
    }
}

/// What of a bundle is unpacked, known to be files and folders that can stand side by side.
struct UnpackPlan {
    let entries: [Bundle.Entry]

    /// - Parameter entries: Each path once.
    init(_ entries: [Bundle.Entry], limits: ArchiveLimits) throws(UnpackError) {
        self.entries = entries
        do throws(CodedFailure) {
            if try Self.mayClash(entries, limits: limits) { try Self.checkSorted(entries) }
        } catch {
            throw UnpackError(error)
        }
    }

    /// Whether a file may be called like a folder: told by hashes alone, so that a deep path costs no more than a long
    /// one.
    private static func mayClash(_ entries: [Bundle.Entry], limits: ArchiveLimits) throws(CodedFailure) -> Bool {
        let seed = UInt64.random(in: 0 ... .max)
        var folders: Set<UInt64> = []
        var files: [UInt64] = []
        files.reserveCapacity(entries.count)
        for entry in entries {
            let path = entry.unpackedPath
            var hash = seed
            var start = 0
            for (index, byte) in path.enumerated() {
                if byte == UInt8(ascii: "/") {
                    try check(path[start..<index], of: entry)
                    folders.insert(hash)
                    start = index + 1
                }
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            try check(path[start...], of: entry)
            files.append(hash)
            guard folders.count <= limits.entryCount else { throw .tooManyEntries(limits.entryCount) }
        }
        return files.contains { folders.contains($0) }
    }

    private static func check(_ component: ArraySlice<UInt8>, of entry: Bundle.Entry) throws(CodedFailure) {
        guard component.first == UInt8(ascii: "."), PartialFolder.isName(component) else { return }
        throw CodedFailure(
            .archiveInvalid, entry: entry.path,
            "the entry is called as a folder that is being unpacked, which would be taken for what was left of one")
    }

    private static func checkSorted(_ entries: [Bundle.Entry]) throws(CodedFailure) {
        let slash = UInt8(ascii: "/")
        // With the slash before all other bytes, what lies in a folder follows at once on a file of its name.
        let paths = entries.map { $0.unpackedPath.map { $0 == slash ? 0 : $0 } }
            .sorted { $0.lexicographicallyPrecedes($1) }
        for (file, next) in zip(paths, paths.dropFirst())
        where next.count > file.count && next.starts(with: file) && next[file.count] == 0 {
            let path = String(decoding: file.map { $0 == 0 ? slash : $0 }, as: UTF8.self)
            throw CodedFailure(
                .archiveInvalid, entry: path, "the bundle holds a file and a folder of this name; only one can be")
        }
    }
}

extension Bundle.Entry {
    /// The path as it is written: its own bytes where those are no UTF-8.
    var unpackedPath: [UInt8] {
        if case .file(let rawPath?) = location { return rawPath }
        return Array(path.utf8)
    }
}

/// Where a bundle is unpacked to.
struct UnpackTarget: ~Copyable {
    enum Place {
        /// The folder is there; ``ground`` is it.
        case present
        /// It is to be made under this name in ``ground``.
        case missing(FileName)
    }

    let place: Place
    /// The folder in which everything is written.
    let ground: OpenFolder
    /// As the person wrote it, without slashes at its end.
    let path: String
    /// Of ``ground``, as it may be joined with a name.
    private let groundPath: String

    private init(_ ground: consuming OpenFolder, at groundPath: String, _ place: Place, _ path: String) {
        self.ground = ground
        self.groundPath = groundPath
        self.place = place
        self.path = path
    }

    /// - Parameter path: May be or lead through a symbolic link: a person named it, not the bundle.
    static func open(_ path: String) throws(UnpackError) -> UnpackTarget {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        do throws(SystemError) {
            return UnpackTarget(try OpenFolder.at(path), at: path == "/" ? "" : path, .present, path)
        } catch {
            switch error.code {
            case ENOENT: return try parent(of: path)
            case ENOTDIR: throw .notAFolder(path)
            default: throw .cannotWrite(path, error)
            }
        }
    }

    private static func parent(of path: String) throws(UnpackError) -> UnpackTarget {
        guard FileMetadata(path) == nil else { throw .leadsNowhere(path) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = FileName(path.utf8[(slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex)...])
        guard !name.isDots, !name.bytes.isEmpty else { throw .cannotWrite(path, SystemError(path, ENOENT)) }
        let parent = slash.map { $0 == path.utf8.startIndex ? "/" : String(path[..<$0]) } ?? "."
        do throws(SystemError) {
            return UnpackTarget(
                try OpenFolder.at(parent), at: parent == "/" ? "" : parent, .missing(name), path)
        } catch {
            throw .cannotMake(path, in: parent, error)
        }
    }

    /// Of ``ground``, for messages.
    var groundName: String { groundPath.isEmpty ? "/" : groundPath }

    /// The path of something in ``ground``, for messages.
    func path(of name: FileName) -> String { path(of: name.bytes) }

    func path(of below: [UInt8]) -> String { "\(groundPath)/\(String(decoding: below, as: UTF8.self))" }
}

extension Unpacker {
    // MARK: - Before

    /// Whether all of it may be put into the target, as far as can be told before anything is written.
    func check(
        _ plan: UnpackPlan, _ target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        switch target.place {
        case .missing: return
        case .present: break
        }
        var path: [UInt8] = []
        do throws(SystemError) {
            var cursor = try FolderCursor(target.ground)
            for entry in plan.entries {
                path = entry.unpackedPath
                guard !isCancelled() else { throw SystemError(entry.path, ECANCELED) }
                let name: FileName
                do throws(SystemError) { name = try cursor.enter(folderOf: path) } catch {
                    guard error.code == ENOENT else { throw error }
                    continue
                }
                switch try cursor.folder.metadata(name)?.kind {
                case nil: break
                case .file:
                    switch conflict {
                    case .refuse: throw SystemError(entry.path, EEXIST)
                    case .replaceFiles: break
                    }
                case .folder, .link, .pipe, .socket, .device, .other: throw SystemError(entry.path, ENOTDIR)
                }
            }
        } catch {
            throw Self.obstacle(error, at: target.path(of: path))
        }
    }

    private static func obstacle(_ failure: SystemError, at path: String) -> UnpackError {
        switch failure.code {
        case ECANCELED: .cancelled
        case EEXIST: .present(path)
        case ENOTDIR, ELOOP: .inTheWay(path)
        default: .cannotWrite(path, failure)
        }
    }

    // MARK: - Writing

    func write(
        _ plan: UnpackPlan, of bundle: Bundle, to files: borrowing OpenFolder, _ isCancelled: () -> Bool
    ) throws(UnpackError) -> Result {
        var result = Result()
        var cursor: FolderCursor
        do throws(SystemError) { cursor = try FolderCursor(files, missing: .make) } catch {
            throw .cannotWrite(folder, error)
        }
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 17)
        defer { chunk.deallocate() }
        for entry in plan.entries {
            let reader: EntryReader
            do { reader = try bundle.reader(for: entry) } catch { throw UnpackError(error) }
            let file: OpenFile
            do throws(SystemError) {
                let name = try cursor.enter(folderOf: entry.unpackedPath)
                file = try cursor.folder.makeFile(name)
            } catch { throw .cannotWrite(entry.path, error) }
            try Self.copy(reader, to: file, chunk, isCancelled)
            do throws(SystemError) { try file.close() } catch { throw .cannotWrite(entry.path, error) }
            result.files += 1
            result.bytes += reader.position
        }
        return result
    }

    private static func copy(
        _ reader: EntryReader, to file: borrowing OpenFile, _ chunk: UnsafeMutableRawBufferPointer,
        _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        while true {
            guard !isCancelled() else { throw .cancelled }
            let count: Int
            do { count = try reader.read(into: chunk) } catch { throw UnpackError(error) }
            guard count > 0 else { return }
            do throws(SystemError) { try file.write(UnsafeRawBufferPointer(rebasing: chunk[..<count]).bytes) } catch {
                throw .cannotWrite(reader.entry.path, error)
            }
        }
    }

    // MARK: - Afterwards

    /// Puts what was written in its place.
    func place(
        _ partial: borrowing PartialFolder, in target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        let name: FileName
        switch target.place {
        case .missing(let missing): name = missing
        case .present: return try merge(partial, into: target, isCancelled)
        }
        do throws(SystemError) { try partial.moveFiles(to: target.ground, as: name) } catch {
            switch error.code {
            // Only an empty folder that was made meanwhile is replaced.
            case ENOTEMPTY, EEXIST, ENOTDIR: throw .occupied(folder)
            default: throw .cannotWrite(folder, error)
            }
        }
    }

    private func merge(
        _ partial: borrowing PartialFolder, into target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        let replaced: OpenFolder
        do throws(SystemError) { replaced = try partial.makeReplaced() } catch {
            throw .cannotWrite(folder, error)
        }
        var placement = Placement(conflict, links: links)
        do throws(Placement.Stop) {
            try placement.run(partial.files, to: target.ground, replaced: replaced, isCancelled: isCancelled)
        } catch {
            let failed = placement.rollBack(to: partial.files, from: target.ground, replaced: replaced)
            let cause = Self.obstacle(error.failure, at: target.path(of: error.path))
            guard failed.isEmpty else {
                throw cause.leaving(failed, movedIn: folder, partial: target.path(of: partial.name))
            }
            throw cause.undone
        }
    }
}
