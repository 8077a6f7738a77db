import DaeScene
import DaeXML
import Testing

@testable import DaeCollada

@Suite struct IDTableTests {
    @Test func theFirstValueOfAnIDStays() {
        var table = IDTable<Int>()
        #expect(table.insert(1, for: "a") == nil)
        #expect(table.insert(2, for: "a") == 1)
        #expect(table["a"] == 1)
        #expect(table["b"] == nil)
    }

    @Test func anEmptyTableHasNothing() {
        #expect(IDTable<Int>()["a"] == nil)
        #expect(IDTable<Int>()[""] == nil)
    }

    @Test(arguments: [0, 5000])
    func everyIDIsFoundAmongMany(reserved: Int) {
        var table = IDTable<Int>()
        table.reserveCapacity(reserved)
        let ids = (0..<5000).map { "node_\($0)" + String(repeating: "x", count: $0 % 40) }
        for (place, id) in ids.enumerated() { #expect(table.insert(place, for: id) == nil) }
        #expect(ids.indices.allSatisfy { table[ids[$0]] == $0 })
        #expect(ids.allSatisfy { table[$0 + "y"] == nil && table[String($0.dropLast())] != table[$0] })
    }

    @Test func lengthsAndOrderOfLettersCount() {
        var table = IDTable<Int>()
        let ids = ["a", "aa", "aaaaaaaa", "aaaaaaaaa", "ab", "ba", "\0a", "a\0", "12345678a", "a12345678"]
        for (place, id) in ids.enumerated() { table.insert(place, for: id) }
        #expect(ids.indices.allSatisfy { table[ids[$0]] == $0 })
    }

    @Test func lettersAreTheSameHoweverTheyAreWritten() {
        var table = IDTable<Int>()
        table.insert(1, for: "caf\u{E9}")
        #expect(table["cafe\u{301}"] == 1)
        #expect(table.insert(2, for: "cafe\u{301}") == 1)
        #expect(table["cafe"] == nil)
    }

    @Test(arguments: ["#a-long-enough-name", "a-long-enough-name", "other.dae#a-long-enough-name"])
    func aReferenceFindsWhatFollowsItsHash(text: String) {
        var table = IDTable<Int>()
        table.insert(7, for: "a-long-enough-name")
        #expect(table[idOf: .init(text: text, position: XMLPosition())] == 7)
    }

    @Test func onlyTheFirstHashParts() {
        var table = IDTable<Int>()
        table.insert(1, for: "a#b")
        table.insert(2, for: "\u{FC}#b")
        #expect(table[idOf: .init(text: "#a#b", position: XMLPosition())] == 1)
        #expect(table[idOf: .init(text: "#\u{FC}#b", position: XMLPosition())] == 2)
        #expect(table[idOf: .init(text: "#b", position: XMLPosition())] == nil)
    }
}
