import DaeCore
import Testing

@Suite struct URIReferenceTests {
    /// RFC 3986, 5.4.1 and 5.4.2, against `http://a/b/c/d;p?q`.
    private static let examples = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ]

    @Test(arguments: examples)
    func theStandardsExamplesResolve(reference: String, expected: String) {
        // A scheme of one letter is a drive here: the first example's `g:h` stands as the path it then is.
        let base = URIReference("http://a/b/c/d;p?q")
        let resolved = URIReference(reference).resolved(against: base).text
        #expect(resolved == (reference == "g:h" ? "http://a/b/c/g:h" : expected))
    }

    private static let parts: [(String, URIReference)] = [
        ("", .init(path: "")), ("#id", .init(path: "", fragment: "id")), ("a.dae#", .init(path: "a.dae", fragment: "")),
        ("a.dae#x#y", .init(path: "a.dae", fragment: "x#y")), ("a b.dae#c d", .init(path: "a b.dae", fragment: "c d")),
        ("../m/a.dae?v=1#i", .init(path: "../m/a.dae", query: "v=1", fragment: "i")),
        ("HTTP://Host:80/p", .init(scheme: "HTTP", authority: "Host:80", path: "/p")),
        ("file:///C:/a", .init(scheme: "file", authority: "", path: "/C:/a")),
        ("file:a", .init(scheme: "file", path: "a")), ("data:,x", .init(scheme: "data", path: ",x")),
        (#"C:\a\b.dae#i"#, .init(path: #"C:\a\b.dae"#, fragment: "i")), ("c:/a", .init(path: "c:/a")),
        ("1a:b", .init(path: "1a:b")), ("a/b:c", .init(path: "a/b:c")), (":a", .init(path: ":a")),
        ("urn:a:b", .init(scheme: "urn", path: "a:b")), ("//h", .init(authority: "h", path: "")),
        ("a#b?c", .init(path: "a", fragment: "b?c")), ("é%20ü#%23", .init(path: "é%20ü", fragment: "%23")),
    ]

    @Test(arguments: parts.indices)
    func aTextComesApartAndTogether(index: Int) {
        let (text, expected) = Self.parts[index]
        #expect(URIReference(text) == expected)
        #expect(URIReference(text).text == text)
    }

    @Test(arguments: [
        ("", ""), ("/", "/"), (".", ""), ("..", ""), ("/.", "/"), ("/..", "/"), ("a/../b", "b"), ("../a", "a"),
        ("a/..", ""), ("a/b/..", "a/"), ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"),
        ("a//b/..", "a//"), ("//..", "/"), ("/a/./b/.", "/a/b/"), ("./a", "a"),
    ])
    func dotSegmentsAreTaken(path: String, expected: String) {
        #expect(URIReference.removingDotSegments(path) == expected)
        #expect(URIReference.removingDotSegments(expected) == expected)
    }

    @Test func aRelativeBaseGivesARelativeResult() {
        let base = URIReference("models/house/main.dae")
        for (text, expected) in [
            ("lib.dae#g", "models/house/lib.dae#g"), ("../lib.dae#g", "models/lib.dae#g"), ("/lib.dae#g", "/lib.dae#g"),
            ("#g", "models/house/main.dae#g"), ("./main.dae#g", "models/house/main.dae#g"),
        ] {
            #expect(URIReference(text).resolved(against: base).text == expected)
        }
        #expect(URIReference("lib.dae").resolved(against: URIReference("http://h")).text == "http://h/lib.dae")
    }

    @Test func theDocumentIsAllButTheFragment() {
        #expect(URIReference("../a.dae?x#y").document == "../a.dae?x")
        #expect(URIReference("#y").document.isEmpty)
        #expect(URIReference("FILE:/x").hasScheme("file"))
    }

    @Test func percentsAreDecodedOnceAndOnlyToText() {
        for (text, expected) in [
            ("a%20b", "a b"), ("%2520", "%20"), ("%C3%a9", "é"), ("100%", nil), ("%zz%41", "%zzA"), ("%FF", nil),
            ("plain", nil), ("%2", nil), ("%", nil),
        ] as [(String, String?)] {
            #expect(PercentEncoding.decode(text) == expected, "\(text)")
        }
    }

    /// As an address has it: each `%` stands for a byte there.
    @Test func aPercentWithoutTwoDigitsIsNoAddress() {
        for (text, expected) in [
            ("a%20b", "a b"), ("%2520", "%20"), ("%C3%a9", "é"), ("plain", "plain"), ("", ""), ("%00", "\0"),
            ("100%", nil), ("%zz%41", nil), ("%FF", nil), ("%2", nil), ("%+f", nil), ("%-1", nil), ("% f", nil),
        ] as [(String, String?)] {
            #expect(PercentEncoding.decodeStrictly(text) == expected, "\(text)")
        }
        #expect(PercentEncoding.decodedBytes(Array("%FF%+f%41%".utf8)) == [0xFF] + Array("%+fA%".utf8))
    }

    @Test func allButPlainCharactersAreEncoded() {
        #expect(PercentEncoding.encode("azAZ09-._~") == "azAZ09-._~")
        #expect(PercentEncoding.encode("a b/ü%\n") == "a%20b%2F%C3%BC%25%0A")
        #expect(PercentEncoding.encode("a/b?c", keeping: "/") == "a/b%3Fc")
        let bytes = String(decoding: (0..<0x80).map { UInt8($0) }, as: UTF8.self) + "é日\u{1F600}"
        #expect(PercentEncoding.decodeStrictly(PercentEncoding.encode(bytes)) == bytes)
    }

    @Test func hostileTextsTakeLinearTime() {
        for text in [
            String(repeating: "../", count: 200_000), String(repeating: "a/", count: 200_000),
            String(repeating: "a/../", count: 200_000), String(repeating: "#", count: 500_000),
            String(repeating: "a", count: 500_000) + ":", String(repeating: "%41", count: 200_000),
        ] {
            let reference = URIReference(text)
            #expect(reference.text == text)
            #expect(reference.resolved(against: reference).text.utf8.count <= 2 * text.utf8.count)
        }
    }
}
