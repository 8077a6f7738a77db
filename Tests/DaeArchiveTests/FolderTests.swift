import DaeDiagnostics
import Glibc
import TestSupport
import Testing

@testable import DaeArchive

@Suite struct FolderTests {
    @Test func aFolderIsABundleSortedByPath() throws {
        let folder = try TemporaryFolder()
        for name in ["b.dae", "a/z.png", "a/deep/y.png", ".hidden", "a.txt", "inner.zip"] {
            try folder.write(name, to: "model/" + name)
        }
        let bundle = try Bundle.open(path: folder.path + "/model/")
        #expect(bundle.kind == .folder)
        #expect(bundle.name == "model")
        #expect(bundle.size == nil)
        #expect(bundle.source == nil)
        #expect(bundle.entries.map(\.path) == [".hidden", "a.txt", "a/deep/y.png", "a/z.png", "b.dae", "inner.zip"])
        for entry in bundle.entries { #expect(try bundle.contents(entry.path, chunkSize: 2) == Array(entry.path.utf8)) }
        #expect(bundle.findings == [])
    }

    @Test func linksAndPipesAreToldAndNeverFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "outside/secret.txt")
        try folder.write("x", to: "model/a.txt")
        #expect(symlink("../outside", folder.path + "/model/out") == 0)
        #expect(symlink("../outside/secret.txt", folder.path + "/model/secret.txt") == 0)
        #expect(symlink(".", folder.path + "/model/loop") == 0)
        #expect(mkfifo(folder.path + "/model/pipe", 0o600) == 0)
        let bundle = try Bundle.open(path: folder.path + "/model")
        #expect(bundle.entries.map(\.path) == ["a.txt"])
        #expect(Set(bundle.findings.map(\.place.entry)) == ["out", "secret.txt", "loop", "pipe"])
        #expect(bundle.findings.allSatisfy { $0.code == .archiveSymlink && $0.severity == .warning })
        for path in [
            "out/secret.txt", "secret.txt", "loop/a.txt", "pipe", "../outside/secret.txt", "a.txt/", "/a.txt", "", ".",
            "a.txt\0",
        ] {
            #expect(bundle.entry(at: path) == nil, "\(path)")
        }
    }

    @Test func theFolderOfALoneDocumentIsOpenedWhenAFileInItIsAskedFor() throws {
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: try folder.write("<COLLADA/>", to: "model/a.dae"))
        #expect(bundle.entry(at: "b.png") == nil)
        try folder.write("b", to: "model/b.png")
        #expect(bundle.entry(at: "b.png")?.size == 1)
        #expect(try bundle.contents("b.png") == Array("b".utf8))
        #expect(symlink("b.png", folder.path + "/model/c.png") == 0)
        #expect(bundle.entry(at: "c.png") == nil)
        #expect(bundle.obstacle(at: "c.png") == .link)
    }

    @Test func aFolderThatIsGoneHoldsNothing() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("<COLLADA/>", to: "model/a.dae")
        let bundle = try Bundle.open(path: path)
        #expect(unlink(path) == 0)
        #expect(rmdir(folder.path + "/model") == 0)
        #expect(bundle.entry(at: "b.png") == nil)
        #expect(bundle.obstacle(at: "b.png") == nil)
        #expect(try bundle.contents("a.dae") == Array("<COLLADA/>".utf8))
    }

    @Test(arguments: [0, 4090, 16_374, 16_375, 40_000])
    func aLoneDocumentIsReadWhole(spaces: Int) throws {
        let folder = try TemporaryFolder()
        let text = "<COLLADA/>" + String(repeating: " ", count: spaces)
        let bundle = try Bundle.open(path: try folder.write(text, to: "a.dae"))
        #expect(try bundle.contents("a.dae", chunkSize: 1000) == Array(text.utf8))
        #expect(bundle.size == Int64(text.utf8.count))
    }

    @Test func aFileSwappedForALinkAfterOpeningIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret", to: "secret.txt")
        let path = try folder.write("x", to: "model/a.txt")
        let bundle = try Bundle.open(path: folder.path + "/model")
        #expect(unlink(path) == 0)
        #expect(symlink(secret, path) == 0)
        #expect(code { () throws(CodedFailure) in _ = try bundle.reader(for: bundle.entries[0]) } == .ioError)
        #expect(unlink(path) == 0)
        #expect(code { () throws(CodedFailure) in _ = try bundle.reader(for: bundle.entries[0]) } == .sourceNotFound)
    }

    @Test func theNumberOfFilesAndFoldersIsBounded() throws {
        let folder = try TemporaryFolder()
        for index in 0..<3 { try folder.write("x", to: "sub\(index)/file") }
        func open(_ count: Int) -> FindingCode? {
            code { () throws(CodedFailure) in _ = try Bundle.open(path: folder.path, limits: .init(entryCount: count)) }
        }
        #expect(open(6) == nil)
        #expect(open(5) == .archiveEntryCountExceeded)
        #expect(open(2) == .archiveEntryCountExceeded)
    }

    @Test func aNameThatIsNoTextIsStillRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.utf8CString.dropLast() + [0x2F, 0x61, CChar(bitPattern: 0xFF), 0]
        let descriptor = Glibc.open(Array(path), O_CREAT | O_WRONLY, 0o600)
        #expect(write(descriptor, "hi", 2) == 2)
        close(descriptor)
        let bundle = try Bundle.open(path: folder.path)
        #expect(bundle.entries.map(\.path) == ["a\u{FFFD}"])
        #expect(try bundle.bytes(of: bundle.entries[0], limit: 10) == Array("hi".utf8))
    }

    @Test func aLoneDocumentSeesTheFilesBesideIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "secret.txt")
        try folder.write("png", to: "model/textures/wood.png")
        let path = try folder.write("<COLLADA/>", to: "model/a.dae")
        #expect(symlink("../secret.txt", folder.path + "/model/link.png") == 0)
        let bundle = try Bundle.open(path: path)
        #expect(bundle.kind == .dae)
        #expect(bundle.name == "a.dae")
        #expect(bundle.entries.map(\.path) == ["a.dae"])
        let texture = try #require(bundle.entry(at: "textures/wood.png"))
        #expect(texture.size == 3)
        #expect(try bundle.bytes(of: texture, limit: 10) == Array("png".utf8))
        for path in [
            "textures", "link.png", "../secret.txt", "textures/../a.dae", "none.png", folder.path + "/secret.txt",
        ] {
            #expect(bundle.entry(at: path) == nil, "\(path)")
        }
    }

    @Test func aPathThatIsNotThereIsMissing() {
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(path: "/nowhere/at/all.zip") } == .sourceNotFound)
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(path: "/dev/null") } == .ioError)
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(path: "") } == .sourceNotFound)
    }

    @Test func theCurrentFolderHasItsRealName() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "model/sub/a.txt")
        #expect(try Bundle.open(path: folder.path + "/model/.").name == "model")
        #expect(try Bundle.open(path: folder.path + "/model/sub/..").name == "model")
    }
}
