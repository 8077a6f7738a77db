import NumberDecoding
import Testing

@Suite struct WholeListReaderTests {
    @Test(arguments: [
        "", " ", "1", "1 2 3", "\n 1 2\t3\r\n", "-1.5 2e3 .5 4. +7", "0.1234567890123456789 1e-300",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
    ])
    func readsWhatADecoderReads(_ text: String) throws {
        var reals = WholeListReader<Double>()
        let values = try #require(read(text, by: &reals, announced: nil))
        #expect(values.map(\.bitPattern) == decode(text, as: Double.self).values.map(\.bitPattern))
    }

    @Test(arguments: ["1,5", "1 x 2", "NaN", "1 2 1e999", "1 2,", "1\u{A0}2", "-"])
    func leavesWhatIsOddToADecoder(_ text: String) {
        var reals = WholeListReader<Double>()
        #expect(read(text, by: &reals, announced: nil) == nil)
        // What was left does not come back.
        #expect(read("7 8", by: &reals, announced: nil) == [7, 8])
    }

    @Test(arguments: ["1.5", "99999999999", "x"])
    func integersAreWholeAndFit(_ text: String) {
        var integers = WholeListReader<Int32>()
        #expect(read(text, by: &integers) == nil)
        #expect(read("-2147483648 2147483647 007", by: &integers) == [.min, .max, 7])
    }

    @Test(arguments: [nil, 0, 1, 600, 5000, 5001, 1_000_000, -1, Int.min, Int.max])
    func theAnnouncedCountMayLie(_ announced: Int?) throws {
        let text = (0..<5000).map { "\($0).25" }.joined(separator: " ")
        var reals = WholeListReader<Double>()
        let values = try #require(read(text, by: &reals, announced: announced))
        #expect(values == (0..<5000).map { Double($0) + 0.25 })
        // No more room than for what came.
        #expect(values.capacity <= 5000 + 5000 / 8 + 64)
    }

    @Test func nothingBehindTheTextIsRead() throws {
        let text = Array("1 2 37".utf8)
        var reals = WholeListReader<Double>()
        let values = text.withUnsafeBytes { reals.read(UnsafeRawBufferPointer(rebasing: $0[..<5]), announced: nil) }
        #expect(values == [1, 2, 3])
    }

    /// Of any length: short text is copied, of longer text the end.
    @Test func isADecoderWhereNothingIsOdd() {
        var random = SeededGenerator(seed: 11)
        var reals = WholeListReader<Double>()
        var integers = WholeListReader<Int32>()
        for round in 0..<400 {
            let count = Int.random(in: 0...(round % 4 == 0 ? 3000 : 60), using: &random)
            let isOdd = round % 5 == 0
            let tokens = (0..<count).map { place in
                if isOdd, place == count / 2 { return "1,5" }
                switch Int.random(in: 0..<6, using: &random) {
                case 0: return "\(Int32.random(in: .min ... .max, using: &random))"
                case 1: return "\(Double.random(in: -1...1, using: &random))"
                case 2:
                    return
                        "\(Double.random(in: -1e9...1e9, using: &random))e\(Int.random(in: -30...30, using: &random))"
                default: return "\(Int.random(in: -99...9999, using: &random))"
                }
            }
            let text = tokens.joined(separator: Bool.random(using: &random) ? " " : "\n  ")
            let announced = Bool.random(using: &random) ? count : nil
            let whole = decode(text, as: Double.self)
            let values = read(text, by: &reals, announced: announced)
            #expect(values?.map(\.bitPattern) == (whole.issueCount == 0 ? whole.values.map(\.bitPattern) : nil))
            let wholeIntegers = decode(text, as: Int32.self)
            #expect(
                read(text, by: &integers)
                    == (wholeIntegers.issueCount == 0 ? wholeIntegers.values : nil))
        }
    }

    private func read(_ text: String, by reader: inout WholeListReader<Double>, announced: Int?) -> [Double]? {
        Array(text.utf8).withUnsafeBytes { reader.read($0, announced: announced) }
    }

    private func read(_ text: String, by reader: inout WholeListReader<Int32>) -> [Int32]? {
        Array(text.utf8).withUnsafeBytes { reader.read($0) }
    }
}
