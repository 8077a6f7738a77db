import Testing
import XMLReader

/// Contents that a handler repeats instead of being told of them.
@Suite struct RepeatedContentTests {
    /// Notes what it is told, and for a content that is repeated what it had noted then, moved to where it is now.
    private final class Repeater: XMLEventHandler {
        private(set) var events: [Recorder.Event] = []
        private(set) var repeats = 0
        private var contents: [(events: [Recorder.Event], start: XMLPosition)] = []
        /// Where each element that is open began, in the events.
        private var open: [Int] = []
        /// Of the element that ended last.
        private var ended = 0
        /// Elements of this name are remarked on.
        let remarkable: String
        private(set) var remarks = 0

        init(remarkable: String) { self.remarkable = remarkable }

        func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
            if name.localName == remarkable { remarks += 1 }
            let listed = (0..<attributes.count).map { index in
                "\(attributes.name(at: index)?.text ?? "?")=\(String(decoding: attributes.value(at: index), as: UTF8.self))"
            }
            open.append(events.count)
            events.append(
                .start(name.text, number: name.number, namespace: name.namespace, attributes: listed, position))
            return .passText
        }

        func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .passText }

        func endElement(at position: XMLPosition) -> XMLFlow {
            ended = open.popLast() ?? 0
            events.append(.end(position))
            return .passText
        }

        func remember(content number: Int, from start: XMLPosition) -> Bool {
            #expect(number == contents.count)
            contents.append((Array(events[(ended + 1)...].dropLast()), start))
            return true
        }

        func repeatContent(_ number: Int, from start: XMLPosition, to end: XMLPosition) -> XMLFlow? {
            repeats += 1
            let content = contents[number]
            for event in content.events {
                switch event {
                case .start(let name, let known, let namespace, let attributes, let position):
                    events.append(
                        .start(
                            name, number: known, namespace: namespace, attributes: attributes,
                            position.moved(from: content.start, to: start)))
                case .end(let position): events.append(.end(position.moved(from: content.start, to: start)))
                case .text: break
                }
            }
            return endElement(at: end)
        }
    }

    private static let names = ["a", "b", "list", "item", "name"]

    /// - Parameter repeated: Names of elements whose content may be repeated.
    private func read(_ document: String, cuts: [Int] = [], repeated: Set<String>, remarkable: String = "") -> Repeater
    {
        let handler = Repeater(remarkable: remarkable)
        let reader = XMLReader(vocabulary: XMLVocabulary(Self.names, repeated: repeated), handler: handler)
        let bytes = Array(document.utf8)
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            bytes[start..<end].withUnsafeBytes { try? reader.read($0) }
            start = end
        }
        try? reader.finish()
        return handler
    }

    private static func list(_ id: Int, _ items: [String], gap: String = "\n    ") -> String {
        "<list name=\"\(id)\">" + items.map { gap + "<item name=\"\($0)\"/>" }.joined() + gap + "</list>"
    }

    private static func document(_ lists: [String], _ gap: String = "\n  ") -> String {
        "<a xmlns=\"http://x\">\(gap)\(lists.joined(separator: gap))\(gap)</a>" + String(repeating: "\n", count: 40)
    }

    @Test(arguments: ["\n    ", "", "\r\n\t"])
    func whatIsRepeatedIsWhatWouldHaveBeenTold(gap: String) {
        let lists = (0..<40).map { Self.list($0, $0 % 3 == 0 ? ["S", "T"] : ["X", "Y", "Z"], gap: gap) }
        let document = Self.document(lists)
        let expected = read(document, repeated: [])
        let found = read(document, repeated: ["list"])
        #expect(expected.repeats == 0 && found.repeats == 38)
        #expect(found.events == expected.events)
    }

    @Test func contentsMayBeCutAnywhere() {
        let document = Self.document((0..<6).map { Self.list($0, ["X", "Y"]) })
        let expected = read(document, repeated: [])
        for cut in 1..<document.utf8.count {
            let found = read(document, cuts: [cut], repeated: ["list"])
            #expect(found.events == expected.events, "cut at \(cut)")
        }
    }

    /// Text, comments, instructions, sections, prefixes and another namespace.
    @Test(arguments: [
        "<item name='X'>1</item>", "<!-- c --><item/>", "<?p?><item/>", "<![CDATA[ ]]><item/>",
        "<item xmlns='http://y'/>", "<p:item xmlns:p='http://x'/>", "<item name='&amp;'/>", "<item name='ö'/>",
        " <item/>  ",
    ])
    func anythingElseIsTold(inner: String) {
        let lists = (0..<5).map { "<list name='\($0)'>\(inner)</list>" }
        let expected = read(Self.document(lists), repeated: [])
        let found = read(Self.document(lists), repeated: ["list"])
        #expect(found.repeats == 0)
        #expect(found.events == expected.events)
    }

    @Test func whatIsRemarkedOnIsToldEachTime() {
        let document = Self.document((0..<5).map { Self.list($0, ["X"]) })
        let found = read(document, repeated: ["list"], remarkable: "item")
        #expect(found.repeats == 0 && found.remarks == 5)
    }

    /// Within others of its kind, at another depth, and where names mean something else.
    @Test func whereItStandsMatters() {
        let list = Self.list(0, ["X"])
        let nested = "<list name='1'>\(list)\n  \(list)</list>"
        let lists = [
            list, "<b>\(list)</b>", list, "<b xmlns='http://y'>\(list)\(list)</b>", nested, nested, "<b>\(list)</b>",
        ]
        let expected = read(Self.document(lists), repeated: [])
        let found = read(Self.document(lists), repeated: ["list"])
        #expect(found.repeats > 0)
        #expect(found.events == expected.events)
    }

    @Test func thereIsRoomForSoManyAndNoMore() {
        let lists =
            (0..<200).map { Self.list($0, ["\($0 % 100)"]) } + [Self.list(200, Array(repeating: "x", count: 80))]
        let expected = read(Self.document(lists + lists), repeated: [])
        let found = read(Self.document(lists + lists), repeated: ["list"])
        // Of one element sixteen are kept; each comes four times.
        #expect(found.repeats == 48)
        #expect(found.events == expected.events)
    }
}
