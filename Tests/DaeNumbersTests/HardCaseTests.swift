import DaeNumbers
import Glibc
import Testing

/// Numbers that made readers hang, or round the wrong way; the patterns are facts of IEEE 754.
@Suite struct HardCaseTests {
    @Test(
        arguments: [
            ("0.1", 0x3FB9_9999_9999_999A),
            ("0.3", 0x3FD3_3333_3333_3333),
            ("3.14159265358979323846264338327950288", 0x4009_21FB_5444_2D18),
            // The powers of ten end to be exact after 1e22.
            ("1e22", 0x4480_F0CF_064D_D592),
            ("1e23", 0x44B5_2D02_C7E1_4AF6),
            // The border of the subnormal numbers, where two well-known readers never came back.
            ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
            ("2.2250738585072012e-308", 0x0010_0000_0000_0000),
            ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
            // The least number, and half of it.
            ("4.9406564584124654e-324", 1),
            ("4.9e-324", 1),
            ("2.4703282292062327e-324", 0),
            ("2.4703282292062328e-324", 1),
            // The greatest number, and half a step above it.
            ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF),
            ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
            ("1.7976931348623159e308", 0x7FF0_0000_0000_0000),
            // Middles between integers above 2^53.
            ("9007199254740993", 0x4340_0000_0000_0000),
            ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
            ("9007199254740995", 0x4340_0000_0000_0002),
            ("9007199254740992999e-3", 0x4340_0000_0000_0000),
            ("72057594037927933", 0x4370_0000_0000_0000),
            ("-0", 1 << 63),
            ("-0.000e-999999999999", 1 << 63),
            ("0e999999999999999999999999", 0),
            ("1e-400", 0),
            ("-1e-999999999999999999999999", 1 << 63),
            ("1e999999999999", 0x7FF0_0000_0000_0000),
            ("1" + String(repeating: "0", count: 400) + "e-400", 0x3FF0_0000_0000_0000),
            ("0." + String(repeating: "0", count: 400) + "1e401", 0x3FF0_0000_0000_0000),
            ("00000000000000000000000000000000000001.", 0x3FF0_0000_0000_0000),
            (".5", 0x3FE0_0000_0000_0000),
            ("+5.", 0x4014_0000_0000_0000),
        ] as [(String, UInt64)])
    func aDoubleHasThesePatterns(_ text: String, _ pattern: UInt64) {
        #expect(decode(text, as: Double.self).values.map(\.bitPattern) == [pattern])
        #expect(NumberText.double(text).value?.bitPattern == pattern)
        #expect(strtod(text, nil).bitPattern == pattern)
    }
}
