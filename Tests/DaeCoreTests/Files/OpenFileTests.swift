import TestSupport
import Testing

@testable import DaeCore

@Suite struct OpenFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/a.bin" }

    init() throws { folder = try TemporaryFolder() }

    private func bytes(of path: String) throws -> [UInt8]? { try OpenFile(path, .reading).bytes(limit: 1 << 20) }

    @Test func bytesAreWrittenWholeAndReadBack() throws {
        let sample = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try OpenFile(path, .creating)
        try file.write(sample[..<70_000])
        try file.write(sample[70_000...])
        #expect(try bytes(of: path) == sample)
        var pieces: [UInt8] = []
        try OpenFile(path, .reading).readPieces { pieces += $0 }
        #expect(pieces == sample)
        #expect(try OpenFile(path, .reading).bytes(limit: sample.count) == sample)
        #expect(try OpenFile(path, .reading).bytes(limit: sample.count - 1) == nil)
    }

    @Test func placesAreWrittenAndReadWithoutMovingOn() throws {
        let file = try OpenFile(path, .creating)
        let cd = [UInt8]("cd".utf8)
        try file.write(cd.span.bytes, at: 4)
        try file.write([UInt8]("ab".utf8))
        #expect(try bytes(of: path) == Array("ab\0\0cd".utf8))
        var buffer: [UInt8] = [0, 0, 0]
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 4) }
        #expect(count == 2)
        #expect(buffer == Array("cd\0".utf8))
        try file.truncate(to: 1)
        #expect(try bytes(of: path) == Array("a".utf8))
    }

    /// A pipe takes what it has space for, and no more.
    @Test(arguments: [false, true]) func shortWritesAreGoneOnWith(blocks: Bool) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        if !blocks { try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0) }
        let (reader, writer) = (ends[0], ends[1])
        let sample = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = SideThread.run {
            try? OpenFile(adopting: reader, name: "pipe").bytes(limit: 1 << 20)
        } beside: { () -> SystemError? in
            do throws(SystemError) {
                let file = OpenFile(adopting: writer, name: "pipe")
                try file.write(sample)
                try file.close()
                return nil
            } catch { return error }
        }
        let ended = try #require(result)
        #expect(ended.value == nil)
        #expect(ended.side == sample)
    }

    @Test func aDiskThatIsFullIsSaidInTheSystemsWords() throws {
        let file = try OpenFile("/dev/full", .writing, name: "out.glb")
        let error = #expect(throws: SystemError.self) { try file.write([1, 2, 3]) }
        #expect(error == SystemError("out.glb", ENOSPC))
        #expect(error?.description == "out.glb: No space left on device")
        // Nothing to write needs no space.
        try file.write([UInt8]())
    }

    @Test func whatCannotBeOpenedSaysWhy() throws {
        try folder.write("x", to: "a.bin")
        #expect(throws: SystemError(path, EEXIST)) { try OpenFile(path, .creating).sync() }
        #expect(throws: SystemError(folder.path + "/none", ENOENT)) {
            try OpenFile(folder.path + "/none", .reading).sync()
        }
        #expect(throws: SystemError(folder.path, EISDIR)) { try OpenFile(folder.path, .updating).sync() }
        #expect(throws: SystemError(folder.path, EISDIR)) { _ = try bytes(of: folder.path) }
    }

    @Test func itIsClosedWithItsValueUnlessItWasBorrowed() throws {
        let number: Int32
        do {
            let file = try OpenFile(path, .creating)
            number = file.descriptor
            do { try OpenFile(borrowing: number, name: "again").write([1]) }
            #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
            try file.close()
        }
        // Another test may have got the number meanwhile, but not for this file.
        #expect(FileMetadata(number)?.identity != FileMetadata(path)?.identity)
        #expect(FileMetadata(path)?.size == 1)
    }

    @Test func aFolderIsSyncedAsAFile() throws {
        try OpenFile(folder.path, .reading).sync()
        try AtomicFile.sync(folderOf: path)
        try AtomicFile.sync(folderOf: "here")
    }

    @Test func namesOfAFolderAreSorted() throws {
        for name in ["b", "a", ".c"] { try folder.write("", to: name) }
        #expect(try FolderReading.names(in: folder.path) == [".c", "a", "b"])
        #expect(throws: SystemError(path, ENOENT)) { try FolderReading.names(in: path) }
        #expect(throws: SystemError(folder.path + "/a", ENOTDIR)) { try FolderReading.names(in: folder.path + "/a") }
    }

    @Test func aLinkIsItselfOrWhatItLeadsTo() throws {
        try folder.write("abc", to: "a.bin")
        try #require(symlink("a.bin", folder.path + "/link") == 0)
        let link = folder.path + "/link"
        #expect(FileMetadata(link)?.kind == .link)
        #expect(FileMetadata(following: link)?.kind == .file)
        #expect(FileMetadata(following: link) == FileMetadata(path))
        #expect(FileMetadata(following: link)?.size == 3)
        #expect(FileMetadata(folder.path)?.kind == .folder)
        #expect(FileMetadata(folder.path + "/none") == nil)
        #expect(try RealPath.of(link) == RealPath.of(folder.path) + "/a.bin")
        #expect(throws: SystemError(path + "\0", ENOENT)) { try RealPath.of(path + "\0") }
    }
}
