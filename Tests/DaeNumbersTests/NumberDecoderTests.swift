import DaeNumbers
import Testing

@Suite struct NumberDecoderTests {
    @Test(arguments: ["", " ", "\n\t\r ", "                              "])
    func noTokenGivesNoValue(_ text: String) {
        let decoder = decode(text, as: Double.self)
        #expect(decoder.values.isEmpty)
        #expect(decoder.issueCount == 0)
    }

    @Test func anEmptyChunkChangesNothing() {
        var decoder = NumberDecoder<Double>()
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        decoder.decode(nothing)
        for half in ["1.", "5"] {
            Array(half.utf8).withUnsafeBytes { decoder.decode($0) }
            decoder.decode(nothing)
        }
        decoder.finish(expectedCount: 1)
        #expect(decoder.values == [1.5])
    }

    @Test func takingTheValuesMakesTheDecoderNew() {
        var decoder = decode("1 x 2", as: Double.self)
        let taken = decoder.takeValues()
        #expect(taken.count == 3)
        #expect(decoder.values.isEmpty)
        #expect(decoder.issues.isEmpty)
        #expect(decoder.issueCount == 0)
        Array("7 y".utf8).withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: 2)
        #expect(decoder.values.first == 7)
        #expect(decoder.issues.map(\.offset) == [2])
        #expect(decoder.issues.map(\.index) == [1])
    }

    @Test(arguments: [72, 40_000, 300_000])
    func valuesAreTakenAtTheirOwnSizeAndTheRoomIsUsedAgain(_ count: Int) {
        let text = Array(String(repeating: "1.25 ", count: count).utf8)
        var decoder = decode(String(repeating: "1 ", count: 2 * count), as: Double.self)
        _ = decoder.takeValues()
        text.withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: nil)
        let room = decoder.values.capacity
        let taken = decoder.takeValues()
        #expect(taken == [Double](repeating: 1.25, count: count))
        #expect(taken.capacity <= count + count / 8 + 8)
        #expect(decoder.values.capacity == (room - count > count / 8 ? room : 0))
    }

    @Test func noRoomOfManyMegabytesIsKept() {
        var decoder = decode(String(repeating: "1 ", count: 2_200_000), as: Int32.self)
        let taken = decoder.takeValues()
        #expect(taken.count == 2_200_000)
        #expect(taken.capacity <= taken.count + taken.count / 8)
        #expect(decoder.values.capacity == 0)
    }

    @Test func removingTheValuesKeepsThePlaceInTheText() {
        let text = Array("1 2 3 x 4 5,5 6 7 8 y 9".utf8)
        var decoder = NumberDecoder<Double>()
        var seen: [Double] = []
        for byte in text {
            withUnsafeBytes(of: byte) { decoder.decode($0) }
            seen += decoder.values
            decoder.removeValues()
        }
        decoder.finish(expectedCount: 11)
        seen += decoder.values
        let whole = decode(text, as: Double.self, expectedCount: 11)
        #expect(whole.values.count == 11)
        #expect(seen.map(\.bitPattern) == whole.values.map(\.bitPattern))
        #expect(decoder.issues == whole.issues)
        #expect(whole.issues.map(\.kind) == [.malformed, .decimalComma, .malformed])
    }

    @Test func aTokenMayBeVeryLong() {
        let digits = String(repeating: "7", count: 1_000_000)
        let text = "1 0.\(digits) -\(digits)e-1000000 2"
        for chunks in [[], [1000], [65536]] {
            let decoder = decode(text, as: Double.self, chunks: chunks)
            #expect(decoder.values == [1, 0.77777777777777777777, -0.77777777777777777777, 2])
            #expect(decoder.issueCount == 0)
        }
        let index = String(repeating: "0", count: 1_000_000) + "5"
        #expect(decode(index, as: Int32.self, chunks: [1000]).values == [5])
    }

    @Test func manyNumbersComeOutInOrder() {
        let text = Array((0..<100_000).map(String.init).joined(separator: " ").utf8)
        #expect(decode(text, as: Int32.self, chunks: [65536]).values == Array(0..<100_000))
        #expect(decode(text, as: Double.self).values == (0..<100_000).map(Double.init))
    }
}
