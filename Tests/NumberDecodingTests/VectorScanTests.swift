import Testing

@testable import NumberDecoding

/// Vector instructions must read what the loops in words read, and stop where those stop.
@Suite struct VectorScanTests {
    private static let digits = Array("0123456789")

    /// - Parameter rarity: How many tokens there are for one of an odd form.
    private static func text(_ seed: UInt64, rarity: Int) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        func run(_ counts: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: counts, using: &random)).map { _ in digits.randomElement(using: &random) ?? "0" })
        }
        let odd = [
            "1e5", "+3", "1.25e-7", ".", "-", "-.", "1.2.3", "--1", "1-", "0.12345678901234567", "9007199254740993",
            "9999999999999999", "123456789012345678", "1.", ".5", "-.5", "-0", "00000000000000001", "3.0",
            "2.5e-05", "-8.864402E-05", "1e-22", "1e22", "1e23", "123456789e-30", "1e+06", "-0e3", "1.e5", "7e-007",
        ]
        let spaces = [" ", " ", " ", " ", " ", "\n", "  ", "\t", "\r\n", "    \n        "]
        var text = ""
        for _ in 0..<3000 {
            let sign = Int.random(in: 0..<3, using: &random) == 0 ? "-" : ""
            switch Int.random(in: 0..<rarity, using: &random) {
            case 0: text += odd.randomElement(using: &random) ?? "0"
            case 1..<rarity / 4: text += run(1...8)
            case rarity / 4..<rarity / 2: text += sign + run(1...3) + "." + run(1...6)
            case rarity / 2..<3 * rarity / 4: text += sign + "0." + run(1...14)
            default: text += sign + run(1...16)  // numbers
            }
            text += spaces.randomElement(using: &random) ?? " "
        }
        return Array(text.utf8)
    }

    @Test(arguments: [8, 40, 400], [1, 2, 3, 4] as [UInt64])
    func realsAreThoseOfTheLoopInWords(rarity: Int, seed: UInt64) throws {
        for cut in [0, 1, 7, 16] {
            let bytes = Array(Self.text(seed, rarity: rarity).dropFirst(cut))
            try bytes.withUnsafeBytes { bytes in
                let text = try #require(PaddedText(longestIn: bytes))
                expectSame(text) {
                    RealScanner.scan(text, from: $0, into: &$1, by: $2)
                } bits: {
                    $0.bitPattern
                }
            }
        }
    }

    @Test(arguments: [8, 40, 400], [1, 2, 3, 4] as [UInt64])
    func integersAreThoseOfTheLoopInWords(rarity: Int, seed: UInt64) throws {
        for cut in [0, 1, 7, 16] {
            let bytes = Array(Self.text(seed, rarity: rarity).filter { $0 != 0x2E }.dropFirst(cut))
            try bytes.withUnsafeBytes { bytes in
                let text = try #require(PaddedText(longestIn: bytes))
                expectSame(text) {
                    IntegerScanner.scan(text, from: $0, into: &$1, by: $2)
                } bits: {
                    UInt64(UInt32(bitPattern: $0))
                }
            }
        }
    }

    /// Lists so short that all of a list is in the last bytes of its text, in memory that ends where they do.
    @Test func shortListsAreThoseOfTheLoopInWords() throws {
        for count in 1...140 {
            let bytes = Array(Self.text(UInt64(count), rarity: count.isMultiple(of: 3) ? 8 : 400).prefix(count))
            let padded = bytes + Array(repeating: Byte.space, count: NumberText.padding)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: padded.count, alignment: 1)
            defer { room.deallocate() }
            room.copyBytes(from: padded)
            let text = try #require(PaddedText(longestIn: UnsafeRawBufferPointer(room)))
            for cut in 0..<min(count, 20) {
                for road in ScanMethod.available { try expectSameOfFew(text, from: cut, road) }
            }
        }
    }

    private func expectSameOfFew(_ text: PaddedText, from cut: Int, _ road: ScanMethod) throws {
        var (words, vectors): ([Double], [Double]) = ([], [])
        let end = RealScanner.scan(text, from: cut, into: &words, by: .words)
        #expect(RealScanner.scan(text, from: cut, into: &vectors, by: road) == end, "\(text.count) from \(cut)")
        #expect(vectors.map(\.bitPattern) == words.map(\.bitPattern), "\(text.count) from \(cut)")
        var (whole, wholeByVectors): ([Int32], [Int32]) = ([], [])
        let wholeEnd = IntegerScanner.scan(text, from: cut, into: &whole, by: .words)
        #expect(
            IntegerScanner.scan(text, from: cut, into: &wholeByVectors, by: road) == wholeEnd,
            "\(text.count) from \(cut)")
        #expect(wholeByVectors == whole, "\(text.count) from \(cut)")
    }

    /// Goes through all of a text by both methods; what neither reads is passed over.
    private func expectSame<Number>(
        _ text: PaddedText, _ scan: (Int, inout [Number], ScanMethod) -> Int, bits: (Number) -> UInt64
    ) {
        for road in ScanMethod.available {
            var (words, vectors): ([Number], [Number]) = ([], [])
            var place = 0
            while place < text.count {
                let end = scan(place, &words, .words)
                #expect(scan(place, &vectors, road) == end)
                guard end < text.count else { break }
                place = end + text.bytes.token(at: end).count
            }
            let isSame = vectors.map(bits) == words.map(bits)
            #expect(isSame)
            #expect(words.count > 1000)
        }
    }

    @Test func everyKindOfWhiteSpaceAndNoOtherPartsNumbers() throws {
        for byte in UInt8.min...UInt8.max {
            let plain = (0..<10).flatMap { _ in Array("1.5 22 -3 ".utf8) }
            let list = plain + (0..<40).flatMap { _ in Array("1.5 22 -3".utf8) + [byte] } + Array("7           ".utf8)
            try list.withUnsafeBytes { bytes in
                let text = try #require(PaddedText(longestIn: bytes))
                var (words, vectors): ([Double], [Double]) = ([], [])
                let end = RealScanner.scan(text, from: 0, into: &words, by: .words)
                for road in ScanMethod.available {
                    vectors = []
                    #expect(RealScanner.scan(text, from: 0, into: &vectors, by: road) == end, "\(byte)")
                    let isSame = vectors == words
                    #expect(isSame, "\(byte)")
                }
                #expect((words.count == 151) == [0x20, 0x09, 0x0A, 0x0D].contains(byte), "\(byte)")
            }
        }
    }
}
