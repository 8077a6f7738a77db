import DaeMesh
import DaeScene
import TestSupport
import Testing

@testable import DaeExport

/// What crate files pack is unpacked to the same by a reader of its own.
@Suite struct CrateTests {
    @Test(
        arguments: [
            [7], [0, 0, 0, 0], [1, 2, 3, 4, 5, 6], [Int32.min, Int32.max, 0, -1], [127, 255, 0, 32_767, 65_534, 0],
            Array(0..<10_000), (0..<5000).map { $0 % 7 == 0 ? $0 * 1000 : -$0 },
        ] as [[Int32]])
    func integersComeBack(_ numbers: [Int32]) throws {
        let packed = CrateIntegers.packed(numbers)
        #expect(try CrateUnpacking.integers(packed, count: numbers.count) == numbers)
    }

    @Test func whatGoesOnInStepsTakesNextToNothing() {
        #expect(CrateIntegers.packed((0..<1_000_000).map { Int32($0) }).count < 2000)
        #expect(CrateIntegers.packed([Int32]()).isEmpty)
    }

    @Test func bytesComeBack() throws {
        var random = SeededNumbers(seed: 40)
        for size in [0, 1, 4, 12, 13, 14, 15, 16, 270, 300, 65_000, 200_000] {
            let noise = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let few = noise.map { $0 & 3 }
            let far = noise.prefix(1000) + [UInt8](repeating: 9, count: size) + noise.prefix(1000)
            for bytes in [noise, few, Array(far), [UInt8](repeating: 5, count: size)] {
                #expect(try CrateUnpacking.bytes(LZ4Block.framed(bytes)) == bytes, "\(size)")
            }
        }
    }

    @Test func whatRepeatsIsShort() {
        let bytes = Array(String(repeating: "/Scene/Node/Mesh.", count: 1000).utf8)
        #expect(LZ4Block.framed(bytes).count < 150)
        // The worst case is a 255th longer, and a few bytes.
        var random = SeededNumbers(seed: 1)
        let noise = (0..<100_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        #expect(LZ4Block.framed(noise).count < 100_500)
    }

    @Test(
        arguments: [
            (0, 0), (1, 0x3C00), (-2, 0xC000), (65504, 0x7BFF), (65520, 0x7C00), (-.infinity, 0xFC00), (0.5, 0x3800),
            (0x1p-14, 0x0400), (0x1p-24, 1), (0x1p-26, 0), (0.1, 0x2E66), (1.0005, 0x3C01), (0x1.FFCp-1, 0x3BFF),
            (0x1.FFEp-1, 0x3C00),
        ] as [(Float, UInt16)])
    func halvesAreTheNearest(_ number: Float, _ bits: UInt16) {
        #expect(number.halfBits == bits)
        #expect(abs(number.roundedToHalf - number) <= abs(number) * 0x1p-11 + 0x1p-25 || number.magnitude > 65504)
    }

    @Test func namesAreIdentifiersAndNoneTwice() {
        var names = USDNames()
        let asked = ["a b", "a.b", nil, "1st", "été", "日本", "a_b", "a_b_2", "___", String(repeating: "x", count: 100)]
        let given = asked.map { names.unique(USDNames.identifier($0, or: "node")) }
        #expect(
            given == [
                "a_b", "a_b_2", "node", "_1st", "_t_", "node_2", "a_b_3", "a_b_2_2", "node_3",
                String(repeating: "x", count: 64),
            ])
    }
}
