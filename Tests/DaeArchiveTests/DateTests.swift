import TestSupport
import Testing

@testable import DaeArchive

@Suite struct DateTests {
    private func date(time: UInt32, extra: [UInt8] = []) throws -> String? {
        var zip = ZipBuilder()
        zip.add("a", "x") { ($0.time, $0.extra) = (time, extra) }
        return try Bundle.open(zip).entries.first?.modified?.description
    }

    @Test func theOldFormatHasNoZone() throws {
        #expect(try date(time: 0x5821_0000) == "2024-01-01T00:00:00")
        #expect(try date(time: 0x585D_BF7D) == "2024-02-29T23:59:58")
        #expect(try date(time: 0x0021_0000) == "1980-01-01T00:00:00")
        #expect(try date(time: 0xFF9F_BF7D) == "2107-12-31T23:59:58")
        for impossible: UInt32 in [0, 0x5801_0000, 0x5820_0000, 0x59A1_0000, 0x5821_C000, 0x5821_0780, 0x5821_001E] {
            #expect(try date(time: impossible) == nil)
        }
    }

    @Test func theFieldsOfUnixAndWindowsAreInUTC() throws {
        let second: [UInt8] = [0x00, 0x94, 0x35, 0x77]  // 2 000 000 000
        #expect(try date(time: 0, extra: [0x55, 0x54, 5, 0, 1] + second) == "2033-05-18T03:33:20Z")
        #expect(try date(time: 0, extra: [0x55, 0x54, 5, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF]) == "1969-12-31T23:59:59Z")
        #expect(try date(time: 0, extra: [0x55, 0x54, 5, 0, 2] + second) == nil)
        #expect(try date(time: 0, extra: [0x55, 0x58, 8, 0, 0, 0, 0, 0] + second) == "2033-05-18T03:33:20Z")
        let ticks: [UInt8] = [0, 0x80, 0x3E, 0xD5, 0xDE, 0xB1, 0x9D, 0x01]  // 116 444 736 000 000 000
        let times = ticks + ticks + ticks
        #expect(try date(time: 0, extra: [0x0A, 0, 32, 0, 0, 0, 0, 0, 1, 0, 24, 0] + times) == "1970-01-01T00:00:00Z")
    }
}
