import DaeDiagnostics
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DaeArchive

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

    @Test func aFolderThatIsThereIsFilledAndNoFileOfItReplaced() throws {
        let bundle = try bundle([("b/a.dae", "one"), ("b/c.png", "two")])
        mkdir(target, 0o755)
        try place.write("mine", to: "out/b/mine.txt")
        _ = try Unpacker(folder: target + "//").unpack(bundle)
        #expect(try files(below: place.path) == ["out", "out/b", "out/b/a.dae", "out/b/c.png", "out/b/mine.txt"])
        try place.write("mine", to: "out/b/c.png")
        let error = #expect(throws: UnpackError.self) { try Unpacker(folder: target).unpack(bundle) }
        #expect(error?.isAboutTarget == true)
        #expect(error?.message.contains("out/b/a.dae is there already") == true)
        #expect(try text("b/c.png") == "mine")
        #expect(try files(below: place.path).count == 5)
    }

    @Test func aLinkToAFolderIsThatFolderAndOneThatLeadsNowhereIsSaid() throws {
        let bundle = try bundle([("a.dae", "one")])
        mkdir(target, 0o755)
        #expect(symlink("out", place.path + "/link") == 0)
        _ = try Unpacker(folder: place.path + "/link").unpack(bundle)
        #expect(try text("a.dae") == "one")
        #expect(symlink("none", place.path + "/nowhere") == 0)
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: place.path + "/nowhere").unpack(bundle)
        }
        #expect(error?.message.contains("leads nowhere") == true)
        #expect(try files(below: place.path) == ["link", "nowhere", "out", "out/a.dae"])
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
        #expect(try files(below: target) == ["textures", "z.dae"])
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

    @Test func aFileAndAFolderOfOneNameAreTheBundlesFaultAndToldFirst() throws {
        for names in [["a", "a/b"], ["x/a/b/c", "x/a-b", "x/a.b", "x/a"], ["d/e", "d"]] {
            let bundle = try bundle(names.map { ($0, "text") })
            var steps: [Unpacker.Step] = []
            let error = #expect(throws: UnpackError.self) {
                try Unpacker(folder: target).unpack(bundle, report: { steps.append($0) })
            }
            #expect(error?.code == .archiveInvalid)
            #expect(error?.isAboutTarget == false)
            #expect(error?.place.entry == names.min { $0.utf8.count < $1.utf8.count })
            #expect(steps.isEmpty)
            #expect(try files(below: place.path).isEmpty)
        }
        // Alike, but not the same.
        let bundle = try bundle([("a", "1"), ("a-/b", "2"), ("a.d/a", "3"), ("aa/a", "4")])
        #expect(try Unpacker(folder: target).unpack(bundle).files == 4)
    }

    @Test func noEntryIsCalledAsWhatAnUnpackingLeaves() throws {
        let name = ".dae-partial-0123456789abcdef"
        let bundle = try bundle([("a/\(name)/b", "text")])
        let error = #expect(throws: UnpackError.self) { try Unpacker(folder: target).unpack(bundle) }
        #expect(error?.code == .archiveInvalid)
        // Nor is it content of a folder.
        try place.write("text", to: "folder/\(name)/files/a.dae")
        try place.write("text", to: "folder/\(name)z/a.dae")
        let folder = try Bundle.open(path: place.path + "/folder")
        #expect(folder.entries.map(\.path) == ["\(name)z/a.dae"])
        #expect(folder.findings.map(\.code) == [.archiveJunkEntry])
    }

    @Test func asManyFoldersAsEntriesAreAllowed() throws {
        var zip = ZipBuilder()
        zip.add("a/b/c/d/e", "text")
        let limits = ArchiveLimits(entryCount: 3)
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: target).unpack(try Bundle.open(zip, limits: limits))
        }
        #expect(error?.code == .archiveEntryCountExceeded)
        #expect(try files(below: place.path).isEmpty)
    }

    @Test func namesAreWrittenByteByByteWhateverTheyHold() throws {
        let names = ["a\u{1B}[31m.txt", "b\nc/d\te", "\u{E9}", "e\u{301}"]
        let bundle = try bundle(names.map { ($0, "text") })
        #expect(bundle.findings.filter { $0.code == .archiveNameEncoding }.count == 2)
        let message = bundle.findings.first { $0.code == .archiveNameEncoding }?.message
        #expect(message == #"the name a\u{1B}[31m.txt holds control characters"#)
        _ = try Unpacker(folder: target).unpack(bundle)
        for name in names { #expect(try text(name) == "text") }

        // A folder's names need not be UTF-8.
        let odd = place.path + "/odd"
        mkdir(odd, 0o755)
        let raw = Array(odd.utf8) + [0x2F, 0xFF, 0x2E, 0x64]
        close(open(raw.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600))
        _ = try Unpacker(folder: target).unpack(try Bundle.open(path: odd))
        #expect(access(Array(target.utf8).map { CChar(bitPattern: $0) } + [0x2F, -1, 0x2E, 0x64, 0], F_OK) == 0)
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

    @Test(arguments: [Placement.Links.tried, .never])
    func whatFailsMidwayIsTakenBack(links: Placement.Links) throws {
        let names = (0..<40).map { "\($0).txt" } + ["in/a.txt", "in/new.txt", "new/b.txt"]
        let bundle = try bundle(names.map { ($0, "new") })
        for name in ["1.txt", "2.txt", "30.txt", "in/a.txt", "other/c.txt"] {
            try place.write("old", to: "out/" + name)
        }
        let before = try files(below: place.path)
        for stop in stride(from: 1, through: names.count - 1, by: 3) {
            var unpacker = Unpacker(folder: target, conflict: .replaceFiles)
            unpacker.links = links
            var left: Int?
            let error = #expect(throws: UnpackError.self) {
                try unpacker.unpack(
                    bundle,
                    isCancelled: {
                        left = left.map { $0 - 1 }
                        return left.map { $0 < 0 } ?? false
                    }, report: { if case .placing = $0 { left = stop } })
            }
            #expect(error?.code == .assetCancelled)
            #expect(try files(below: place.path) == before)
            for name in before where name.hasSuffix(".txt") {
                #expect(try text(String(name.dropFirst(4))) == "old")
            }
        }
        var unpacker = Unpacker(folder: target, conflict: .replaceFiles)
        unpacker.links = links
        #expect(try unpacker.unpack(bundle).files == names.count)
        for name in names { #expect(try text(name) == "new") }
        #expect(try text("other/c.txt") == "old")
        #expect(try files(below: place.path).contains { $0.contains("partial") } == false)
    }

    @Test func aFolderThatCameInTheWayMeanwhileTakesAllBack() throws {
        try place.write("old", to: "out/a.txt")
        let bundle = try bundle([("a.txt", "new"), ("b.txt", "b"), ("c/d.txt", "d")])
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: target, conflict: .replaceFiles).unpack(
                bundle, report: { if case .placing = $0 { mkdir(target + "/b.txt", 0o755) } })
        }
        #expect(error?.leftover == nil)
        #expect(error?.message.hasSuffix("the folder is as it was") == true)
        #expect(try files(below: place.path) == ["out", "out/a.txt", "out/b.txt"])
        #expect(try text("a.txt") == "old")
    }

    @Test func whatCannotBeTakenBackIsNamedAndItsFormerFilesKept() throws {
        let names = (0..<9).map { "\($0).txt" }
        let bundle = try bundle(names.map { ($0, "new") })
        for name in names { try place.write("old", to: "out/" + name) }
        var asked = 0
        var isPlacing = false
        let error = #expect(throws: UnpackError.self) {
            try Unpacker(folder: target, conflict: .replaceFiles).unpack(
                bundle,
                isCancelled: {
                    guard isPlacing else { return false }
                    asked += 1
                    guard asked == 6 else { return false }
                    // What was replaced cannot go back where a folder stands.
                    for name in names {
                        guard (try? text(name)) == "new" else { continue }
                        unlink(target + "/" + name)
                        mkdir(target + "/" + name, 0o755)
                    }
                    return true
                }, report: { if case .placing = $0 { isPlacing = true } })
        }
        let leftover = try #require(error?.leftover)
        #expect(error?.message.contains("5 could not be taken back") == true)
        #expect(error?.message.contains("and 2 more") == true)
        #expect(error?.message.contains(leftover + "/replaced") == true)
        #expect(try files(below: leftover + "/replaced").count == 5)

        // Nor does the next one take them away.
        var found: [Unpacker.Step] = []
        _ = try Unpacker(folder: target).unpack(
            try self.bundle([("z", "z")]), report: { if case .found = $0 { found.append($0) } })
        #expect(found == [.found(folder: leftover, .holdsReplacedFiles)])
        #expect(try files(below: leftover + "/replaced").count == 5)
    }

    @Test func whatADeadProcessLeftIsRemovedAndWhatALiveOneHoldsIsNot() throws {
        let deep = (0..<300).map { _ in "d" }.joined(separator: "/")
        try place.write("text", to: "out/.dae-partial-00000000000000aa/files/\(deep)/x")
        try place.write("text", to: "out/.dae-partial-00000000000000aa/1/x")
        try place.write("text", to: "out/.dae-partial-00000000000000bb/files/x")
        try place.write("text", to: "out/.dae-partial-mine/x")
        let live = open(target + "/.dae-partial-00000000000000bb", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(live) }
        #expect(flock(live, LOCK_EX | LOCK_NB) == 0)
        var found: [Unpacker.Step] = []
        _ = try Unpacker(folder: target).unpack(
            try bundle([("z", "z")]), report: { if case .found = $0 { found.append($0) } })
        #expect(found == [.found(folder: target + "/.dae-partial-00000000000000aa", .removed)])
        #expect(
            try files(below: target) == [
                ".dae-partial-00000000000000bb", ".dae-partial-00000000000000bb/files",
                ".dae-partial-00000000000000bb/files/x", ".dae-partial-mine", ".dae-partial-mine/x", "z",
            ])
    }

    @Test func theFolderWrittenToIsSaidBeforeEachStep() throws {
        var steps: [Unpacker.Step] = []
        _ = try Unpacker(folder: target).unpack(try bundle([("a", "1")]), report: { steps.append($0) })
        guard case .writing(let folder) = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(folder.hasPrefix(place.path + "/.dae-partial-"))
        #expect(steps == [.writing(folder: folder), .placing(folder: folder), .removing(folder: folder), .ended])
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
        #expect(error?.message.contains("/none cannot be opened as a folder") == true)
    }
}
