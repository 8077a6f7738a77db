import TestSupport
import Testing

@testable import DaeSchema

@Suite struct NumberListScanTests {
    private static let table = NumberListScan.makeTable()

    /// How many numbers there are, if the scan takes all of them.
    private func scan(_ pieces: [ArraySlice<UInt8>]) -> Int? {
        var scan = NumberListScan()
        for piece in pieces where !scan.take(Array(piece).span, Self.table) { return nil }
        return scan.isSound ? scan.count : nil
    }

    @Test func theScanCountsWhatACloserLookCounts() throws {
        let models = ContentModels.models(for: .collada14)
        let item = try #require(models.simpleTypes.firstIndex { $0.name == "double" })
        var random = SeededNumbers(seed: 3)
        let parts = ["1", "23", ".", "-", "+", "e", "E", " ", "\n", "\t", "0", "5.", "x", "INF", ","].map {
            Array($0.utf8)
        }
        var taken = 0
        for _ in 0..<20_000 {
            let text = (0..<random.next() % 12).flatMap { _ in parts[Int(random.next() % UInt64(parts.count))] }
            var check = ListCheck(item: SimpleType.ID(index: item), least: 0, most: nil, models)
            let type = models.simpleTypes[item]
            let fault = check.add(text.span, models) ?? check.finish(type, models)
            let cut = Int(random.next() % UInt64(text.count + 1))
            let found = scan([text[..<cut], text[cut...]])
            if let found {
                taken += 1
                #expect(fault == nil && found == check.count, "\(String(decoding: text, as: UTF8.self))")
            } else if !text.contains(UInt8(ascii: "N")) {
                #expect(fault != nil, "\(String(decoding: text, as: UTF8.self))")
            }
        }
        #expect(taken > 1000)
    }

    @Test func longListsCountTheSameInOnePieceAndByteByByte() {
        var random = SeededNumbers(seed: 5)
        let numbers = ["1", "-0.5", "12.25", "0", "3.", ".5", "1e5", "-2.5E-3", "1234567.125", "6e+20"]
        let odd = ["NaN", "1.2.3", "-", "x", "1e", "--1", "+1", "1e100", "4-5", "e5", "1.5e2.5", "."]
        let spaces = [" ", " ", " ", "\n", "\t ", "  "]
        var (taken, refused) = (0, 0)
        for _ in 0..<4000 {
            var text: [UInt8] = []
            for _ in 0..<random.next() % 60 {
                let isOdd = random.next() % 64 == 0
                text += (isOdd ? odd : numbers).randomElement(using: &random)?.utf8 ?? "".utf8
                text += spaces.randomElement(using: &random)?.utf8 ?? "".utf8
            }
            if random.next() % 2 == 0, !text.isEmpty { text.removeLast() }
            let cut = Int(random.next() % UInt64(text.count + 1))
            let expected = scan(text.indices.map { text[$0...$0] })
            #expect(scan([text[...]]) == expected, "\(String(decoding: text, as: UTF8.self))")
            #expect(scan([text[..<cut], text[cut...]]) == expected, "\(String(decoding: text, as: UTF8.self))")
            if expected == nil { refused += 1 } else { taken += 1 }
        }
        #expect(taken > 1000 && refused > 1000)
    }
}
