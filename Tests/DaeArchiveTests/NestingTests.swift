import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// Archives in archives, and the addresses that lead into them.
@Suite struct NestingTests {
    private func bundle() throws(CodedFailure) -> Bundle {
        var inner = ZipBuilder()
        inner.add("models/a.dae", "<COLLADA/>")
        var outer = ZipBuilder()
        outer.add("stored.zae", inner.bytes())
        outer.addDeflated("packed.zae", inner.bytes())
        outer.add("odd!/name.txt", "odd")
        var outermost = ZipBuilder()
        outermost.addDeflated("outer.zip", outer.bytes())
        return try Bundle.open(outermost)
    }

    @Test func anAddressLeadsThroughArchives() throws {
        for name in ["stored.zae", "packed.zae"] {
            let found = try bundle().destination(of: "outer.zip!/\(name)!/models/a.dae")
            let entry = try #require(found.entry)
            #expect(entry.path == "models/a.dae")
            #expect(found.bundle.name == name)
            #expect(found.bundle.kind == .zae)
            #expect(try found.bundle.bytes(of: entry, limit: 100) == Array("<COLLADA/>".utf8))
        }
        #expect(try bundle().destination(of: "outer.zip!/stored.zae!/").bundle.entries.count == 1)
        #expect(try bundle().destination(of: "outer.zip!/stored.zae").entry?.path == "stored.zae")
        #expect(try bundle().destination(of: "").entry == nil)
        #expect(try bundle().destination(of: "outer.zip!/odd!/name.txt").entry?.path == "odd!/name.txt")
    }

    @Test func theNameOfAnArchiveMeansItsContentWhereThatIsAskedFor() throws {
        let address = "outer.zip!/packed.zae"
        #expect(try bundle().destination(of: address).entry?.path == "packed.zae")
        let content = try bundle().destination(of: address, ending: .content)
        #expect(content.entry == nil)
        #expect(content.bundle.entries.map(\.path) == ["models/a.dae"])
        #expect(try bundle().destination(of: "outer.zip", ending: .content).bundle.entries.count == 3)
        let file = try bundle().destination(of: "outer.zip!/odd!/name.txt", ending: .content)
        #expect(file.entry?.path == "odd!/name.txt")
    }

    @Test func anArchiveIsKnownByItsBytes() throws {
        var inner = ZipBuilder()
        inner.add("a.dae", "<COLLADA/>")
        var zip = ZipBuilder()
        zip.add("plain.zae", "<COLLADA/>")
        zip.add("archive.dae", inner.bytes())
        inner.prefix = Array("#!/bin/sh".utf8)
        zip.add("behind.zip", inner.bytes())
        zip.add("noise.zip", "noise")
        zip.add("secret.zip", inner.bytes()) { $0.flags = 1 }
        let bundle = try Bundle.open(zip)
        #expect(bundle.entries.map { bundle.holdsArchive($0) } == [false, true, true, true, false])
        #expect(try bundle.destination(of: "behind.zip", ending: .content).bundle.entries.map(\.path) == ["a.dae"])
        #expect(try bundle.destination(of: "plain.zae", ending: .content).entry?.path == "plain.zae")
    }

    @Test func anAddressThatLeadsNowhereIsMissing() {
        for address in ["none", "outer.zip!/none", "none!/a.dae", "outer.zip!/stored.zae!/none"] {
            #expect(
                code { () throws(CodedFailure) in _ = try bundle().destination(of: address) } == .sourceNotFound,
                "\(address)")
        }
        let error = code { () throws(CodedFailure) in _ = try bundle().destination(of: "outer.zip!/odd!/name.txt!/a") }
        #expect(error == .archiveInvalid)
    }

    @Test func theDepthOfAnAddressIsBounded() throws {
        var zip = ZipBuilder()
        zip.add("model.dae", "<COLLADA/>")
        for _ in 0..<4 {
            var outer = ZipBuilder()
            outer.add("inner.zip", zip.bytes())
            zip = outer
        }
        let bundle = try Bundle.open(zip)
        let three = "inner.zip!/inner.zip!/inner.zip!/"
        #expect(try bundle.destination(of: three).bundle.entries.map(\.path) == ["inner.zip"])
        #expect(
            code { () throws(CodedFailure) in _ = try bundle.destination(of: three + "inner.zip!/model.dae") }
                == .archiveDepthExceeded)
    }

    @Test func whatIsStoredIsNotSpooled() throws {
        let outer = try bundle().destination(of: "outer.zip!/").bundle
        let stored = try #require(outer.entry(at: "stored.zae"))
        #expect(try outer.content(of: stored) is SlicedByteSource)
        let packed = try #require(outer.entry(at: "packed.zae"))
        #expect(try outer.content(of: packed) is SpooledByteSource)
        let (one, other) = (try outer.content(of: stored), try outer.content(of: packed))
        #expect(try one.bytes(at: 0, count: 10_000) == other.bytes(at: 0, count: 10_000))
    }

    @Test func anArchiveInAFolderIsReadWhereItLies() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("a.dae", "<COLLADA/>")
        try folder.write(zip.bytes(), to: "models/inner.zip")
        let bundle = try Bundle.open(path: folder.path)
        let inner = try #require(bundle.entry(at: "models/inner.zip"))
        #expect(inner.size == Int64(zip.bytes().count))
        #expect(try bundle.content(of: inner) is FileByteSource)
        #expect(try bundle.destination(of: "models/inner.zip!/a.dae").entry?.path == "a.dae")
    }

    @Test func whatAnInnerArchiveDeclaresCountsAgainstTheOuterBudget() throws {
        var inner = ZipBuilder()
        inner.add("a", [UInt8](repeating: 0, count: 1000))
        var outer = ZipBuilder()
        outer.add("inner.zip", inner.bytes())
        let size = Int64(inner.bytes().count)
        for (budget, expected) in [(size + 1000, nil), (size + 999, .archiveTotalSizeExceeded)]
            as [(Int64, FindingCode?)]
        {
            let bundle = try Bundle.open(outer.bytes(), limits: .init(inflatedBytes: .fixed(budget)))
            #expect(
                code { () throws(CodedFailure) in _ = try bundle.open(nested: bundle.entries[0]) } == expected)
        }
    }
}
