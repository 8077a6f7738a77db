import TestSupport
import Testing

@testable import DaeCore

@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/out.bin" }

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] { get throws { try FolderReading.names(in: folder.path) } }

    private func text(_ path: String) throws -> String {
        String(decoding: try OpenFile(path, .reading).bytes(limit: 1 << 20) ?? [], as: UTF8.self)
    }

    private func written(_ text: String, to path: String, by partial: String? = nil) throws -> AtomicFile {
        let file = try AtomicFile(path, by: partial)
        try file.file.write([UInt8](text.utf8))
        return file
    }

    @Test(arguments: [.none, .bytes, .name] as [AtomicFile.Durability])
    func theNewTakesThePlaceOfTheOldAtOnce(durability: AtomicFile.Durability) throws {
        try folder.write("old", to: "out.bin")
        let file = try written("new", to: path)
        #expect(try text(path) == "old")
        #expect(try names.count == 2)
        try file.place(durability)
        #expect(try text(path) == "new")
        #expect(try names == ["out.bin"])
    }

    @Test func whatIsGivenUpIsGone() throws {
        try folder.write("old", to: "out.bin")
        do { _ = try written("new", to: path) }
        #expect(try text(path) == "old")
        #expect(try names == ["out.bin"])
    }

    @Test func itLiesWhereItIsToldToUntilItIsWhole() throws {
        let file = try written("new", to: path, by: folder.path + "/place")
        #expect(try names == ["place"])
        #expect(throws: SystemError(path, EEXIST)) { try AtomicFile(path, by: folder.path + "/place") }
        #expect(try names == ["place"], "what another one made is not its to remove")
        try file.place(.name)
        #expect(try names == ["out.bin"])
    }

    @Test func aFolderIsNotReplaced() throws {
        try #require(mkdir(path, 0o755) == 0)
        let file = try written("new", to: path)
        #expect(throws: SystemError(path, EISDIR)) { try file.place(.name) }
    }

    @Test func severalAppearTogetherOrNotAtAll() throws {
        let other = folder.path + "/other.bin"
        do {
            let files = [try written("a", to: path), try written("b", to: other)]
            #expect(try names.count == 2)
            try AtomicFile.place(files, .none)
        }
        #expect(try names == ["other.bin", "out.bin"])
        let inTheWay = folder.path + "/folder"
        try #require(mkdir(inTheWay, 0o755) == 0)
        do {
            let files = [try written("c", to: folder.path + "/third"), try written("d", to: inTheWay)]
            #expect(throws: SystemError(inTheWay, EISDIR)) { try AtomicFile.place(files, .bytes) }
        }
        #expect(try names == ["folder", "other.bin", "out.bin"])
    }

    @Test func permissionsAreThoseThatProgramsGive() throws {
        let mask = umask(0)
        umask(mask)
        try written("a", to: path).place(.none)
        #expect(FileMetadata(path)?.permissions == 0o666 & ~mask)
        let file = try AtomicFile(path, permissions: 0o600)
        try file.place(.none)
        #expect(FileMetadata(path)?.permissions == 0o600)
        let open = try AtomicFile(path)
        try open.file.setPermissions(0o640)
        try open.place(.none)
        #expect(FileMetadata(path)?.permissions == 0o640)
    }

    @Test func aFolderThatIsNotThereIsSaid() {
        let path = folder.path + "/none/out.bin"
        #expect(throws: SystemError(path, ENOENT)) { try AtomicFile(path) }
    }
}
