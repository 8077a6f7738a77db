import Testing

@testable import DaePipeline

/// The places of a document where it names other files.
@Suite struct WrittenReferencesTests {
    private static func texts(_ document: String) -> [String] {
        WrittenReferences(Array(document.utf8)).places.map(\.text)
    }

    @Test(arguments: [
        ("<image><init_from>a.png</init_from></image>", ["a.png"]),
        ("<image><init_from> \n a.png\t</init_from></image>", ["a.png"]),
        ("<image><init_from><![CDATA[ a&b.png ]]></init_from></image>", ["a&b.png"]),
        ("<image><init_from><ref>a.png</ref></init_from></image>", ["a.png"]),
        ("<c:image id='x'><c:init_from>a&amp;b&#x20;c&#100;.png</c:init_from></c:image>", ["a&b cd.png"]),
        ("<image/><surface><init_from>a.png</init_from></surface>", []),
        ("<image></image><surface><init_from>a.png</init_from></surface>", []),
        ("<instance_node url=\"b.dae#node\" name='c.dae#x'/>", ["b.dae"]),
        ("<instance_node url = 'b.dae#a#node'/><skin source='#own'/>", ["b.dae#a"]),
        ("<skeleton>b.dae#hip</skeleton>", ["b.dae"]),
        ("<!-- <image><init_from>a.png</init_from></image> --><?a <image><init_from>b.png</init_from></image>?>", []),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><image><init_from>a.png</init_from></image>", ["a.png"]),
        ("<extra note='>' ><image><init_from>a.png</init_from></image></extra>", ["a.png"]),
        ("<image><init_from>&unknown;&.png</init_from></image>", ["&unknown;&.png"]),
        ("<image><init_from></init_from></image>", []),
        ("<Link><href>models/a.dae</href></Link>", ["models/a.dae"]),
    ])
    func areThoseOfFiles(document: String, texts: [String]) {
        #expect(Self.texts(document) == texts)
    }

    @Test func othersAreExchangedAndNothingElse() {
        let document = "<a>\r\n<image ><init_from>\n a.png </init_from></image>\t<n url='b.dae#x'/>é</a>\n"
        let changed = WrittenReferences(Array(document.utf8)).bytes { ["a.png": "t/a&b.png", "b.dae": "b.dae"][$0] }
        let expected = "<a>\r\n<image ><init_from>\n t/a&amp;b.png </init_from></image>\t<n url='b.dae#x'/>é</a>\n"
        #expect(String(decoding: changed.bytes, as: UTF8.self) == expected)
        #expect(changed.changes == 1)
    }

    @Test func whatIsCutAnywhereIsReadToItsEnd() {
        let document = Array(
            "<!DOCTYPE a [<!-- ]> --> ]><image><init_from><![CDATA[a.png]]></init_from></image><n url=\"b.dae#x\"/>"
                .utf8)
        for count in 0...document.count {
            let written = WrittenReferences(Array(document[..<count]))
            #expect(written.places.allSatisfy { $0.range.upperBound <= count })
            #expect(written.bytes { _ in nil }.bytes == Array(document[..<count]))
        }
    }
}
