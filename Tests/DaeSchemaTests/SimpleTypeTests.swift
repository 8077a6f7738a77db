import Testing

@testable import DaeSchema

@Suite struct SimpleTypeTests {
    private static let models = ContentModelBuilder.build(
        .collada15,
        from: GrammarParser.rows(
            of: """
                %global = a
                a(b:BOOL) = \(BuiltInType.allCases.map { "\($0.rawValue)_:\($0.rawValue)" }.joined(separator: " "))
                    three:double[3] any_number:long[] refs:IDREFS axis:axis word:word share:share index:index
                    fragment:fragment path:path mail:mail either:either fixed:share[2]
                type BOOL = boolean
                type axis = string enum X_UP Y_UP
                type word = NMTOKEN enum A B
                type share = double 0.0..1.0
                type index = nonNegativeInteger 0..<8
                type fragment = string like uriFragment
                type path = string like sidref
                type mail = string like email
                type either = union axis word
                """, family: "own"
        ).rows
    ).models

    private func kind(_ type: String, _ text: String) throws -> SimpleTypeFault.Kind? {
        let id = try #require(Self.models.simpleTypes.firstIndex { $0.name == type })
        let bytes = Array(text.utf8)
        return Self.models.fault(in: bytes.span, of: SimpleType.ID(index: id))?.kind
    }

    @Test(arguments: [
        ("string", ["", " a "]), ("token", ["", " a b "]), ("boolean", ["true", "false", "1", " 0 "]),
        ("double", ["1", ".5", "5.", "+1", "-1e5", "1E+05", "INF", "-INF", "NaN", " 1\n"]),
        ("float", ["1e400"]),
        ("long", ["-9223372036854775808", "9223372036854775807", "+5", "-0", "0000000000000000000000001"]),
        ("int", ["2147483647"]), ("short", ["-32768"]), ("byte", ["-128", "+127"]),
        ("integer", ["123456789012345678901234567890"]),
        ("unsignedLong", ["18446744073709551615", "00"]), ("unsignedInt", ["4294967295"]), ("unsignedByte", ["255"]),
        ("nonNegativeInteger", ["-0", "+7"]), ("positiveInteger", ["+1", "12345678901234567890"]),
        ("hexBinary", ["", "0aFF"]), ("NCName", ["a", "_a", "é", "a\u{B7}", " a "]), ("Name", [":a", "a:b"]),
        ("NMTOKEN", ["1a", ":", "-"]), ("ID", ["a-1.b"]), ("IDREF", ["a"]),
        (
            "anyURI",
            [
                "", "#", "a b", "C:\\x", "C:/x", "file:///C:/a b.png", "a%20b", "http://[::1]/", "http://u@h:99/x",
                "a:b:c", "a^b{}", "//",
            ]
        ),
        (
            "dateTime",
            ["2000-02-29T24:00:00Z", "-0001-01-01T00:00:00", "12000-01-01T00:00:00", "2000-01-01T00:00:59.5+14:00"]
        ),
        ("double[3]", ["1 2 3", "\n1\t2  3 "]), ("long[]", ["", "1 -2"]), ("IDREFS", ["a", "a b"]),
        ("axis", ["X_UP"]), ("word", [" A "]), ("share", ["0", "1.0", "0.5"]), ("index", ["0", "7"]),
        ("fragment", ["#", "#a b#"]), ("path", ["a/b", "./b/c", "a/b.X", "a/b(1)(2)", "//a", "a/b.c.d"]),
        ("mail", ["a.b@c.de", "a+b@c"]), ("either", ["X_UP", "B"]),
    ])
    func textsOfATypePass(type: String, texts: [String]) throws {
        for text in texts { #expect(try kind(type, text) == nil, "\(type) \(text.debugDescription)") }
    }

    @Test(arguments: [
        ("boolean", SimpleTypeFault.Kind.text, ["TRUE", "", "2"]),
        ("double", .number, ["", ".", "-", "e5", "1e", "1,5", "+INF", "nan", "0x10", "1 2", "1.2.3"]),
        ("long", .number, ["", "-", "9223372036854775808", "-9223372036854775809", "1.0"]),
        ("int", .number, ["2147483648"]), ("short", .number, ["32768"]), ("byte", .number, ["-129"]),
        ("unsignedLong", .number, ["-0", "+1", "18446744073709551616", ""]), ("unsignedByte", .number, ["256"]),
        ("nonNegativeInteger", .number, ["-1"]), ("positiveInteger", .number, ["0", "-1"]),
        ("hexBinary", .text, ["0", "0G"]), ("NCName", .name, ["", "1a", "a:b", "a b", "-a", "a\u{D7}b"]),
        ("Name", .name, ["1"]),
        ("NMTOKEN", .name, ["a b", ""]), ("ID", .name, ["a b"]),
        (
            "anyURI", .address,
            ["##", "a#b#c", "1:2", ":", "a%2", "%zz", "file://C:/x", "http://h:x/", "http://[abc", "a[b"]
        ),
        (
            "dateTime", .date,
            [
                "2000-02-30T00:00:00Z", "2000-01-01", "0000-01-01T00:00:00", "02000-01-01T00:00:00",
                "2000-01-01T24:00:01Z", "2000-01-01T00:00:59.", "2000-01-01T00:00:59+14:01", "2000-01-01 00:00:00",
                "1900-02-29T00:00:00",
            ]
        ),
        ("double[3]", .length(found: 2), ["1 2"]), ("double[3]", .length(found: 4), ["1 2 3 4"]),
        ("double[3]", .number, ["1 x 3"]),
        ("IDREFS", .length(found: 0), [""]), ("axis", .value, ["x_up", " X_UP", ""]), ("word", .value, ["C"]),
        ("share", .range, ["1.01", "-0.1", "NaN"]), ("share", .number, ["x"]), ("index", .range, ["8"]),
        ("index", .number, ["-1"]),
        ("fragment", .text, ["a", "", "#a\nb"]),
        ("path", .text, ["a", "a/", "/a", "a/b(1)(2)(3)", "a/b()", "a b/c", "ab/(1)"]),
        ("mail", .text, ["a", "a@", "@b", "a@b@c", "a..b@c", "a b@c"]), ("either", .value, ["C"]),
        ("share[2]", .range, ["0 2"]),
    ])
    func otherTextsAreOfTheirKindOfFault(type: String, kind expected: SimpleTypeFault.Kind, texts: [String]) throws {
        for text in texts { #expect(try kind(type, text) == expected, "\(type) \(text.debugDescription)") }
    }

    @Test func aFaultShowsTheItemAndWhatIsExpected() throws {
        let id = try #require(Self.models.simpleTypes.firstIndex { $0.name == "double[3]" })
        let bytes = Array("1 two 3".utf8)
        let fault = Self.models.fault(in: bytes.span, of: SimpleType.ID(index: id))
        #expect(fault == SimpleTypeFault(kind: .number, value: "two", expected: "a number", type: "double"))
        let short = Array("1".utf8)
        let length = Self.models.fault(in: short.span, of: SimpleType.ID(index: id))
        #expect(
            length == SimpleTypeFault(kind: .length(found: 1), value: "1", expected: "3 numbers", type: "double[3]"))
    }

    @Test func aListIsTheSameHoweverItIsCut() throws {
        let id = SimpleType.ID(index: try #require(Self.models.simpleTypes.firstIndex { $0.name == "double[3]" }))
        for text in ["1.5 22 -3e1", " 1  2 3 ", "1 2 x3", "1 2", "1 2 3 4"] {
            let bytes = Array(text.utf8)
            let whole = Self.models.fault(in: bytes.span, of: id)
            for cut in 0...bytes.count {
                var check = try #require(ListCheck(id, Self.models))
                let (low, high) = (Array(bytes[..<cut]), Array(bytes[cut...]))
                let first = check.add(low.span, Self.models)
                let second = check.add(high.span, Self.models)
                let last = check.finish(Self.models[id], Self.models)
                #expect((first ?? second ?? last) == whole, "\(text) cut at \(cut)")
            }
        }
    }
}
