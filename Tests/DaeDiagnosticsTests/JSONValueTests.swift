import FoundationEssentials
import Testing

@testable import DaeDiagnostics

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

    /// A terminal or a reader of a report may heed them.
    @Test func controlsAndMarksOfDirectionAreSpelledOut() throws {
        let marks = [0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069]
        for mark in marks.compactMap(Unicode.Scalar.init) {
            let (written, hex) = (text(.string("é\(mark)€")), String(mark.value, radix: 16))
            #expect(written == "\"é\\u\(String(repeating: "0", count: 4 - hex.utf8.count))\(hex)€\"")
            #expect(try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8)) == ["é\(mark)€"])
        }
        // What is next to them is written as it is: a joiner and a blank of no width have their uses.
        let kept = "\u{A0}\u{AD}é\u{200B}\u{200D}‐‧\u{202F}\u{2065}\u{206A}日本😀"
        #expect(text(.string(kept)) == "\"\(kept)\"")
    }

    private func text(
        _ style: JSONValue.Style, _ members: [String: JSONValue], _ lists: [JSONValue.List]
    ) -> (text: String, pieces: Int) {
        var (bytes, pieces) = ([UInt8](), 0)
        JSONValue.write(style, members, lists: lists) { piece in
            bytes += piece
            pieces += 1
            return true
        }
        return (String(decoding: bytes, as: UTF8.self), pieces)
    }

    @Test(arguments: [JSONValue.Style.compact, .indented])
    func aListWrittenRowByRowIsTheSameText(style: JSONValue.Style) {
        let others: [String: JSONValue] = ["a": 1, "z": ["k": []]]
        for rows: [JSONValue.Row] in [[], [["a": 1]], [["b": [1, nil], "x": "y"], [:], ["z": "last", "m": 2]]] {
            for name in ["0", "m", "zz"] {
                var asked: [Int] = []
                let list = JSONValue.List(name, count: rows.count) { index in
                    asked.append(index)
                    return rows[index]
                }
                let text = text(style, others, [list]).text
                #expect(asked == Array(rows.indices))
                let whole = JSONValue.object(others.merging([name: list.json]) { one, _ in one })
                #expect(text == self.text(whole, style))
            }
        }
        let alone = text(style, [:], [.init("none", count: 0) { _ in [:] }])
        #expect(alone.text == self.text(["none": []], style))
    }

    @Test(arguments: [JSONValue.Style.compact, .indented])
    func severalListsGiveTheTextOfTheWhole(style: JSONValue.Style) {
        let rows: [JSONValue.Row] = [
            ["b": 1, "a": "x\"y"], ["a": 2, "b": ["d": 3, "c": nil]], ["b": 1, "c": "\u{7F}"], [:], ["c": 1, "d": 2],
        ]
        let whole: JSONValue = ["rows": .array(rows.map(\.json)), "more": [], "first": ["b": 1, "a": 2]]
        let text = text(
            style, ["first": ["b": 1, "a": 2]],
            [.init("rows", count: rows.count) { rows[$0] }, .init("more", count: 0) { _ in [:] }])
        #expect(text.text == self.text(whole, style))
        let compact =
            #"{"first":{"a":2,"b":1},"more":[],"rows":[{"a":"x\"y","b":1},{"a":2,"b":{"c":null,"d":3}},{"b":1,"c":"\u007f"},{},{"c":1,"d":2}]}"#
        #expect(self.text(whole, .compact) == compact)
    }

    @Test func aLongListComesInPiecesAndEndsWhenNoMoreIsWanted() {
        let list = JSONValue.List("rows", count: 20_000) { ["n": JSONValue($0)] }
        let all = text(.compact, ["last": nil], [list])
        #expect(all.pieces > 2 && all.text == text(["last": nil, "rows": list.json], .compact))
        var taken = 0
        JSONValue.write(.compact, ["zz": nil], lists: [list]) { piece in
            taken += piece.count
            return false
        }
        #expect(taken > 0 && taken < 100_000)
    }
}
