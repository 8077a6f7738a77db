import DaeDiagnostics
import DaeXML
import Testing

/// Tags that are read in one go, and text that nobody asks for.
@Suite struct CommonTagTests {
    /// The places of tags alone; of text it wants nothing, or no indentation.
    private final class Tags: XMLEventHandler {
        private(set) var events: [Recorder.Event] = []
        /// All text that was told but for its white space.
        private(set) var words: [UInt8] = []
        private let flow: XMLFlow

        init(_ flow: XMLFlow) { self.flow = flow }

        func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
            let listed = (0..<attributes.count).map { index in
                "\(attributes.name(at: index)?.text ?? "?")=\(String(decoding: attributes.value(at: index), as: UTF8.self))"
            }
            events.append(
                .start(name.text, number: name.number, namespace: name.namespace, attributes: listed, position))
            return flow
        }

        func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
            words += bytes.filter { $0 > 0x20 }
            return .proceed
        }

        func endElement(at position: XMLPosition) -> XMLFlow {
            events.append(.end(position))
            return flow
        }
    }

    private static let vocabulary = XMLVocabulary([
        "a", "node", "name", "id", "anElementWhoseNameHasMoreThanThirtyTwoLetters", "source", "anElementOfTwelve",
        "anElementOfTwelve1234567", "anElementOfTwelve12345678",
    ])

    /// Reads pieces that lie in memory that ends where they do.
    private func events(_ text: String, cutAt cuts: [Int], _ handler: some XMLEventHandler) throws {
        let bytes = Array(text.utf8)
        let reader = XMLReader(vocabulary: Self.vocabulary, handler: handler)
        var start = 0
        for end in cuts + [bytes.count] {
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, end - start), alignment: 1)
            defer { piece.deallocate() }
            piece.copyBytes(from: bytes[start..<end])
            try reader.read(UnsafeRawBufferPointer(rebasing: piece[..<(end - start)]))
            start = end
        }
        try reader.finish()
    }

    private static let long = "anElementWhoseNameHasMoreThanThirtyTwoLetters"
    private static let document = """
        <?xml version="1.0"?>
        <a xmlns="http://x">
          <node id="n1" name='first'>
        \t\t<\(long)/><\(long) id="2"/>

            <source id="ö" name="&amp;"/>
          text<node   id = "n2"/><!-- c -->
          </node >
          <other/><other id="3" name="4" id5=""/>
          <node id="n3" name="third"><source/></node>
        </a>
        """

    /// Where one name begins as another does, what comes behind tells them apart.
    @Test func namesThatBeginAlikeAreToldApart() throws {
        // Of 16, 17, 20, 24 and 25 letters.
        let names = [
            "anElementOfTwelv", "anElementOfTwelve", "anElementOfTwelve123", "anElementOfTwelve1234567",
            "anElementOfTwelve12345678",
        ]
        // Each behind each, as an element and as an attribute.
        let tags = names.flatMap { first in names.map { "<\(first) \($0)='1' id='2'/><\($0)></\($0)>" } }
        let recorder = Tags(.proceed)
        try events("<a>\(tags.joined())\(String(repeating: " ", count: 64))</a>", cutAt: [], recorder)
        var expected = ["a"]
        var attributes: [[String]] = [[]]
        for first in names {
            for second in names {
                expected += [first, second]
                attributes += [["\(second)=1", "id=2"], []]
            }
        }
        var told: [String] = []
        var written: [[String]] = []
        for event in recorder.events {
            guard case .start(let name, _, _, let list, _) = event else { continue }
            told.append(name)
            written.append(list)
        }
        #expect(told == expected)
        #expect(written == attributes)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func textThatNobodyAsksForChangesNoPlace(lineEnd: String) throws {
        let text = Self.document.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd)
        let whole = Recorder()
        try events(text, cutAt: [], whole)
        let expected = whole.events.filter { if case .text = $0 { false } else { true } }
        #expect(expected.count == 20)
        for cut in 0..<text.utf8.count {
            let tags = Tags(.passText)
            try events(text, cutAt: [cut], tags)
            #expect(tags.events == expected, "cut at \(cut)")
            let words = Tags(.passIndents)
            try events(text, cutAt: [cut], words)
            #expect(words.events == expected, "cut at \(cut)")
            #expect(words.words == Array("text".utf8), "cut at \(cut)")
            let recorder = Recorder()
            try events(text, cutAt: [cut], recorder)
            #expect(recorder.events == whole.events, "cut at \(cut)")
        }
    }

    @Test func anAttributeThatStandsTwiceIsOneOfManyToo() {
        let names = (0..<70).map { "n\($0)='\($0)'" }.joined(separator: " ")
        #expect(throws: Never.self) { try events("<a><a \(names)/><a \(names)/></a>", cutAt: [], Recorder()) }
        #expect(throws: CodedFailure.self) {
            try events("<a><a \(names)/><a \(names) n69='1'/></a>", cutAt: [], Recorder())
        }
    }
}
