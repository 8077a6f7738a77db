import TestSupport
import Testing

@testable import ColladaParser

/// Counts that are packed are had back as they came.
@Suite struct CornerCountsTests {
    /// What the counts of a mesh are like.
    enum Habit: CaseIterable {
        case quads, twoKinds, small, any, runs
    }

    private static func counts(_ habit: Habit, _ count: Int, _ numbers: inout SeededNumbers) -> [Int32] {
        var run: Int32 = 3
        return (0..<count).map { index in
            switch habit {
            case .quads: return 4
            case .twoKinds: return Bool.random(using: &numbers) ? 3 : 4
            case .small: return .random(in: 0...255, using: &numbers)
            case .any: return .random(in: .min ... .max, using: &numbers)
            case .runs:
                if index % 9000 == 0 { run = .random(in: -2...300, using: &numbers) }
                return run
            }
        }
    }

    @Test(arguments: Habit.allCases, [0, 1, 4095, 4096, 4097, 8192, 30_001])
    func everyCountIsHadBack(_ habit: Habit, count: Int) {
        var numbers = SeededNumbers(seed: 11)
        let list = Self.counts(habit, count, &numbers)
        var pieced = CornerCounts()
        var joined = CornerCounts()
        var rest = list[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(.random(in: 1...9000, using: &numbers)))
            rest = rest.dropFirst(piece.count)
            pieced.append(contentsOf: piece)
            joined.append(contentsOf: CornerCounts(piece))
        }
        #expect(Array(pieced) == list)
        #expect(Array(joined) == list)
        pieced.pack()
        #expect(Array(pieced) == list)
        #expect(pieced.isEmpty == list.isEmpty)
        #expect(pieced == joined && joined == CornerCounts(list))
        // One other than the rest, at the end and in the middle.
        for place in [count - 1, count / 2] where list.indices.contains(place) {
            var other = list
            other[place] &+= 1
            #expect(pieced != CornerCounts(other))
        }
        if count > 0 { #expect(pieced != CornerCounts(list.dropLast())) }
    }
}
