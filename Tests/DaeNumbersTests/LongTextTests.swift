import DaeNumbers
import Testing

/// In a long text many tokens are read at once; each must say what it says alone.
@Suite struct LongTextTests {
    private static let digits = Array("0123456789")

    private static func token(_ random: inout SeededGenerator) -> String {
        func run(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in digits.randomElement(using: &random) })
        }
        let sign = ["", "", "-", "+"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: return sign + run(3) + "." + run(8)
        case 8: return sign + run(12) + "." + run(20)
        case 9..<14: return sign + run(7)
        case 14: return sign + run(22)
        case 15: return sign + run(2) + "." + run(7) + "e-0" + run(2)
        case 16:
            return ["NaN", "-INF", "x", ".", "-", "1.2.3", "1e", "0x1", "--1", "12a", "\u{1}", "1\u{2}2", "é"]
                .randomElement(using: &random) ?? ""
        default: return sign + run(1) + "." + run(6)
        }
    }

    private static func alone<Number: DecodableNumber>(_ token: String, _ type: Number.Type) -> (Number?, Int) {
        var decoder = NumberDecoder<Number>()
        Array(token.utf8).withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: nil)
        return (decoder.values.first, decoder.issueCount)
    }

    private func expectSame<Number: DecodableNumber & Equatable>(
        _ type: Number.Type, seed: UInt64, _ bits: (Number) -> UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let tokens = (0..<20_000).map { _ in Self.token(&random) }
        var text = ""
        for token in tokens {
            text += token + ([" ", " ", " ", " ", "\n", "  ", "\t \r\n"].randomElement(using: &random) ?? " ")
        }
        var decoder = NumberDecoder<Number>()
        Array(text.utf8).withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: nil)
        var expected: [UInt64] = []
        var issues = 0
        for token in tokens where !token.isEmpty {
            let (value, count) = Self.alone(token, type)
            if let value { expected.append(bits(value)) }
            issues += count
        }
        #expect(decoder.values.map(bits) == expected)
        #expect(decoder.issueCount == issues)
        #expect(issues > 100)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func tokensOfALongTextSayWhatTheySayAlone(seed: UInt64) {
        expectSame(Double.self, seed: seed) { $0.isNaN ? 0x7FF8_0000_0000_0000 : $0.bitPattern }
        expectSame(Int32.self, seed: seed) { UInt64(UInt32(bitPattern: $0)) }
    }
}
