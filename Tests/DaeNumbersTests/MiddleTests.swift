import DaeNumbers
import Testing

/// Middles between neighbours, written out to their last digit, and the numbers right beside them: what only exact
/// rounding gets right. Held against the C library too.
@Suite struct MiddleTests {
    @Test func middlesBetweenDoubles() {
        var maker = TextMaker(seed: 11)
        for round in 0..<4000 {
            let bits = maker.random.next() & 0x7FFF_FFFF_FFFF_FFFF
            let subnormal = bits >> UInt64.random(in: 12...60, using: &maker.random)
            let value = Double(bitPattern: round % 4 == 0 ? subnormal : bits)
            guard value.isFinite else { continue }
            let exponent = max(Int(value.bitPattern >> 52), 1) - 1075
            let whole = value.bitPattern & (1 << 52 - 1) | (value.bitPattern >> 52 == 0 ? 0 : 1 << 52)
            maker.addNeighbours(of: Decimal(2 * whole + 1, twoToThe: exponent - 1))
        }
        #expect(maker.starts.count > 10_000)
        #expect(maker.differences() == [])
    }

    /// The product and one below it are told apart by the digits behind the first nineteen.
    @Test func middlesWithAVeryLongTail() {
        var maker = TextMaker(seed: 13)
        let middle = String(decoding: Decimal(1 << 53 + 1, twoToThe: -53).digits, as: UTF8.self)
        for zeros in [1, 100, 700, 720, 750, 800, 2000, 100_000] {
            let tail = String(repeating: "0", count: zeros)
            maker.add("1.\(middle.dropFirst())\(tail)")
            maker.add("1.\(middle.dropFirst())\(tail)1")
            maker.add("1.\(middle.dropFirst())\(tail)1e-0")
        }
        let values = decode(maker.bytes, as: Double.self).values
        #expect(Array(values.prefix(3)) == [1, 1.0.nextUp, 1.0.nextUp])
        #expect(maker.differences() == [])
    }
}

/// `digits` · 10^`exponent`, exact: schoolbook arithmetic that shares nothing with the code under test.
private struct Decimal {
    private(set) var digits: [UInt8]
    private(set) var exponent = 0

    init(_ value: UInt64, twoToThe power: Int) {
        var limbs: [UInt64] = []
        var rest = value
        while rest > 0 {
            limbs.append(rest % 1_000_000_000)
            rest /= 1_000_000_000
        }
        // 2^-n is 5^n / 10^n.
        var left = abs(power)
        while left > 0 {
            let step = min(left, 13)
            var factor: UInt64 = 1
            for _ in 0..<step { factor *= power < 0 ? 5 : 2 }
            var carry: UInt64 = 0
            for place in limbs.indices {
                let product = limbs[place] * factor + carry
                limbs[place] = product % 1_000_000_000
                carry = product / 1_000_000_000
            }
            while carry > 0 {
                limbs.append(carry % 1_000_000_000)
                carry /= 1_000_000_000
            }
            left -= step
        }
        exponent = min(power, 0)
        digits = []
        for limb in limbs {
            var limb = limb
            for _ in 0..<9 {
                digits.append(0x30 + UInt8(limb % 10))
                limb /= 10
            }
        }
        while digits.last == 0x30 { digits.removeLast() }
        digits.reverse()
    }
}

extension TextMaker {
    /// The number, one with its last digit less by one, and one with a digit more.
    fileprivate mutating func addNeighbours(of middle: Decimal) {
        let ending = "e\(middle.exponent)".utf8
        add(middle.digits + ending)
        var less = middle.digits
        if let last = less.last, last > 0x30 {
            less[less.count - 1] = last - 1
            add(less + ending)
        }
        let pointed = [middle.digits[0], 0x2E] + middle.digits.dropFirst()
        add(pointed + Array("0001e\(middle.exponent + middle.digits.count - 1)".utf8))
        add(pointed + Array("e\(middle.exponent + middle.digits.count - 1)".utf8))
    }
}
