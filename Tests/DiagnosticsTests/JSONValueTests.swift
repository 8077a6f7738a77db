import FoundationEssentials
import Testing

@testable import Diagnostics

@Suite struct JSONValueTests {
    private func text(_ value: JSONValue, _ style: JSONValue.Style = .compact) -> String {
        String(decoding: value.text(style), as: UTF8.self)
    }

    @Test func keysAreSortedAndBothStylesAreTheSameValue() throws {
        let value: JSONValue = ["b": [1, .real(2.5), nil], "a": ["x": true, "é": "ü"], "c": [:], "d": []]
        #expect(text(value) == #"{"a":{"x":true,"é":"ü"},"b":[1,2.5,null],"c":{},"d":[]}"#)
        #expect(
            text(value, .indented) == """
                {
                  "a": {
                    "x": true,
                    "é": "ü"
                  },
                  "b": [
                    1,
                    2.5,
                    null
                  ],
                  "c": {},
                  "d": []
                }
                """)
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (1, "1"), (-0.0, "0"), (1e-7, "1e-07"), (1e300, "1e+300"), (.nan, "null"),
            (.infinity, "null"),
            (0.30000000000000004, "0.30000000000000004"), (9_007_199_254_740_992, "9007199254740992.0"),
            (-118.645012349562, "-118.645012349562"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)])
    func aRealIsTheShortestTextThatReadsBackTheSame(value: Double, expected: String) throws {
        #expect(text(.real(value)) == expected)
        guard value.isFinite else { return }
        #expect(Double(expected) == value)
        #expect(try JSONDecoder().decode([Double].self, from: Data("[\(expected)]".utf8)) == [value])
    }

    @Test func whatJSONForbidsInTextsIsEscaped() throws {
        let odd = "\"\\/\u{8}\u{1F}\u{7F}\n\r\t\u{2028}😀\u{0}"
        let written = text(.string(odd))
        #expect(written.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8)) == [odd])
    }

    @Test(arguments: [JSONValue.Style.compact, .indented])
    func aListWrittenElementByElementIsTheSameText(style: JSONValue.Style) {
        let others: [String: JSONValue] = ["a": 1, "z": ["k": []]]
        for elements: [JSONValue] in [[], [1], [["x": "y", "b": [1, nil]], [], "last"]] {
            for name in ["0", "m", "zz"] {
                var asked: [Int] = []
                let text = JSONValue.text(style, others, list: name, count: elements.count) { index in
                    asked.append(index)
                    return elements[index]
                }
                let whole = JSONValue.object(others.merging([name: .array(elements)]) { one, _ in one })
                #expect(String(decoding: text, as: UTF8.self) == self.text(whole, style))
                #expect(asked == Array(elements.indices))
            }
        }
        let alone = JSONValue.text(style, [:], list: "none", count: 0) { _ in nil }
        #expect(String(decoding: alone, as: UTF8.self) == self.text(["none": []], style))
    }

    @Test(arguments: [JSONValue.Style.compact, .indented]) func listsMadeOneByOneGiveTheTextOfTheWhole(
        style: JSONValue.Style
    ) {
        let rows: [JSONValue] = [
            ["b": 1, "a": "x\"y"], ["a": 2, "b": ["d": 3, "c": nil]], ["b": 1, "c": "\u{7F}"], [:], ["c": 1, "d": 2],
        ]
        let whole: JSONValue = ["rows": .array(rows), "more": [], "first": ["b": 1, "a": 2]]
        let text = JSONValue.text(
            style, ["first": ["b": 1, "a": 2]],
            lists: [.init("rows", count: rows.count) { rows[$0] }, .init("more", count: 0) { _ in nil }])
        #expect(text == whole.text(style))
        let compact =
            #"{"first":{"a":2,"b":1},"more":[],"rows":[{"a":"x\"y","b":1},{"a":2,"b":{"c":null,"d":3}},{"b":1,"c":"\u007f"},{},{"c":1,"d":2}]}"#
        #expect(String(decoding: whole.text(.compact), as: UTF8.self) == compact)
    }
}
