// What is announced may only spare copies: not the values, not the issues, not the memory that is kept depend on it.

import DaeNumbers
import Testing

@Suite struct AnnouncedCountTests {
    private static let count = 50_000
    private static let text = Array((0..<count).map { "\($0).5" }.joined(separator: " ").utf8)
    private static let values = (0..<count).map { Double($0) + 0.5 }

    private func read(
        _ decoder: inout NumberDecoder<Double>, announced: Int?, chunk: Int = 1 << 16
    ) -> (taken: [Double], isInItsRoom: Bool) {
        if let announced { decoder.announce(announced) }
        Self.text.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + chunk, bytes.count)]))
            }
        }
        decoder.finish(expectedCount: nil)
        let address = decoder.values.withUnsafeBufferPointer(\.baseAddress)
        let taken = decoder.takeValues()
        return (taken, taken.withUnsafeBufferPointer(\.baseAddress) == address)
    }

    @Test(arguments: [1 << 15, 40_001, 1 << 17, 1 << 20])
    func aLongListOfTheAnnouncedCountIsGivenWithoutACopy(_ chunk: Int) {
        var decoder = NumberDecoder<Double>()
        for _ in 0..<2 {
            let (taken, isInItsRoom) = read(&decoder, announced: Self.count, chunk: chunk)
            #expect(taken == Self.values)
            #expect(isInItsRoom)
        }
        #expect(!read(&decoder, announced: nil).isInItsRoom, "what was announced is forgotten with its list")
    }

    @Test(arguments: [
        Int.min, -1, 0, 1, 1 << 14, count - 1, count / 2, count + 1, 2 * count, 1 << 21, (1 << 21) + 1, .max,
    ])
    func aCountThatLiesChangesNothing(_ announced: Int) {
        var decoder = NumberDecoder<Double>()
        for chunk in [1 << 15, 1 << 18, 1 << 20] {
            let taken = read(&decoder, announced: announced, chunk: chunk).taken
            #expect(taken == Self.values)
            #expect(taken.capacity <= Self.count + Self.count / 8 + 8)
        }
    }

    @Test func aShortTextMakesNoRoom() {
        var decoder = NumberDecoder<Double>()
        decoder.announce(1 << 21)
        Array("1 2 3".utf8).withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: nil)
        #expect(decoder.values.capacity < 1 << 14)
        #expect(decoder.takeValues() == [1, 2, 3])
    }

    @Test func oddTokensKeepTheirPlaces() {
        let odd = Array((String(decoding: Self.text, as: UTF8.self) + " x 1,5 7").utf8)
        var outcomes: [[NumberIssue]] = []
        for announced in [0, Self.count + 3, Self.count] {
            var decoder = NumberDecoder<Double>()
            decoder.announce(announced)
            odd.withUnsafeBytes { decoder.decode($0) }
            decoder.finish(expectedCount: Self.count + 3)
            outcomes.append(decoder.issues)
            #expect(Array(decoder.takeValues().suffix(2)) == [1.5, 7])
        }
        #expect(outcomes[0].map(\.index) == [Self.count, Self.count + 1])
        #expect(outcomes[1] == outcomes[0] && outcomes[2] == outcomes[0])
    }

    /// Room grows with what was read.
    @Test(arguments: [5_000_000, 4_999_999, 5_000_001, 1 << 40, Int.max])
    func veryLongListsGrowByWhatWasRead(_ announced: Int) {
        let piece = Array(String(repeating: "7 ", count: 100_000).utf8)
        var decoder = NumberDecoder<Int32>()
        decoder.announce(announced)
        for _ in 0..<50 {
            piece.withUnsafeBytes { decoder.decode($0) }
            #expect(decoder.values.capacity <= max(1 << 22, 5 * decoder.values.count / 2))
        }
        decoder.finish(expectedCount: nil)
        let address = decoder.values.withUnsafeBufferPointer(\.baseAddress)
        let taken = decoder.takeValues()
        #expect(taken.count == 5_000_000)
        #expect(taken.allSatisfy { $0 == 7 })
        #expect(taken.capacity <= 5_000_000 + 5_000_000 / 8)
        if announced == 5_000_000 { #expect(taken.withUnsafeBufferPointer(\.baseAddress) == address) }
        #expect(decoder.values.capacity <= 1 << 22)
    }
}
