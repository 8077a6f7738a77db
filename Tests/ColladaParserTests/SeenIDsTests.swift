import Testing
import XMLReader

@testable import ColladaParser

@Suite struct SeenIDsTests {
    private func insert(_ id: String, into seen: inout SeenIDs, line: Int) -> SeenIDs.First? {
        Array(id.utf8).withUnsafeBytes { seen.insert(seen.expect($0), of: .source, at: XMLPosition(line: line)) }
    }

    @Test func theFirstOfEachIDIsKnownAmongMany() {
        var seen = SeenIDs()
        let ids = (0..<5000).map { "node_\($0)" + String(repeating: "x", count: $0 % 40) }
        for (place, id) in ids.enumerated() { #expect(insert(id, into: &seen, line: place + 1) == nil) }
        for (place, id) in ids.enumerated() {
            let first = insert(id, into: &seen, line: 9000)
            #expect(first?.position.line == place + 1 && first?.element == .source)
        }
    }

    @Test func lengthsAndOrderOfLettersCount() {
        var seen = SeenIDs()
        let ids = [
            "", "a", "aa", "aaaaaaaa", "aaaaaaaaa", "ab", "ba", "\0a", "a\0", "12345678a", "a12345678", "\0", "b", "c",
        ]
        for id in ids { #expect(insert(id, into: &seen, line: 1) == nil) }
    }
}
