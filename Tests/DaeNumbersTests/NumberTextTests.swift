import DaeNumbers
import Testing

@Suite struct NumberTextTests {
    @Test(arguments: [("1", 1), (" \t\r\n-2.5e1 \n", -25), ("0.010000", 0.01), ("+.5", 0.5)] as [(String, Double)])
    func aPlainNumberHasNoIssue(_ text: String, _ value: Double) {
        #expect(NumberText.double(text) == .plain(value))
        #expect(NumberText.double(text).value == value)
        #expect(NumberText.double(text).issue == nil)
    }

    @Test func aCommaIsTheDecimalPoint() {
        let reading = NumberText.double(" 0,010000 ")
        #expect(reading.value == 0.01)
        #expect(reading.issue?.kind == .decimalComma)
        #expect(reading.issue?.text == "0,010000")
        #expect(reading.issue?.offset == 1)
        #expect(NumberText.integer("3,0").value == 3)
        #expect(NumberText.integer("3,0").issue?.kind == .decimalComma)
    }

    @Test func whatIsNotFiniteOrTooLargeIsOdd() {
        #expect(NumberText.double("-INF").value == -.infinity)
        #expect(NumberText.double("-INF").issue?.kind == .nonFinite)
        #expect(NumberText.double("NaN").value?.isNaN == true)
        #expect(NumberText.double("1e400").value == .infinity)
        #expect(NumberText.double("1e400").issue?.kind == .outOfRange)
        #expect(NumberText.integer("-3000000000").value == .min)
        #expect(NumberText.integer("-3000000000").issue?.kind == .outOfRange)
    }

    @Test(arguments: ["", " ", "\n\t", "1 2", "1,2,3", "1.5,5", "abc", ",", "1,5 ,", "-", "1\u{0}"])
    func theseAreUnreadable(_ text: String) {
        #expect(NumberText.double(text).value == nil)
        #expect(NumberText.double(text).issue?.kind == .malformed)
        #expect(NumberText.integer(text).value == nil)
        #expect(NumberText.integer(text).issue?.kind == .malformed)
    }

    @Test func anIntegerIsWholeAndFinite() {
        #expect(NumberText.integer("3.5").value == nil)
        #expect(NumberText.integer("NaN").value == nil)
        #expect(NumberText.integer("NaN").issue?.kind == .nonFinite)
        #expect(NumberText.integer("24.0") == .plain(24))
    }

    @Test func noBytesAtAllAreUnreadable() {
        #expect(NumberText.double(UnsafeRawBufferPointer(start: nil, count: 0)).issue?.kind == .malformed)
    }
}
