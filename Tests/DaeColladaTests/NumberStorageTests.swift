import DaeNumbers
import DaeScene
import TestSupport
import Testing

@testable import DaeCollada

/// Numbers are had as they were written, wherever they lie.
@Suite struct NumberStorageTests {
    private static func storage(bound: Int) -> NumberStorage {
        NumberStorage(NumberSpool(fileBytes: 1 << 30), bound: bound)
    }

    @Test(arguments: [0, 1000, 1 << 30])
    func listsAreWhatWasKept(bound: Int) {
        var numbers = SeededNumbers(seed: 5)
        var storage = Self.storage(bound: bound)
        var integers: [(list: NumberArray<Int32>, numbers: [Int32])] = []
        var reals: [(list: NumberArray<Double>, numbers: [Double])] = []
        for _ in 0..<1000 {
            let count = Int.random(in: 0..<400, using: &numbers)
            let list = (0..<count).map { _ in Int32.random(in: .min ... .max, using: &numbers) }
            integers.append((storage.keep(list), list))
            let values = list.map { Double($0) / 3 }
            reals.append((storage.keep(values), values))
        }
        // The mapping grows meanwhile.
        let long = (0..<9 << 20).map { Double($0) }
        reals.append((storage.keep(long), long))
        #expect(storage.failure == nil)
        #expect(integers.allSatisfy { $0.list == NumberArray($0.numbers) && Array($0.list) == $0.numbers })
        #expect(reals.allSatisfy { $0.list.array == $0.numbers })
        #expect(integers.allSatisfy { $0.list.isInMemory } == (bound == 1 << 30))
        for (list, values) in integers where values.count > 3 {
            #expect(list.part(1..<3).array == Array(values[1..<3]))
            list.giveBack()
            #expect(list[2] == values[2])
        }
    }

    @Test func whatIsHeldIsNotWrittenOver() {
        var storage = Self.storage(bound: 0)
        let held = storage.keep([1, 2, 3] as [Int32])
        storage.removeAll()
        let next = storage.keep([4, 5, 6] as [Int32])
        #expect(held.array == [1, 2, 3] && next.array == [4, 5, 6])
    }

    @Test(arguments: [0, 100, 1 << 20])
    func aListThatComesInPiecesIsOne(bound: Int) {
        var storage = Self.storage(bound: bound)
        var decoder = NumberDecoder<Double>()
        let text = (0..<100_000).map { "\($0).25" }.joined(separator: " ")
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: 777) {
            bytes[start..<min(bytes.count, start + 777)].withUnsafeBytes { storage.decode($0, by: &decoder) }
        }
        decoder.finish(expectedCount: nil)
        let list = storage.end(&decoder)
        #expect(list.count == 100_000 && list.isInMemory == (bound == 1 << 20))
        #expect(list.enumerated().allSatisfy { $1 == Double($0) + 0.25 })
        let joined = storage.joined([list, [1, 2], list.part(0..<1)])
        #expect(joined.count == 100_003 && joined[100_001] == 2 && joined[100_002] == 0.25)
    }

    @Test func partsAreAllOfAList() {
        var storage = Self.storage(bound: 0)
        let list = storage.keep((0..<1_200_000).map { Int32($0) })
        var (sum, parts) = (0, 0)
        list.forEachPart(of: 1 << 16, upTo: 1_100_000) { part, first in
            for index in part.indices where part[index] == Int32(first + index) { sum += 1 }
            parts += 1
        }
        #expect(sum == 1_100_000 && parts == 17)
    }
}
