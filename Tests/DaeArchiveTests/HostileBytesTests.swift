import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// Whatever the bytes are: a bundle or a coded error, never a trap.
@Suite struct HostileBytesTests {
    private static let archive: [UInt8] = {
        var zip = ZipBuilder()
        zip.add("folder/", "")
        zip.addDeflated("folder/model.dae", sampleBytes(2000))
        zip.add("wood.png", sampleBytes(300))
        zip.claimedLongEntries = 3
        zip.comment = Array("comment".utf8)
        return zip.bytes()
    }()

    private struct Outcome: Hashable {
        var opened = 0
        var read = 0
        var codes: Set<FindingCode> = []
    }

    /// Opens and reads all of it.
    private func attempt(_ bytes: [UInt8], _ outcome: inout Outcome) {
        do throws(CodedFailure) {
            let bundle = try Bundle.open(MemoryByteSource(bytes), name: "a.zip")
            outcome.opened += 1
            for entry in bundle.entries {
                let contents = try bundle.bytes(of: entry, limit: 1 << 24)
                #expect(contents.count == Int(entry.size))
            }
            outcome.read += 1
        } catch {
            #expect([.archive, .download].contains(error.code.stage))
            outcome.codes.insert(error.code)
        }
    }

    @Test func anArchiveCutAtAnyLengthIsRefusedOrWhole() {
        // Within the comment nothing of the entries is missing; whether that is read depends on libzip.
        let whole = Self.archive.count - 7
        for count in Self.archive.indices {
            var outcome = Outcome()
            attempt(Array(Self.archive[..<count]), &outcome)
            #expect(outcome.read == 0 || count >= whole, "\(count) bytes")
        }
    }

    @Test func randomFlipsNeverTrap() {
        var numbers = SeededNumbers(seed: 2026)
        var outcome = Outcome()
        for _ in 0..<2000 {
            var bytes = Self.archive
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            }
            attempt(bytes, &outcome)
        }
        // The flips reach both the directory and the packed bytes.
        #expect(outcome.opened > 100)
        #expect(outcome.opened < 1900)
        #expect(outcome.read < outcome.opened)
        #expect(outcome.codes.isSuperset(of: [.archiveInvalid, .archiveSizeMismatch]))
    }

    /// The directory is where the numbers are: every byte of it takes extreme values.
    @Test func extremeValuesInTheDirectoryNeverTrap() {
        let start = Self.archive.count - 7 - 22 - 20 - 56 - 3 * 46 - 31
        var outcome = Outcome()
        for index in start..<Self.archive.count {
            for width in [1, 2, 4, 8] {
                for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
                    var bytes = Self.archive
                    for place in index..<min(index + width, bytes.count) { bytes[place] = value }
                    attempt(bytes, &outcome)
                }
            }
        }
        #expect(outcome.opened > 0)
        #expect(outcome.codes.count > 3)
    }
}
