import Testing

@testable import DaeNumbers

/// Vector instructions must read what is read token by token, and stop where that stops.
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
    func realsAreThoseReadTokenByToken(rarity: Int, seed: UInt64) {
        for cut in [0, 1, 7, 16] {
            expectSame(Double.self, Array(Self.text(seed, rarity: rarity).dropFirst(cut))) { $0.bitPattern }
        }
    }

    @Test(arguments: [8, 40, 400], [1, 2, 3, 4] as [UInt64])
    func integersAreThoseReadTokenByToken(rarity: Int, seed: UInt64) {
        for cut in [0, 1, 7, 16] {
            let text = Array(Self.text(seed, rarity: rarity).filter { $0 != 0x2E }.dropFirst(cut))
            expectSame(Int32.self, text) { UInt64(UInt32(bitPattern: $0)) }
        }
    }

    /// Lists so short that all of a list is in the last bytes of its text, in memory that ends where they do.
    @Test func shortListsAreThoseReadTokenByToken() throws {
        for count in 1...140 {
            let bytes = Array(Self.text(UInt64(count), rarity: count.isMultiple(of: 3) ? 8 : 400).prefix(count))
            let padded = bytes + Array(repeating: Byte.space, count: NumberText.padding)
            let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: padded.count)
            defer { room.deallocate() }
            _ = room.initialize(from: padded)
            for cut in 0..<min(count, 20) {
                for method in ScanMethod.available {
                    expectSameOfFew(Double.self, UnsafeBufferPointer(room).span, from: cut, method) { $0.bitPattern }
                    expectSameOfFew(Int32.self, UnsafeBufferPointer(room).span, from: cut, method) {
                        UInt64(UInt32(bitPattern: $0))
                    }
                }
            }
        }
    }

    private func expectSameOfFew<Number: DecodableNumber>(
        _: Number.Type, _ text: Span<UInt8>, from cut: Int, _ method: ScanMethod, bits: (Number) -> UInt64
    ) {
        let end = PaddedText.end(in: text)
        var (alone, found): ([Number], [Number]) = ([], [])
        let aloneEnd = NumberScanner.scan(text, from: cut, to: end, into: &alone, by: .tokens)
        let foundEnd = NumberScanner.scan(text, from: cut, to: end, into: &found, by: method)
        #expect(foundEnd == aloneEnd, "\(end) from \(cut)")
        #expect(found.map(bits) == alone.map(bits), "\(end) from \(cut)")
    }

    /// Goes through all of a text by both methods; what neither reads is passed over.
    private func expectSame<Number: DecodableNumber>(
        _: Number.Type, _ text: [UInt8], bits: (Number) -> UInt64
    ) {
        let end = PaddedText.end(in: text.span)
        for method in ScanMethod.available {
            var (alone, found): ([Number], [Number]) = ([], [])
            var place = 0
            while place < end {
                let aloneEnd = NumberScanner.scan(text.span, from: place, to: end, into: &alone, by: .tokens)
                let foundEnd = NumberScanner.scan(text.span, from: place, to: end, into: &found, by: method)
                #expect(foundEnd == aloneEnd)
                guard aloneEnd < end else { break }
                place = text.span.tokenEnd(from: aloneEnd)
            }
            let isSame = found.map(bits) == alone.map(bits)
            #expect(isSame)
            #expect(alone.count > 1000)
        }
    }

    @Test func everyKindOfWhiteSpaceAndNoOtherPartsNumbers() {
        for byte in UInt8.min...UInt8.max {
            let plain = (0..<10).flatMap { _ in Array("1.5 22 -3 ".utf8) }
            let list = plain + (0..<40).flatMap { _ in Array("1.5 22 -3".utf8) + [byte] } + Array("7           ".utf8)
            let end = PaddedText.end(in: list.span)
            var alone: [Double] = []
            let aloneEnd = NumberScanner.scan(list.span, from: 0, to: end, into: &alone, by: .tokens)
            for method in ScanMethod.available {
                var found: [Double] = []
                let foundEnd = NumberScanner.scan(list.span, from: 0, to: end, into: &found, by: method)
                #expect(foundEnd == aloneEnd, "\(byte)")
                let isSame = found == alone
                #expect(isSame, "\(byte)")
            }
            #expect((alone.count == 151) == [0x20, 0x09, 0x0A, 0x0D].contains(byte), "\(byte)")
        }
    }
}
