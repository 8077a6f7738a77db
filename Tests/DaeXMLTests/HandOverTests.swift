import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeXML

/// The tokenizer, with libxml2 from the first thing on that is not certainly well-formed, says what libxml2 alone says.
@Suite struct HandOverTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") != nil

    private func compare(_ document: [UInt8], cuts: [Int], limits: XMLLimits = XMLLimits()) -> Bool {
        guard document.contains(0x0D) else { return compare(document, cuts, limits, takesAnyLineEnd: false) }
        return [false, true].allSatisfy { compare(document, cuts, limits, takesAnyLineEnd: $0) }
    }

    private func compare(_ document: [UInt8], _ cuts: [Int], _ limits: XMLLimits, takesAnyLineEnd: Bool) -> Bool {
        let recorders = (Recorder(), Recorder())
        recorders.0.takesAnyLineEnd = takesAnyLineEnd
        recorders.1.takesAnyLineEnd = takesAnyLineEnd
        let plain = Reading.outcome(document, cuts: cuts, limits: limits, recorder: recorders.0)
        let careful = Reading.outcome(document, cuts: cuts, limits: limits, recorder: recorders.1, mode: .libxml2Only)
        if plain == careful { return true }
        // libxml2 waits for more before it looks at markup, so that a border decides which of two faults it sees first,
        // from where it counts, and which odd bytes behind it were decoded by then. Uncut, all of it is the same.
        guard !cuts.isEmpty, let first = plain.failure, let second = careful.failure,
            compare(document, [], limits, takesAnyLineEnd: takesAnyLineEnd)
        else { return false }
        let isOnOneLine = first.place.line == second.place.line
        return plain.events == careful.events && first.code == second.code
            && plain.findingsBesideBytes == careful.findingsBesideBytes
            && (isOnOneLine
                || [first, second].contains { failure in
                    ["the document ends", "']]>'", "Comment not terminated"].contains { failure.message.contains($0) }
                })
    }

    private func cuts(_ document: [UInt8], _ random: inout SeededNumbers) -> [Int] {
        let size = 1 << Int.random(in: 0...16, using: &random)
        return Array(stride(from: Int.random(in: 1...size, using: &random), to: document.count, by: size))
    }

    private func files(below folder: String, endings: [String]) throws -> [String] {
        try Repository.files(below: folder).filter { path in endings.contains { path.hasSuffix($0) } }.map {
            folder + "/" + $0
        }
    }

    @Test func everySampleIsReadAlike() {
        for document in Samples.documents + Samples.broken + Oddities.documents {
            let bytes = Array(document.utf8)
            for size in [1, 2, 3, 5, 8, 13, 1 << 20] {
                let cuts = Array(stride(from: size, to: bytes.count, by: size))
                #expect(compare(bytes, cuts: cuts), "\(document.prefix(200).debugDescription) in chunks of \(size)")
            }
        }
    }

    @Test func endsOfLinesAreLeftToWhoeverTakesThem() {
        let recorder = Recorder()
        recorder.takesAnyLineEnd = true
        let text = String(repeating: "1 2\r\n3\r", count: 30)
        _ = Reading.outcome("<a>\(text)</a>", recorder: recorder)
        #expect(recorder.pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == [text])
    }

    @Test func everyBudgetIsMetAlike() {
        var random = SeededNumbers(seed: 11)
        for document in Samples.documents + Oddities.documents where document.utf8.count < 2000 {
            let bytes = Array(document.utf8)
            for budget in 0...12 {
                var limits = XMLLimits()
                limits.depth = budget
                #expect(compare(bytes, cuts: cuts(bytes, &random), limits: limits), "depth \(budget): \(document)")
                limits = XMLLimits()
                limits.attributes = budget
                #expect(compare(bytes, cuts: cuts(bytes, &random), limits: limits), "attributes \(budget): \(document)")
                limits = XMLLimits()
                limits.names = budget
                #expect(compare(bytes, cuts: cuts(bytes, &random), limits: limits), "names \(budget): \(document)")
                limits = XMLLimits()
                limits.tagBytes = 4 * budget
                #expect(compare(bytes, cuts: cuts(bytes, &random), limits: limits), "tag \(4 * budget): \(document)")
                limits = XMLLimits()
                limits.commentBytes = 3 * budget
                #expect(
                    compare(bytes, cuts: cuts(bytes, &random), limits: limits), "comment \(3 * budget): \(document)")
            }
        }
    }

    /// A document type is kept from libxml2, which may stand far before what was scanned.
    @Test(arguments: [
        ("<!--c-->'?xml v\nersion='1.", "<!DOCTYPE a>", "0<?><a/>"),
        ("<?x?>ml version='1.0''?>", "<!DOCTYPE a [\n <!ELE", ""),
        ("<!--c-->\n\nx", "<!DOCTYPE a [\n\n]><!DOCTYPE a>", "<a/>"), ("x", "<!DOCTYPE a>", "<a/>"),
        ("<?xml version='1.0'?>\n <?p\n?> xyz", "<!DOCTYPE a\n>\n<!DOCTYPE a>", "\n<a/>"),
    ])
    func aFaultBeforeADocumentTypeStandsWhereItDoesWithoutOne(before: String, type: String, behind: String) throws {
        let document = Array((before + type + behind).utf8)
        let bare = Reading.outcome(Array((before + behind).utf8), mode: .libxml2Only)
        let expected = try #require(bare.failure)
        for mode in [XMLReader.Mode.tokenizerFirst, .libxml2Only] {
            let failure = Reading.outcome(document, mode: mode).failure
            #expect(failure?.place == expected.place && failure?.message == expected.message, "\(mode)")
        }
        #expect(compare(document, cuts: []))
    }

    @Test func aDocumentCutAnywhereEndsAlike() {
        for document in Oddities.documents + Samples.documents where document.utf8.count < 400 {
            let bytes = Array(document.utf8)
            for end in bytes.indices where !compare(Array(bytes[..<end]), cuts: []) {
                Issue.record("\(document.debugDescription) cut at \(end)")
            }
        }
    }

    @Test func everyFixtureIsReadAlike() throws {
        var random = SeededNumbers(seed: 12)
        let files = try files(below: Repository.fixtures + "/.", endings: [".dae", ".kml", ".xml"])
        #expect(files.count > 20)
        for path in files {
            let bytes = try Repository.bytes(at: path)
            #expect(compare(bytes, cuts: cuts(bytes, &random)), "\(path)")
        }
    }

    @Test(.enabled(if: Repository.corpus != nil)) func everyFileOfTheCorpusIsReadAlike() throws {
        var random = SeededNumbers(seed: 13)
        let files = try files(below: Repository.corpus ?? "", endings: [".dae"])
        var read = 0
        for path in files {
            let bytes = try Repository.bytes(at: path)
            guard Self.isFull || bytes.count < 100_000 else { continue }
            read += 1
            #expect(compare(bytes, cuts: cuts(bytes, &random)), "\(path)")
            if !Self.isFull, read == 60 { break }
        }
    }

    @Test func whateverIsChangedIsReadAlike() {
        let good = (Samples.documents + Oddities.documents).filter { $0.utf8.count < 800 }.map { Array($0.utf8) }
        var random = SeededNumbers(seed: 14)
        var differing = 0
        for _ in 0..<(Self.isFull ? 400_000 : 12_000) {
            var bytes = good.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) { Oddities.change(&bytes, &random) }
            let cuts = cuts(bytes, &random)
            guard !compare(bytes, cuts: cuts) else { continue }
            differing += 1
            if differing <= 5 {
                Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription) cut by \(cuts.first ?? 0)")
            }
        }
        #expect(differing == 0)
    }

    @Test func whereLibxml2CannotBeLoadedADocumentThatNeedsItFailsThere() throws {
        let recorder = Recorder()
        let reader = XMLReader(
            vocabulary: Reading.vocabulary, limits: XMLLimits(), handler: recorder, mode: .tokenizerFirst
        ) { LibXML2.load(file: "libxml2-of-nowhere.so") }
        let thrown = #expect(throws: CodedFailure.self) {
            try Array("<a>\n  <b/>\n  <c>A & B, and so on</c></a>".utf8).withUnsafeBytes { try reader.read($0) }
        }
        let failure = try #require(thrown)
        #expect(failure.code == .ioError)
        #expect(failure.place.line == 3)
        #expect(failure.message.contains("libxml2, which would read it, cannot be loaded"))
        #expect(failure.message.contains("libxml2-of-nowhere.so"))
        let starts = recorder.events.compactMap { if case .start(let name, _, _, _, _) = $0 { name } else { nil } }
        #expect(starts == ["a", "b", "c"])
        #expect(throws: failure) { try reader.finish() }
    }

    @Test func aFileThatIsNotLibxml2IsNotTakenForIt() {
        guard case .failure(let missing) = LibXML2.load(file: "libc.so.6") else {
            Issue.record("the C library was taken for libxml2")
            return
        }
        #expect(missing.reason == "xmlInitParser is not in it")
    }

    @Test func plainMarkupNeedsNoLibxml2() throws {
        let recorder = Recorder()
        let reader = XMLReader(
            vocabulary: Reading.vocabulary, limits: XMLLimits(), handler: recorder, mode: .tokenizerFirst
        ) { LibXML2.load(file: "libxml2-of-nowhere.so") }
        try Array("<?xml version='1.0'?><a><b id='1'>A &amp; B</b></a>".utf8).withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        #expect(recorder.events.count == 5)
    }

    @Test func mostDocumentsAreReadWithoutLibxml2() throws {
        let files = try files(below: Repository.fixtures + "/documents", endings: [".dae"])
        var plain = 0
        for file in files {
            let reader = XMLReader(
                vocabulary: Reading.vocabulary, limits: XMLLimits(), handler: Recorder(), mode: .tokenizerFirst)
            let bytes = try Repository.bytes(at: file)
            try? bytes.withUnsafeBytes { try reader.read($0) }
            if (try? reader.finish()) != nil, reader.isPlain { plain += 1 }
        }
        #expect(2 * plain > files.count, "\(plain) of \(files.count)")
    }
}

extension Outcome {
    /// All but those of bytes that were no character.
    fileprivate var findingsBesideBytes: [Finding] {
        findings.filter { $0.code != .xmlEncodingMismatch }
    }
}
