import DaeNumbers
import Testing

/// Where the chunks are cut must change nothing.
@Suite struct ChunkTests {
    @Test(arguments: 0..<60)
    func anyCutGivesTheSame(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = Self.randomText(&random, hasCommas: seed % 3 == 0)
        let tokens = text.split(whereSeparator: { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        let parts = text.split(whereSeparator: { [0x20, 0x09, 0x0A, 0x0D, 0x2C].contains($0) })
        let cuts: [[Int]] =
            [[1], [7], [8], [9], [64], [4096]]
            + (0..<8).map { _ in (0..<37).map { _ in Int.random(in: 1...90, using: &random) } }
        for expected in [nil, tokens.count, parts.count] {
            let wholeDoubles = decode(text, as: Double.self, expectedCount: expected)
            let wholeIntegers = decode(text, as: Int32.self, expectedCount: expected)
            #expect([tokens.count, parts.count].contains(wholeDoubles.values.count))
            for chunks in cuts {
                let doubles = decode(text, as: Double.self, chunks: chunks, expectedCount: expected)
                #expect(doubles.values.map(\.bitPattern) == wholeDoubles.values.map(\.bitPattern))
                #expect(doubles.issues == wholeDoubles.issues)
                #expect(doubles.issueCount == wholeDoubles.issueCount)
                let integers = decode(text, as: Int32.self, chunks: chunks, expectedCount: expected)
                #expect(integers.values == wholeIntegers.values)
                #expect(integers.issues == wholeIntegers.issues)
                #expect(integers.issueCount == wholeIntegers.issueCount)
            }
        }
    }

    @Test(arguments: 0..<20)
    func everyIssueNamesItsToken(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) + 500)
        let text = Self.randomText(&random, hasCommas: true)
        let decoder = decode(text, as: Double.self, chunks: [5])
        #expect(decoder.issueCount > 0)
        for issue in decoder.issues {
            let token = text[issue.offset...].prefix { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            #expect(issue.text == String(decoding: token, as: UTF8.self))
            let before = text[..<issue.offset].split(whereSeparator: { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
            #expect(issue.index == before.count)
            #expect(decoder.values[issue.index].isNaN || decoder.values[issue.index].isInfinite)
        }
    }

    /// No byte may stop the decoder, and each token has its value.
    @Test(arguments: 0..<200)
    func anyBytesGiveOneValueForEachToken(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        let alphabet = Array("0123456789012345678901234567890123456789+-..eE#nNiIfFaA \n\t\r".utf8)
        let text = (0..<Int.random(in: 0...400, using: &random)).map { _ in
            seed % 2 == 0
                ? alphabet.randomElement(using: &random) ?? 0
                : UInt8.random(in: 0...255, using: &random)
        }
        let tokens = text.split(whereSeparator: { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        for chunks in [[], [1], [3, 11], [64]] {
            #expect(decode(text, as: Double.self, chunks: chunks).values.count == tokens.count)
            #expect(decode(text, as: Double.self, chunks: chunks).values.count == tokens.count)
            #expect(decode(text, as: Int32.self, chunks: chunks).values.count == tokens.count)
        }
    }

    private static func randomText(_ random: inout SeededGenerator, hasCommas: Bool) -> [UInt8] {
        let odd = ["NaN", "-INF", "1.#IND", "x", "1.2.3", "1e999", "99999999999", "\u{0}", "é", "nan(1)", "-"]
        let commas = ["1,5", "-2,5e3", "1,2,3", ",", "1,"]
        let long = String(repeating: "123456789", count: 30)
        var text: [UInt8] = []
        for _ in 0..<150 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                text.append([0x20, 0x20, 0x0A, 0x09, 0x0D].randomElement(using: &random) ?? 0x20)
            }
            let token: String
            switch Int.random(in: 0..<20, using: &random) {
            case 0: token = odd.randomElement(using: &random) ?? ""
            case 1 where hasCommas: token = commas.randomElement(using: &random) ?? ""
            case 2: token = "0.\(long)e\(Int.random(in: -20...20, using: &random))"
            case 3...9: token = "\(Int.random(in: -100_000...100_000, using: &random))"
            default: token = "\(Double.random(in: -1000...1000, using: &random))"
            }
            text.append(contentsOf: token.utf8)
        }
        return Bool.random(using: &random) ? text + [0x0A] : text
    }
}
