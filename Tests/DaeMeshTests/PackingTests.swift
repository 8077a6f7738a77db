import DaeScene
import TestSupport
import Testing

@testable import DaeMesh

@Suite struct PackingTests {
    @Test func equalRecordsGetOneNumberInTheOrderOfFirstAppearance() {
        var numbers = SeededNumbers(seed: 3)
        var merger = RecordMerger(width: 3)
        var known: [[UInt32]: UInt32] = [:]
        for _ in 0..<50 {
            let records = (0..<300).map { _ in (0..<3).map { _ in UInt32.random(in: 0...5, using: &numbers) } }
            var found: [UInt32] = []
            merger.merge(records.flatMap { $0 }, into: &found)
            let expected = records.map { record in
                let number = known[record] ?? UInt32(known.count)
                known[record] = number
                return number
            }
            #expect(found == expected)
        }
        #expect(merger.count == known.count && merger.words.count == 3 * known.count)
        for (record, number) in known { #expect(Array(merger.words[Int(number) * 3..<Int(number) * 3 + 3]) == record) }
    }

    @Test func theStrongestInfluencesStayAndSumUpToOne() {
        var lists = InfluenceLists(vertices: 3, limit: 4)
        for (joint, weight) in [0.1, 0.3, 0.05, 0.2, 0.25, 0.1].enumerated() { lists.add(joint, weight, to: 0) }
        lists.add(7, 0.25, to: 1)
        lists.add(7, 0.25, to: 1)
        lists.add(2, .nan, to: 1)
        lists.add(2, -1, to: 1)
        lists.settle(bindShape: 9)
        #expect(lists.joints(4) == [1, 4, 3, 0, 7, 0, 0, 0, 9, 0, 0, 0])
        let weights = lists.weights(4)
        #expect(abs(weights[0..<4].reduce(0, +) - 1) < 1e-6 && weights[4..<8] == [1, 0, 0, 0] && weights[8] == 1)
        #expect(lists.lost == 2 && lists.normalized == 2 && lists.usesBindShape)
    }
}
