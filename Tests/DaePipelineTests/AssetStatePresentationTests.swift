import DaeDiagnostics
import Testing

@testable import DaePipeline

@Suite struct AssetStatePresentationTests {
    @Test func everyStateIsShownAsItsLineSays() throws {
        let lines = Sample.states.map { name, state in
            let shown = AssetStatePresentation(state)
            let actions = shown.actions.map(\.rawValue).joined(separator: " ")
            return "\(name) | \(shown.line) | \(actions)\n"
        }
        try Golden.expect(lines.joined(), in: "presentations.txt")
    }

    @Test func aNameFromAFileCannotMoveTheCursor() {
        let source = "a\u{1B}[2Jb\nc\u{202E}d\u{7}"
        #expect(
            AssetStatePresentation(.downloading(.first), source: source).detail
                == "0 bytes, a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\u{FFFD}")
    }

    @Test func aLongNameIsCut() {
        let source = String(repeating: "x", count: 10_000)
        #expect(AssetStatePresentation(.downloading(.first), source: source).detail.count == 301)
    }

    @Test(arguments: [
        (Int64(0), "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1999, "1.9 kB"),
        (999_999, "999.9 kB"), (4_294_967_296, "4.2 GB"), (Int64.max, "9223372.0 TB"),
    ])
    func sizesAreCutNotRounded(bytes: Int64, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}
