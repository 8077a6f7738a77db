import Diagnostics
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite struct UnpackerTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    private var target: String { place.path + "/out" }

    private func files(below folder: String) throws -> [String] { try Repository.files(below: folder) }

    private func text(_ path: String) throws -> String {
        String(decoding: try Repository.bytes(at: target + "/" + path), as: UTF8.self)
    }

    private func bundle(_ files: [(String, String)]) throws -> Bundle {
        var zip = ZipBuilder()
        for (name, text) in files { zip.addDeflated(name, Array(text.utf8)) }
        return try Bundle.open(zip)
    }

    @Test func everyFileIsWrittenBelowTheFolderAndNothingBeside() throws {
        let bundle = try bundle([("a.dae", "one"), ("b/c/d.png", "three"), ("b/e.txt", "")])
        let result = try Unpacker(folder: target).unpack(bundle)
        #expect(result == Unpacker.Result(files: 3, bytes: 8))
        #expect(try files(below: target) == ["a.dae", "b", "b/c", "b/c/d.png", "b/e.txt"])
        #expect(try text("b/c/d.png") == "three")
        #expect(try files(below: place.path).filter { !$0.hasPrefix("out") }.isEmpty)
    }

    @Test func modesAreThoseOfNewFilesWhateverTheArchiveSays() throws {
        var zip = ZipBuilder()
        zip.add("run.sh", "#!/bin/sh") { $0.mode = 0o104_777 }
        _ = try Unpacker(folder: target).unpack(try Bundle.open(zip))
        var status = stat()
        #expect(stat(target + "/run.sh", &status) == 0)
        #expect(status.st_mode & 0o7111 == 0)
    }

    @Test func anEmptyFolderIsTakenAndAFullOneRefused() throws {
        let bundle = try bundle([("a.dae", "one")])
        mkdir(target, 0o755)
        _ = try Unpacker(folder: target + "/").unpack(bundle)
        #expect(try text("a.dae") == "one")
        let error = #expect(throws: UnpackError.self) { try Unpacker(folder: target).unpack(bundle) }
        #expect(error?.isAboutTarget == true)
        #expect(try files(below: place.path) == ["out", "out/a.dae"])
    }

    @Test func replacingFilesKeepsAllOthers() throws {
        _ = try Unpacker(folder: target).unpack(try bundle([("a.dae", "old"), ("kept/b.txt", "kept")]))
        let result = try Unpacker(folder: target, conflict: .replaceFiles).unpack(
            try bundle([("a.dae", "new"), ("kept/c.txt", "c"), ("more/d.txt", "d")]))
        #expect(result.files == 3)
        #expect(try text("a.dae") == "new")
        #expect(
            try files(below: place.path) == [
                "out", "out/a.dae", "out/kept", "out/kept/b.txt", "out/kept/c.txt", "out/more", "out/more/d.txt",
            ])
    }

    @Test func nothingIsWrittenThroughALinkOrOverAFolder() throws {
        let outside = place.path + "/outside"
        mkdir(outside, 0o755)
        mkdir(target, 0o755)
        #expect(symlink(outside, target + "/textures") == 0)
        let bundle = try bundle([("z.dae", "z"), ("textures/a.png", "png")])
        #expect(throws: UnpackError.self) { try Unpacker(folder: target, conflict: .replaceFiles).unpack(bundle) }
        #expect(try files(below: outside).isEmpty)
        #expect(try files(below: target) == ["textures"])

        mkdir(target + "/z.dae", 0o755)
        let other = try self.bundle([("z.dae", "z")])
        #expect(throws: UnpackError.self) { try Unpacker(folder: target, conflict: .replaceFiles).unpack(other) }
        // The target itself may be no link either.
        #expect(symlink(outside, place.path + "/link") == 0)
        #expect(throws: UnpackError.self) { try Unpacker(folder: place.path + "/link").unpack(bundle) }
        #expect(try files(below: outside).isEmpty)
    }

    @Test func aBrokenEntryLeavesNothing() throws {
        var zip = ZipBuilder()
        zip.addDeflated("a/good.txt", Array("good".utf8))
        zip.addDeflated("b/bad.txt", Array("bad".utf8)) { $0.crc ^= 1 }
        let bundle = try Bundle.open(zip)
        let error = #expect(throws: UnpackError.self) { try Unpacker(folder: target).unpack(bundle) }
        #expect(error?.isAboutTarget == false)
        #expect(error?.place.entry == "b/bad.txt")
        #expect(try files(below: place.path).isEmpty)
    }

    @Test func aFileWhereAFolderIsNeededLeavesNothing() throws {
        let bundle = try bundle([("a", "file"), ("a/b", "below it")])
        #expect(throws: UnpackError.self) { try Unpacker(folder: target).unpack(bundle) }
        #expect(try files(below: place.path).isEmpty)
    }

    @Test func stoppingLeavesNothing() throws {
        let bundle = try bundle([("a", "1"), ("b", "2"), ("c", "3")])
        var asked = 0
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: target).unpack(
                bundle,
                isCancelled: {
                    asked += 1
                    return asked > 3
                })
        }
        #expect(error?.code == .assetCancelled)
        #expect(try files(below: place.path).isEmpty)
    }

    @Test func onlyWhatIsSelectedIsWritten() throws {
        let bundle = try bundle([("a.dae", "one"), ("b.png", "two")])
        let result = try Unpacker(folder: target).unpack(bundle, selects: { $0.path == "b.png" })
        #expect(result.files == 1)
        #expect(try files(below: target) == ["b.png"])
    }

    @Test func aFolderThatCannotBeMadeIsSaid() throws {
        let bundle = try bundle([("a.dae", "one")])
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: place.path + "/none/out").unpack(bundle)
        }
        #expect(error?.code == .ioError)
        #expect(error?.message.contains("cannot be written") == true)
    }
}
