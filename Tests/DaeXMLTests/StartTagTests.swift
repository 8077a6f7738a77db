import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

/// Start tags that are known by the form of one before.
@Suite struct TagFormTests {
    private static let names = ["a", "node", "param", "name", "id", "type", "aNameOfMoreThanSixteenLetters"]

    private func outcome(
        _ document: String, cuts: [Int] = [], limits: XMLLimits = XMLLimits(),
        vocabulary: XMLVocabulary = XMLVocabulary(names), mode: XMLReader.Mode = .tokenizerFirst
    ) -> (events: [Recorder.Event], failure: CodedFailure?, isPlain: Bool) {
        let recorder = Recorder()
        let reader = XMLReader(vocabulary: vocabulary, limits: limits, handler: recorder, mode: mode)
        let bytes = Array(document.utf8)
        var failure: CodedFailure?
        do throws(CodedFailure) {
            var start = 0
            for end in cuts + [bytes.count] where end > start {
                // Memory that ends where the piece does.
                let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: end - start, alignment: 1)
                defer { piece.deallocate() }
                piece.copyBytes(from: bytes[start..<end])
                try reader.read(UnsafeRawBufferPointer(piece))
                start = end
            }
            try reader.finish()
        } catch { failure = error }
        return (recorder.events, failure, reader.isPlain)
    }

    /// Each is like the one before but for a little.
    private static let tags: [String] = [
        #"<param name="X" type="float"/>"#, #"<param name="Y" type="float"/>"#, #"<param name="" type="">"#,
        #"<param name='X' type="float"/>"#, #"<param name="X" type='float' />"#, #"<param name="it's" type="a > b"/>"#,
        #"<param type="float" name="X"/>"#, #"<param name="X" type="float" id="1"/>"#, #"<param name="X"/>"#,
        #"<param name="X" type="float">"#, #"<param name="X&amp;" type="float"/>"#, #"<param name="ö" type="float"/>"#,
        "<param name=\"X\n\" type=\"float\"/>", "<param name=\"X\"\n type=\"float\"/>", #"<param  name="X" type="f"/>"#,
        #"<param other="X" type="float"/>"#, #"<param xmlns="http://y" name="X"/>"#, #"<param/>"#, #"<param />"#,
        #"<parameter name="X" type="float"/>"#, #"<aNameOfMoreThanSixteenLetters name="X" type="float"/>"#,
        #"<node aNameOfMoreThanSixteenLetters="X" type="float"/>"#,
    ]

    private static func document(_ tags: [String], parted by: String) -> String {
        let body = tags.map { tag in
            let name = tag.dropFirst().prefix { $0.isLetter }
            return tag.hasSuffix("/>") ? tag : tag + "</\(name)>"
        }
        return "<a xmlns=\"http://x\">\(by)\(body.joined(separator: by))\(by)</a>" + String(repeating: "\n", count: 40)
    }

    @Test(arguments: ["", "\n  ", "\r\n\t"])
    func aTagIsReadAsWhatItIsWhateverCameBefore(gap: String) {
        let vocabulary = XMLVocabulary(Self.names)
        for first in Self.tags {
            for second in Self.tags {
                // Both orders become the expected ones.
                let document = Self.document([first, second, first, second, second, first], parted: gap)
                let expected = outcome(document, mode: .libxml2Only)
                let found = outcome(document, vocabulary: vocabulary)
                #expect(found.events == expected.events && found.failure == nil, "\(first) \(second)")
                #expect(found.isPlain, "\(first) \(second)")
            }
        }
    }

    @Test func aTagMayBeCutAnywhere() {
        let document = Self.document(Self.tags + Self.tags, parted: "\n")
        let expected = outcome(document, mode: .libxml2Only)
        #expect(expected.failure == nil)
        for cut in 1..<document.utf8.count {
            #expect(outcome(document, cuts: [cut]).events == expected.events, "cut at \(cut)")
        }
    }

    /// What is wrong with a tag is found where it begins as those before it.
    @Test(arguments: [
        #"<param name="X" type="float"/ >"#, #"<param name="X" type="float""#, #"<param name="X"type="float"/>"#,
        #"<param name="X" type="float" name="Y"/>"#, #"<param name="X<" type="float"/>"#, #"<param name="&" type=""/>"#,
        #"<param name=X type="float"/>"#, "<param name=\"\u{1}\" type=\"float\"/>", #"<param name="X" type="float'/>"#,
    ])
    func afaultIsFoundBehindTagsOfTheSameForm(tag: String) {
        let good = String(repeating: "<param name=\"X\" type=\"float\"/>\n", count: 5)
        let document = "<a>\n\(good)\(tag)\n</a>" + String(repeating: "\n", count: 40)
        let found = outcome(document)
        let expected = outcome(document, mode: .libxml2Only)
        #expect(found.failure != nil && found.failure == expected.failure)
        #expect(found.events == expected.events)
    }

    @Test func aBudgetHoldsForTagsOfAKnownFormToo() {
        let tag = #"<param name="X" type="float" id="1"/>"#
        let document = Self.document(Array(repeating: tag, count: 8), parted: "\n")
        // The form is known from a document that was read before.
        let vocabulary = XMLVocabulary(Self.names)
        #expect(outcome(document, vocabulary: vocabulary).failure == nil)
        for budget in 0...8 {
            for change: WritableKeyPath<XMLLimits, Int> in [\.attributes, \.depth, \.names, \.tagBytes] {
                var limits = XMLLimits()
                limits[keyPath: change] = change == \.tagBytes ? 8 * budget : budget
                let expected = outcome(document, limits: limits, mode: .libxml2Only)
                let found = outcome(document, limits: limits, vocabulary: vocabulary)
                #expect(found.failure == expected.failure, "\(budget)")
                #expect(found.events == expected.events, "\(budget)")
            }
        }
    }

    /// There is room for so many forms, and those of one document are not in the way of the next.
    @Test func moreFormsThanThereIsRoomForAreReadAlike() {
        let names = (0..<60).map { "n\($0)" }
        let vocabulary = XMLVocabulary(["a"] + names)
        var random = SeededNumbers(seed: 5)
        for _ in 0..<4 {
            let tags = (0..<600).map { _ in
                let given = (0..<Int.random(in: 0...9, using: &random)).map { "\(names[$0 * 6]) ='1'" }
                let packed = given.map { $0.replacing(" =", with: Bool.random(using: &random) ? "=" : " =") }
                return "<\(names.randomElement(using: &random) ?? "n0") \(packed.joined(separator: " "))/>"
            }
            let document = "<a>\n\((tags + tags).joined(separator: "\n"))\n</a>"
            let expected = outcome(document, vocabulary: vocabulary, mode: .libxml2Only)
            let found = outcome(document, vocabulary: vocabulary)
            #expect(expected.failure == nil && found.events == expected.events)
        }
    }
}
