import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What is refused at opening, before a byte is inflated, each with its code.
@Suite struct RefusalTests {
    private func opening(_ name: String, _ change: (inout ZipBuilder.Entry) -> Void = { _ in }) -> FindingCode? {
        var zip = ZipBuilder()
        zip.add("first.txt", "harmless")
        zip.add(name, "content", change)
        return code(opening: zip)
    }

    @Test(arguments: [
        "/etc/passwd", "//server/share", "\\windows", "\\\\server\\share", "../up", "a/../../up", "a/..", "..",
        "a\\..\\..\\up", "C:/x", "c:\\x", "C:x", "./C:/x", "../folder/",
    ])
    func namesThatLeadOutAreRefused(name: String) {
        #expect(opening(name) == .archivePathTraversal)
    }

    @Test(arguments: ["a..b", "...", "a/..b/c", "ab:c", "1:/x", "textures/wood.png", ".hidden", "~/x"])
    func namesThatOnlyLookLikeItAreKept(name: String) {
        #expect(opening(name) == nil)
    }

    @Test func aNULInANameIsRefused() {
        #expect(opening("model.dae\0.txt") == .archivePathTraversal)
        #expect(opening("\0") == .archivePathTraversal)
    }

    @Test func aNameBeyondTheBudgetIsRefused() {
        #expect(opening(String(repeating: "n", count: 4096)) == nil)
        #expect(opening(String(repeating: "n", count: 4097)) == .archiveInvalid)
    }

    @Test(arguments: [0o120_777, 0o010_644, 0o020_644, 0o060_644, 0o140_644] as [UInt16])
    func linksAndSpecialFilesAreRefused(mode: UInt16) {
        #expect(opening("link") { $0.mode = mode } == .archiveSymlink)
        #expect(opening("link") { ($0.mode, $0.system) = (mode, 19) } == .archiveSymlink)
    }

    @Test func aModeIsOnlyReadWhereTheWriterMeantOne() {
        #expect(opening("file") { ($0.mode, $0.system) = (0o120_777, 0) } == nil)
        #expect(opening("file") { $0.mode = 0 } == nil)
    }

    @Test func encryptionThatIsNotDescribedIsRefused() {
        #expect(opening("secret") { ($0.flags, $0.method) = (1, 99) } == .archiveEncrypted)
        for odd: [UInt8] in [[3, 0, 65, 69, 3, 0, 0], [2, 0, 65, 65, 3, 0, 0], [2, 0, 65, 69, 4, 0, 0]] {
            let refusal = opening("secret") { ($0.flags, $0.method, $0.extra) = (1, 99, [1, 0x99, 7, 0] + odd) }
            #expect(refusal == .archiveEncrypted, "\(odd)")
        }
    }

    @Test func anEntryLargerThanTheArchiveIsRefused() {
        #expect(opening("big") { $0.compressedSize = 1 << 20 } == .archiveInvalid)
    }

    @Test func theNumberOfEntriesIsBounded() {
        var zip = ZipBuilder()
        for index in 0..<5 { zip.add("file\(index)", "x") }
        #expect(code(opening: zip, limits: .init(entryCount: 5)) == nil)
        #expect(code(opening: zip, limits: .init(entryCount: 4)) == .archiveEntryCountExceeded)
    }

    @Test func aClaimOfEntriesIsNotBelieved() {
        var zip = ZipBuilder()
        zip.add("file", "x")
        zip.claimedEntries = 2
        #expect(code(opening: zip) == .archiveInvalid)
        zip.claimedEntries = nil
        for claim: UInt64 in [1 << 20, 1 << 40, .max] {
            zip.claimedLongEntries = claim
            #expect(code(opening: zip) == .archiveInvalid)
        }
        zip.claimedLongEntries = 1
        #expect(code(opening: zip) == nil)
    }

    @Test func theDeclaredTotalIsBounded() {
        var zip = ZipBuilder()
        zip.add("a", [UInt8](repeating: 0, count: 600))
        zip.add("b", [UInt8](repeating: 0, count: 400))
        #expect(code(opening: zip, limits: .init(inflatedBytes: .fixed(1000))) == nil)
        #expect(code(opening: zip, limits: .init(inflatedBytes: .fixed(999))) == .archiveTotalSizeExceeded)
    }

    @Test func theDefaultTotalGrowsWithTheArchive() {
        let limit = ArchiveLimits().inflatedBytes
        #expect(limit.bytes(forArchiveOf: 1000) == 4 << 30)
        #expect(limit.bytes(forArchiveOf: 100 << 20) == 10_000 << 20)
        #expect(limit.bytes(forArchiveOf: 1 << 40) == 16 << 30)
        #expect(limit.bytes(forArchiveOf: .max) == 16 << 30)
    }

    @Test func theDeclaredRatioIsBoundedInLargeEntries() {
        func bomb(_ size: UInt32) -> FindingCode? {
            opening("bomb") { entry in
                entry.method = 8
                entry.size = size
            }
        }
        #expect(bomb(64 << 20) == nil)
        #expect(bomb(64 << 20 + 1) == .archiveRatioExceeded)
        #expect(bomb(.max - 1) == .archiveRatioExceeded)
        #expect(
            opening("nothing") { ($0.size, $0.compressedSize, $0.payload) = (.max - 1, 0, []) } == .archiveRatioExceeded
        )
    }
}
