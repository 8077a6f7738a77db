import Testing

/// A million texts, the same at every run, against `strtod` of the C library in its C locale, bit for bit.
@Suite struct AgainstCTests {
    @Test func anyDoubleAtAnyPrecision() {
        var maker = TextMaker(seed: 1)
        for round in 0..<250_000 {
            let value = Double(bitPattern: maker.random.next())
            maker.add(value.isFinite ? value : 0, "%.*g", digits: [9, 17, 25][round % 3])
        }
        #expect(maker.differences() == [])
    }

    /// Those that were written from a `Float`, as most exporters do.
    @Test func anyFloatAtAnyPrecision() {
        var maker = TextMaker(seed: 2)
        for round in 0..<250_000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: maker.random.next()))
            maker.add(Double(value.isFinite ? value : 0), "%.*g", digits: [9, 7, 17, 25][round % 4])
        }
        #expect(maker.differences() == [])
    }

    @Test func coordinatesAsExportersWriteThem() {
        var maker = TextMaker(seed: 3)
        for round in 0..<250_000 {
            let size = [1, 10, 1000, 1e6, 1e9][round % 5]
            let value = Double.random(in: -size...size, using: &maker.random)
            maker.add(value, round % 7 == 0 ? "%+.*e" : "%.*f", digits: Int.random(in: 0...18, using: &maker.random))
        }
        #expect(maker.differences() == [])
    }

    @Test func subnormals() {
        var maker = TextMaker(seed: 4)
        for round in 0..<100_000 {
            let bits = maker.random.next() >> UInt64.random(in: 12...63, using: &maker.random)
            let double = Double(bitPattern: bits)
            let float = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 29)))
            maker.add(round % 2 == 0 ? double : float, "%.*g", digits: [5, 9, 17, 25][round % 4])
        }
        #expect(maker.differences() == [])
    }

    @Test func randomDigitsWithRandomExponents() {
        var maker = TextMaker(seed: 5)
        for _ in 0..<150_000 {
            maker.add(Self.randomDecimal(&maker.random))
        }
        #expect(maker.differences() == [])
    }

    @Test func powersOfTen() {
        var maker = TextMaker(seed: 6)
        for exponent in -420...420 {
            for digits in ["1", "+9", "-5", "1.", ".1", "9.9999999999999999", "99999999999999999999", "000.0001"] {
                maker.add("\(digits)e\(exponent)")
                maker.add("\(digits)E+00\(abs(exponent))")
            }
        }
        #expect(maker.differences() == [])
    }

    @Test func integersAroundPowersOfTwo() {
        var maker = TextMaker(seed: 7)
        for power in 20...66 {
            let middle = UInt128(1) << UInt128(power)
            for distance in 0..<70 {
                for number in [middle + UInt128(distance), middle - UInt128(distance)] {
                    for ending in ["", ".5", ".0", ".49999999999999999999", ".50000000000000000000000001"] {
                        maker.add("\(number)\(ending)")
                    }
                }
            }
        }
        #expect(maker.differences() == [])
    }

    /// Up to 45 digits, a point somewhere or not, an exponent or not.
    private static func randomDecimal(_ random: inout SeededGenerator) -> [UInt8] {
        var token: [UInt8] = []
        if Bool.random(using: &random) { token.append([0x2B, 0x2D].randomElement(using: &random) ?? 0x2D) }
        let count = Int.random(in: 1...45, using: &random)
        let point = Int.random(in: 0...60, using: &random)
        let zeros = Int.random(in: -20...20, using: &random)
        for place in 0..<count {
            if place == point { token.append(0x2E) }
            token.append(place < zeros ? 0x30 : UInt8.random(in: 0x30...0x39, using: &random))
        }
        if Int.random(in: 0...3, using: &random) > 0 {
            token.append(contentsOf: "e\(Int.random(in: -380...380, using: &random))".utf8)
        }
        return token
    }
}
