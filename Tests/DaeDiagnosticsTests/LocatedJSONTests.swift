import DaeDiagnostics
import TestSupport
import Testing

@Suite struct LocatedJSONTests {
    @Test func whatTheLibraryWritesIsReadBack() throws {
        let value: JSONValue = [
            "a": [1, .integer(.max), .integer(.min), .real(-1.5e-300), .bool(true), .bool(false), nil],
            "\u{0}\"\\/\n\u{1F600}é": ["": [:], "list": []],
        ]
        #expect(try JSONValue(text: value.text(.compact)) == value)
        #expect(try JSONValue(text: value.text(.indented)) == value)
    }

    @Test func escapesAreUndone() throws {
        #expect(
            try JSONValue(text: Array(#" "\u00e9\ud83d\ude00\b\f\n\r\t\/\"\\" "#.utf8))
                == "é\u{1F600}\u{8}\u{C}\n\r\t/\"\\")
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":}", "{a:1}", "tru", "nul", "1 2", "\"", "\"\n\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\u+123\"", "1e999", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+",
        "0x1", "{\"a\" 1}", "[1 2]", "]",
    ])
    func whatIsNoJSONIsRefused(_ text: String) {
        #expect(throws: LocatedJSON.Fault.self) { try JSONValue(text: Array(text.utf8)) }
    }

    @Test func eachValueKnowsItsLine() throws {
        let json = try LocatedJSON.value(in: Array("\n{\"a\":\n1,\n\n\"b\": [2,\n3]}".utf8))
        #expect(json.line == 2)
        #expect(json["a"]?.line == 3)
        #expect(json["b"]?.array?.map(\.line) == [5, 6])
    }

    @Test func valuesMayStandOneBehindTheOther() throws {
        #expect(try LocatedJSON.values(in: Array("{}\n{}\n".utf8)).map(\.line) == [1, 2])
        #expect(try LocatedJSON.values(in: []).isEmpty)
    }

    @Test func whatIsNoUTF8IsRefused() {
        #expect(throws: LocatedJSON.Fault.self) { try JSONValue(text: [0x22, 0xFF, 0x22]) }
    }

    @Test func depthIsBounded() {
        for mark in ["[", "{\"a\":"] {
            let text = String(repeating: mark, count: 1_000_000)
            #expect(throws: LocatedJSON.Fault.self) { try JSONValue(text: Array(text.utf8)) }
        }
    }

    @Test func noBytesTrap() {
        var numbers = SeededNumbers(seed: 5)
        let start = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null,{"b":""}]}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = start
            for _ in 0..<(1 + numbers.next() % 4) {
                bytes[Int(numbers.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            bytes.removeLast(Int(numbers.next() % 8))
            _ = try? JSONValue(text: bytes)
        }
        // It is still the same reader.
        #expect((try? JSONValue(text: start)) != nil)
    }
}
