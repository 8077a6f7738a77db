import ContentHash
import Diagnostics
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Download

@Suite struct PartialFileTests {
    @Test func aFileThatIsNotCommittedGoesWithItsValue() throws {
        let fixture = try DownloadFixture()
        do {
            let file = try PartialFile(in: fixture.cache)
            try Array("abc".utf8).withUnsafeBytes { bytes in try file.write(bytes) }
            #expect(fixture.files.count == 1)
            #expect(fixture.files.first?.hasPrefix("partial/") == true)
        }
        #expect(fixture.files == [])
    }

    @Test func aCommittedFileReplacesADamagedOneOfItsName() throws {
        let fixture = try DownloadFixture()
        let digest = SHA256Digest(hashing: Array("abc".utf8))
        try fixture.folder.write("damaged", to: "cache/blobs/sha256/ba/\(digest.hex)")
        let file = try PartialFile(in: fixture.cache)
        for letter in "abc".utf8 { try [letter].withUnsafeBytes { bytes in try file.write(bytes) } }
        let (path, committed) = try file.commit()
        #expect(committed == digest)
        #expect(path == fixture.cache.path(of: digest))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("abc".utf8))
        #expect(fixture.files.count == 1)
    }

    @Test func partialsHaveNamesOfTheirOwn() throws {
        let fixture = try DownloadFixture()
        let files = try (0..<50).map { _ in try PartialFile(in: fixture.cache) }
        #expect(fixture.files.count == files.count)
    }

    @Test(.enabled(if: access("/dev/full", W_OK) == 0, "this system has no /dev/full")) func aFullDiskIsAnError() throws
    {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let failure = #expect(throws: DownloadFailure.self) {
            try [1, 2, 3].withUnsafeBytes { bytes in
                try FileSystem.write(bytes, to: descriptor, path: "cache/partial/1")
            }
        }
        #expect(failure?.code == .ioError)
        #expect(failure?.observed == "cannot write cache/partial/1: No space left on device")
    }
}
