import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

@Suite struct HostileBytesTests {
    private static let codes: Set<FindingCode> = [
        .xmlNotWellFormed, .xmlDoctypeForbidden, .xmlSizeExceeded, .xmlDepthExceeded, .xmlEncodingUnsupported,
    ]

    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"

    /// Whether the document ends in a way that is allowed: read, or refused by a code of this module.
    private func endsWell(_ document: [UInt8], chunk: Int) -> Bool {
        guard let failure = Reading.outcome(document, chunk: chunk).failure else { return true }
        return Self.codes.contains(failure.code) && !failure.message.isEmpty
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededNumbers(seed: 1)
        var bad = 0
        for _ in 0..<(Self.isFull ? 60_000 : 15_000) {
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if !endsWell(bytes, chunk: Int.random(in: 1...41, using: &random)) { bad += 1 }
        }
        #expect(bad == 0)
    }

    /// Made of pieces that mean something to a reader.
    @Test func randomMarkupNeverTraps() {
        let words = [
            "<", ">", "/", "a", "<a>", "</a>", "<b/>", "<!--", "-->", "--", "<![CDATA[", "]]>", "]", "<?", "?>",
            "<?xml ", "'", "\"", "=",
            " ", "\n", "\r\n", "&", ";", "&lt;", "&#", "x", "é", "<!DOCTYPE", "[", "<!ENTITY", "xmlns", ":", "<a b='",
            "\u{0}", "<!",
        ].map { Array($0.utf8) }
        var random = SeededNumbers(seed: 2)
        var bad = 0
        var differs = 0
        for _ in 0..<(Self.isFull ? 40_000 : 10_000) {
            var bytes: [UInt8] = Bool.random(using: &random) ? Array("<a>".utf8) : []
            for _ in 0..<Int.random(in: 0...16, using: &random) { bytes += words.randomElement(using: &random) ?? [] }
            let size = Int.random(in: 1...12, using: &random)
            if !endsWell(bytes, chunk: size) { bad += 1 }
            let whole = Reading.outcome(bytes)
            let cut = Reading.outcome(bytes, chunk: size)
            if whole.events != cut.events || (whole.failure == nil) != (cut.failure == nil) {
                differs += 1
                if differs < 4 { Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription) by \(size)") }
            }
        }
        #expect(bad == 0)
        #expect(differs == 0)
    }

    @Test func mutationsOfAGoodDocumentNeverTrap() {
        let good = Samples.documents.filter { $0.utf8.count < 400 }.map { Array($0.utf8) }
        var random = SeededNumbers(seed: 3)
        var bad = 0
        for _ in 0..<30_000 {
            var bytes = good.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let at = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: at)
                default: bytes.removeSubrange(at..<min(bytes.count, at + 9))  // numbers
                }
            }
            if !endsWell(bytes, chunk: Int.random(in: 1...100, using: &random)) { bad += 1 }
        }
        #expect(bad == 0)
    }
}
