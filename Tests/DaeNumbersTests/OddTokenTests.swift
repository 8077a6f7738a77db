import DaeNumbers
import Testing

@Suite struct OddTokenTests {
    @Test(arguments: [
        "NaN", "nan", "NAN", "-nan", "+NaN", "nan(ind)", "-nan(ind)", "nan(snan)", "nan()", "nan(0x7f_A)", "1.#QNAN",
        "-1.#QNAN", "1.#qnan", "1.#SNAN", "1.#IND", "-1.#IND", "-1.#IND00", "1.#QNAN0", "1.#INDe+000", "1.#R",
        "-1,#IND",
    ])
    func theseAreNotANumber(_ text: String) {
        let decoder = decode("1 \(text) 2", as: Double.self)
        #expect(decoder.values.count == 3)
        #expect(decoder.values[1].isNaN)
        #expect(decoder.values.first == 1 && decoder.values.last == 2)
        #expect(decoder.issues.map(\.kind) == [.nonFinite])
        #expect(decoder.issues.first?.text == text)
    }

    @Test(arguments: [
        "INF", "-INF", "+INF", "inf", "-inf", "Infinity", "-Infinity", "+infinity", "1.#INF", "-1.#INF", "1.#inf",
        "1.#INF00", "-1.#INFe+000", "1.#J", "-1.#J", "1,#INF", "∞", "-∞",
    ])
    func theseAreInfinite(_ text: String) {
        let sign: Double = text.first == "-" ? -1 : 1
        let decoder = decode("1 \(text) 2", as: Double.self)
        #expect(decoder.values == [1, sign * .infinity, 2])
        #expect(decoder.issues.map(\.kind) == [.nonFinite])
        #expect(decode(text, as: Int32.self).values == [0])
        #expect(decode(text, as: Int32.self).issues.map(\.kind) == [.nonFinite])
    }

    @Test(arguments: [
        ".", "+", "-", "e5", "1e", "1e+", "1e-", "1.2.3", "--1", "+-1", "1-2", "0x10", "abc", "1f", "1.0f", "1_000",
        "1\u{0}", "\u{0}", "1\u{A0}", "ｘ", "na", "nanx", "nan(", "nan(!)", "infi", "infinityx", "1.#", "1.#FOO",
        "1.#INFx", "1.#INFe", "1.#INFe+", "2.#INF", "1e5.5", ".e5", "-.", "1\u{B}", "\u{FEFF}1", "1;", "12345678x",
        "123456789012345678901234567890x", "1.12345678x", "12345678.12345678.", "1e12345678x",
    ])
    func theseAreMalformed(_ text: String) {
        for decoder in [decode("1 \(text) 2", as: Double.self), decode("1 \(text)\t2 ", as: Double.self)] {
            #expect(decoder.values.count == 3)
            #expect(decoder.values[1].isNaN)
            #expect(decoder.issueCount == 1)
            #expect(decoder.issues == [decoder.issues[0]])
            #expect(decoder.issues[0].kind == .malformed)
            #expect(decoder.issues[0].offset == 2)
            #expect(decoder.issues[0].index == 1)
            #expect(decoder.issues[0].text == text)
        }
        #expect(decode("1 \(text) 2", as: Int32.self).values == [1, 0, 2])
        #expect(decode("1 \(text) 2", as: Int32.self).issues.map(\.kind) == [.malformed])
    }

    @Test(
        arguments: [
            ("2147483647", 2_147_483_647), ("-2147483648", -2_147_483_648), ("+7", 7), ("-0", 0), ("007", 7),
            ("00000000000000000000000000000000002", 2), ("12345678", 12_345_678), ("-1234567", -1_234_567), ("3.0", 3),
            ("3.", 3), ("-3.000000000000000000000000", -3), ("1e+06", 1_000_000), ("1.5e1", 15), ("2147483647.0", .max),
            ("2147483647000e-3", .max), ("0e99999999999", 0), ("0.0", 0), (".0", 0), ("1200e-2", 12),
        ] as [(String, Int32)])
    func theseAreWholeNumbers(_ text: String, _ value: Int32) {
        let decoder = decode("1 \(text) 2", as: Int32.self)
        #expect(decoder.values == [1, value, 2])
        #expect(decoder.issueCount == 0)
        #expect(NumberText.integer(" \(text)\n") == .plain(value))
    }

    @Test(arguments: [
        "2147483648", "-2147483649", "4294967295", "99999999999", "1e10", "1e999999999999", "2147483648.0",
        "-123456789012345678901234567890", "9223372036854775808", "18446744073709551616",
    ])
    func theseDoNotFit(_ text: String) {
        let decoder = decode("1 \(text) 2", as: Int32.self)
        #expect(decoder.values == [1, text.first == "-" ? .min : .max, 2])
        #expect(decoder.issues.map(\.kind) == [.outOfRange])
    }

    @Test(arguments: ["3.5", "0.1", "1e-1", "-2.000000000000000000000000001", "1e-999999999999"])
    func aFractionIsNoIndex(_ text: String) {
        let decoder = decode("1 \(text) 2", as: Int32.self)
        #expect(decoder.values == [1, 0, 2])
        #expect(decoder.issues.map(\.kind) == [.malformed])
    }

    @Test func whatIsTooLargeBecomesInfinityAndIsToldOf() {
        let text = "1e309 -1e309 3e38 1e400"
        let decoder = decode(text, as: Double.self)
        #expect(decoder.values == [.infinity, -.infinity, 3e38, .infinity])
        #expect(decoder.issues.map(\.kind) == [.outOfRange, .outOfRange, .outOfRange])
        #expect(decoder.issues.map(\.index) == [0, 1, 3])
        #expect(decoder.issues.map(\.offset) == [0, 6, 18])
    }

    @Test func allIssuesAreCountedAndTheFirstAreKept() {
        let decoder = decode(Array("x y 1 z".utf8), as: Double.self, issueLimit: 2)
        #expect(decoder.issues.map(\.text) == ["x", "y"])
        #expect(decoder.issueCount == 3)
        #expect(decoder.values.count == 4)
    }

    @Test func theTextOfAnIssueIsCutAndRepaired() {
        let long = decode(String(repeating: "é", count: 1000), as: Double.self)
        #expect(long.issues.map(\.text) == [String(repeating: "é", count: 40)])
        let broken = decode([0x78, 0xFF, 0x79], as: Double.self)
        #expect(broken.issues.map(\.text) == ["x\u{FFFD}y"])
    }
}
