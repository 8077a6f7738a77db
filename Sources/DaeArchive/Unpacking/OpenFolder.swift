// Every step is taken from a folder's descriptor and follows no link, so that nothing that stands in an archive, or
// that somebody puts in the way meanwhile, leads out of the folder.

import DaeCore

/// A folder's descriptor, from which one step is taken at a time.
struct OpenFolder: ~Copyable, Sendable {
    let descriptor: Int32

    private init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The folder at any path, which a person named: links on the way are followed.
    static func at(_ path: String) throws(SystemError) -> OpenFolder {
        OpenFolder(adopting: try checked(path, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
    }

    /// The same folder once more.
    func copy() throws(SystemError) -> OpenFolder {
        OpenFolder(adopting: try Self.checked(".", fcntl(descriptor, F_DUPFD_CLOEXEC, 0)))
    }

    func folder(_ name: FileName) throws(SystemError) -> OpenFolder {
        OpenFolder(adopting: try opened(name, O_RDONLY | O_DIRECTORY))
    }

    /// A file to be read, or what else is there; a pipe is not waited for.
    ///
    /// - Parameter shown: What errors call it.
    func file(_ name: FileName, shown: String) throws(SystemError) -> OpenFile {
        OpenFile(adopting: try opened(name, O_RDONLY | O_NONBLOCK | O_NOCTTY), name: shown)
    }

    private func opened(_ name: FileName, _ flags: Int32) throws(SystemError) -> Int32 {
        let flags = flags | O_NOFOLLOW | O_CLOEXEC
        return try Self.checked(name.text, openat(descriptor, name.characters, flags, 0o666))
    }

    // MARK: - Making

    /// A new, empty file.
    func makeFile(_ name: FileName) throws(SystemError) -> OpenFile {
        OpenFile(adopting: try opened(name, O_WRONLY | O_CREAT | O_EXCL), name: name.text)
    }

    func makeFolder(_ name: FileName, mode: mode_t = 0o777) throws(SystemError) {
        try Self.checked(name.text, mkdirat(descriptor, name.characters, mode))
    }

    // MARK: - Moving

    /// Takes the place of a file, or for a folder that of an empty one.
    func move(_ name: FileName, to folder: borrowing OpenFolder, as newName: FileName) throws(SystemError) {
        try Self.checked(name.text, renameat(descriptor, name.characters, folder.descriptor, newName.characters))
    }

    /// Gives a file a second name, where there is nothing yet.
    func link(_ name: FileName, to folder: borrowing OpenFolder, as newName: FileName) throws(SystemError) {
        try Self.checked(name.text, linkat(descriptor, name.characters, folder.descriptor, newName.characters, 0))
    }

    func removeFile(_ name: FileName) throws(SystemError) {
        try Self.checked(name.text, unlinkat(descriptor, name.characters, 0))
    }

    func removeFolder(_ name: FileName) throws(SystemError) {
        try Self.checked(name.text, unlinkat(descriptor, name.characters, AT_REMOVEDIR))
    }

    @discardableResult
    private static func checked(
        _ subject: @autoclosure () -> String, _ result: Int32
    ) throws(SystemError) -> Int32 {
        guard result < 0 else { return result }
        let code = errno
        throw SystemError(subject(), code)
    }
}

// MARK: - Looking

extension OpenFolder {
    /// What stands under a name; `nil` for nothing.
    func metadata(_ name: FileName) throws(SystemError) -> FileMetadata? {
        if let found = found(name) { return found }
        let code = errno
        guard code == ENOENT else { throw SystemError(name.text, code) }
        return nil
    }

    private func found(_ name: FileName) -> FileMetadata? {
        FileMetadata(name.characters, in: descriptor)
    }

    /// Whether `other` is what stands here under a name.
    func holds(_ other: borrowing OpenFolder, as name: FileName) -> Bool {
        guard let here = found(name), let there = FileMetadata(other.descriptor) else { return false }
        return here.identity == there.identity
    }

    /// What it holds, at most `most` names, in no order.
    func names(most: Int = .max) throws(SystemError) -> [FileName] {
        // Opened anew: a descriptor and its copies share the place they have read up to.
        let listed = try opened(FileName("."), O_RDONLY | O_DIRECTORY)
        var names: [FileName] = []
        let fault = FolderReading.read(adopting: listed) { bytes, _ in
            names.append(FileName(bytes))
            return names.count < most
        }
        if let fault { throw SystemError(".", fault) }
        return names
    }
}

/// One component of a path, for C.
struct FileName: Sendable {
    /// With a zero behind them.
    let characters: [CChar]

    init(_ bytes: some Sequence<UInt8>) {
        characters = bytes.map { CChar(bitPattern: $0) } + [0]
    }

    init(_ text: String) { self.init(text.utf8) }

    /// As it may stand in a message.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var bytes: [UInt8] { characters.dropLast().map { UInt8(bitPattern: $0) } }

    var isDots: Bool { characters == [0x2E, 0] || characters == [0x2E, 0x2E, 0] }
}

// Entries of one folder mostly follow one another: the folder stays open for the next.

/// Walks from one folder below a root to another, step by step and through no link.
struct FolderCursor: ~Copyable {
    enum Missing {
        case fail, make
    }

    private let root: OpenFolder
    private let missing: Missing
    private var path: ArraySlice<UInt8> = []
    /// The folder that was entered last; at first the root.
    private(set) var folder: OpenFolder

    /// - Parameter missing: What becomes of folders on the way that are not there.
    init(_ root: borrowing OpenFolder, missing: Missing = .fail) throws(SystemError) {
        let one = try root.copy()
        let other = try root.copy()
        self.root = one
        self.missing = missing
        folder = other
    }

    /// Enters the folder in which `path` stands; gives the last component.
    mutating func enter(folderOf path: [UInt8]) throws(SystemError) -> FileName {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        try enter(slash.map { path[..<$0] } ?? [])
        return FileName(path[(slash.map { $0 + 1 } ?? 0)...])
    }

    /// - Parameter target: From the root; empty for the root itself.
    mutating func enter(_ target: ArraySlice<UInt8>) throws(SystemError) {
        guard target != path else { return }
        var current = try root.copy()
        for component in target.split(separator: UInt8(ascii: "/")) {
            let name = FileName(component)
            switch missing {
            case .fail: break
            case .make:
                do throws(SystemError) { try current.makeFolder(name) } catch {
                    guard error.code == EEXIST else { throw error }
                }
            }
            current = try current.folder(name)
        }
        folder = current
        path = target
    }
}

// However deep the folders lie within one another, two are open at a time: those within a folder are moved up to the
// top before it is removed.

/// Removes all that a folder holds.
struct FolderRemoval: ~Copyable {
    private let root: OpenFolder
    private var moved = 0

    /// Names that are read at once.
    private static let batch = 8192

    init(of root: borrowing OpenFolder) throws(SystemError) {
        self.root = try root.copy()
    }

    /// - Throws: At what cannot be removed; and `ECANCELED`.
    mutating func run(isCancelled: () -> Bool = { false }) throws(SystemError) {
        while case let names = try root.names(most: Self.batch), !names.isEmpty {
            for name in names {
                guard !isCancelled() else { throw SystemError(name.text, ECANCELED) }
                guard try !removeFile(name, in: root) else { continue }
                try empty(try root.folder(name), isCancelled)
                try root.removeFolder(name)
            }
        }
    }

    private mutating func empty(
        _ folder: consuming OpenFolder, _ isCancelled: () -> Bool
    ) throws(SystemError) {
        while case let names = try folder.names(most: Self.batch), !names.isEmpty {
            for name in names {
                guard !isCancelled() else { throw SystemError(name.text, ECANCELED) }
                if try !removeFile(name, in: folder) { try moveUp(name, from: folder) }
            }
        }
    }

    /// Whether it was no folder.
    private func removeFile(_ name: FileName, in folder: borrowing OpenFolder) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try folder.removeFile(name)
            return true
        } catch {
            switch error.code {
            case ENOENT: return true
            case EISDIR: return false
            default: throw error
            }
        }
    }

    private mutating func moveUp(_ name: FileName, from folder: borrowing OpenFolder) throws(SystemError) {
        while true {
            moved += 1
            do throws(SystemError) {
                return try folder.move(name, to: root, as: FileName("\(moved)"))
            } catch {
                // An earlier removal that was stopped may have left one of this name.
                guard error.code == ENOTEMPTY || error.code == EEXIST || error.code == ENOTDIR else { throw error }
            }
        }
    }
}
