import DaeNumbers
import Testing

@Suite struct FewNumbersTests {
    private func read(_ text: String, into room: inout [Double]) -> Bool {
        let padded = text + String(repeating: " ", count: NumberText.padding)
        return Array(padded.utf8).withUnsafeBytes { NumberText.readFew($0, into: &room) }
    }

    @Test(arguments: ["1", "1 0 0 -2.5e1", " \n1.5\t2 ", "1 0 0 0 0 1 0 0 0 0 1 0 0.1 0.2 0.3 1"])
    func plainNumbersAreWhatTheDecoderReads(text: String) {
        var room = [7.0]
        #expect(read(text, into: &room))
        var decoder = NumberDecoder<Double>()
        Array(text.utf8).withUnsafeBytes { decoder.decode($0) }
        decoder.finish(expectedCount: nil)
        #expect(room == decoder.values)
    }

    @Test(arguments: ["x", "1 2 x", "NaN", "1 INF", "0,5", "1e999", "1 2-3"])
    func whatIsOddIsLeftToTheDecoder(text: String) {
        var room: [Double] = []
        #expect(!read(text, into: &room))
    }

    @Test func textWithoutItsPaddingIsNotRead() {
        var room: [Double] = []
        let tight = Array("1 2 3 4 5 6 7 8".utf8)
        #expect(tight.withUnsafeBytes { !NumberText.readFew($0, into: &room) })
    }
}
