import DaeNumbers
import Testing

@Suite struct CommaTests {
    @Test func commasArePointsWhereTheTokensAreAsManyAsAnnounced() {
        let decoder = decode("7 1,5 -2,25\n+3,5e1 4", as: Double.self, expectedCount: 5)
        #expect(decoder.values == [7, 1.5, -2.25, 35, 4])
        #expect(decoder.issues.map(\.kind) == [.decimalComma, .decimalComma, .decimalComma])
        #expect(decoder.issues.map(\.offset) == [2, 6, 12])
        #expect(decoder.issues.map(\.index) == [1, 2, 3])
        #expect(decoder.issues.map(\.text) == ["1,5", "-2,25", "+3,5e1"])
    }

    @Test func commasAreSeparatorsWhereThePartsAreAsManyAsAnnounced() {
        let decoder = decode("7 1,5 -2.5,25,1e2\n4", as: Double.self, expectedCount: 7)
        #expect(decoder.values == [7, 1, 5, -2.5, 25, 100, 4])
        #expect(decoder.issues.map(\.kind) == [.commaSeparator, .commaSeparator])
        #expect(decoder.issues.map(\.offset) == [2, 6])
        #expect(decoder.issues.map(\.index) == [1, 3])
    }

    @Test func commasWithSpaceBesideThemAreSeparators() {
        let decoder = decode("1, 2 ,3 , 4,,5", as: Int32.self, expectedCount: 5)
        #expect(decoder.values == [1, 2, 3, 4, 5])
        #expect(decoder.issues.allSatisfy { $0.kind == .commaSeparator })
        #expect(decoder.issueCount == 4)
    }

    @Test(arguments: [nil, 2, 4, 100, 0, -1, Int.min, Int.max])
    func commasAreMalformedWhereNothingFits(_ expected: Int?) {
        let decoder = decode("7 1,5 8", as: Double.self, expectedCount: expected)
        if expected == 4 {
            #expect(decoder.values == [7, 1, 5, 8])
        } else {
            #expect(decoder.values.count == 3)
            #expect(decoder.values[0] == 7 && decoder.values[1].isNaN && decoder.values[2] == 8)
            #expect(decoder.issues.map(\.kind) == [.malformed])
        }
    }

    @Test func aTokenThatCannotBePointedIsMalformedAmongThoseThatCan() {
        let decoder = decode("1,5 1,2,3 2,5", as: Double.self, expectedCount: 3)
        #expect(decoder.values.count == 3)
        #expect(decoder.values[0] == 1.5 && decoder.values[1].isNaN && decoder.values[2] == 2.5)
        #expect(decoder.issues.map(\.kind) == [.decimalComma, .malformed, .decimalComma])
    }

    @Test func aPartThatIsNoNumberIsAnIssueOfItsOwn() {
        let decoder = decode("1 2,x,NaN", as: Double.self, expectedCount: 4)
        #expect(decoder.values.prefix(2) == [1, 2])
        #expect(decoder.values.suffix(2).allSatisfy { $0.isNaN })
        #expect(decoder.issues.map(\.kind) == [.commaSeparator, .malformed, .nonFinite])
        #expect(decoder.issues.map(\.offset) == [2, 4, 6])
        #expect(decoder.issues.map(\.index) == [1, 2, 3])
    }

    @Test func oddTokensBehindACommaKeepTheirPlace() {
        let decoder = decode("x 1,5 y", as: Double.self, expectedCount: 3)
        #expect(decoder.issues.map(\.kind) == [.malformed, .decimalComma, .malformed])
        #expect(decoder.issues.map(\.index) == [0, 1, 2])
        #expect(decoder.issues.map(\.offset) == [0, 2, 6])
    }

    @Test func anIndexWithACommaIsAPointOnlyWhereItIsWhole() {
        let decoder = decode("3,0 4,5", as: Int32.self, expectedCount: 2)
        #expect(decoder.values == [3, 0])
        #expect(decoder.issues.map(\.kind) == [.decimalComma, .malformed])
    }

    @Test func theMicrosoftSpellingsWithACommaHoldNothingBack() {
        let decoder = decode("1,#INF 1,5", as: Double.self, expectedCount: 2)
        #expect(decoder.values == [.infinity, 1.5])
        #expect(decoder.issues.map(\.kind) == [.nonFinite, .decimalComma])
    }

    /// Behind the last issue that is kept they are read many at a time.
    @Test func manyDecimalCommasAreReadAsEachIsByItself() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let count = Int.random(in: 1...120, using: &random)
            let tokens = (0..<count).map { _ in
                switch Int.random(in: 0..<14, using: &random) {
                case 0: "\(Int.random(in: -9...9, using: &random))"
                case 1: "\(Int.random(in: -9...9, using: &random)),\(Int.random(in: 0...99, using: &random))e5"
                case 2:
                    ["x", "1,2,3", ",5", "5,", "1.5,2", "1,#INF", "1,0e999", "1.25", "NaN"].randomElement(
                        using: &random) ?? ""
                default: "\(Int.random(in: -99...99, using: &random)),\(Int.random(in: 0...999_999, using: &random))"
                }
            }
            let text = tokens.joined(separator: " ")
            let few = decode(text, as: Double.self, expectedCount: count, issueLimit: 3)
            let all = decode(text, as: Double.self, expectedCount: count, issueLimit: .max)
            #expect(few.values.map(\.bitPattern) == all.values.map(\.bitPattern), "\(text)")
            #expect(few.issueCount == all.issueCount, "\(text)")
            #expect(few.issues == Array(all.issues.prefix(3)), "\(text)")
        }
    }
}
