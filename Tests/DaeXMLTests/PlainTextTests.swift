import TestSupport
import Testing

@testable import DaeXML

/// Vector instructions must see in text what a look at each byte sees.
@Suite struct PlainTextTests {
    /// Byte by byte.
    private static func expected(_ bytes: ArraySlice<UInt8>, withReturns: Bool) -> [Int]? {
        var newlines = 0
        var last = -1
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<"): return [place, newlines, last]
            case 0x0A:
                newlines += 1
                last = place
            case UInt8(ascii: "&"), UInt8(ascii: "]"), 0x80...: return nil
            case 0x09: break
            case 0x0D where withReturns: break
            case ..<0x20: return nil
            default: break
            }
        }
        return [bytes.count, newlines, last]
    }

    private func expectSame(_ bytes: ArraySlice<UInt8>, withReturns: Bool) {
        guard PlainText.isFast else { return }
        let found = PlainText(of: Array(bytes).span, 0, withReturns: withReturns)
        let expected = Self.expected(bytes, withReturns: withReturns)
        #expect(found.map { [$0.count, $0.newlines, $0.newlines > 0 ? $0.lastNewline : -1] } == expected)
    }

    @Test(arguments: [false, true]) func everyByteIsJudgedAtEveryPlace(withReturns: Bool) {
        for byte in UInt8.min...UInt8.max {
            for place in [0, 1, 30, 31, 32, 33, 63, 64, 69] {
                var bytes = [UInt8](repeating: UInt8(ascii: "7"), count: 70)
                bytes[place] = byte
                expectSame(bytes[...], withReturns: withReturns)
                expectSame(bytes.dropFirst(), withReturns: withReturns)
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func whatIsBehindMarkupDoesNotMatter(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let common = Array("0123456789 .-\n".utf8)
        let rare: [UInt8] = [0x3C, 0x3C, 0x3C, 0x26, 0x5D, 0x0D, 0x00, 0xC3, 0xFF, 0x0A, 0x09]
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                (Int.random(in: 0..<60, using: &random) == 0 ? rare : common).randomElement(using: &random) ?? 0x20
            }
            expectSame(bytes[...], withReturns: Bool.random(using: &random))
        }
    }
}
