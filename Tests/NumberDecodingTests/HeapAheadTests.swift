import Testing

@testable import NumberDecoding

@Suite struct HeapAheadTests {
    private static let start: UInt = 0x5555_0000_1000

    @Test func growthBehindTheFirstIsGotOnce() {
        let heap = HeapAhead(at: Self.start)
        let first = Self.start + HeapAhead.patience
        #expect(heap.growth(to: Self.start + 0x21000) == .none)
        #expect(heap.growth(to: first) == .none)
        #expect(heap.growth(to: first + 0x21000) == .near(first..<first + 0x21000))
        #expect(heap.growth(to: first + 0x21000) == .none)
        #expect(heap.growth(to: first + 0x22000) == .near(first + 0x21000..<first + 0x22000))
    }

    @Test func roomForMuchIsLeftUntouched() {
        let heap = HeapAhead(at: Self.start)
        let first = Self.start + HeapAhead.patience
        #expect(heap.growth(to: first + HeapAhead.mostAtOnce) == .near(first..<first + HeapAhead.mostAtOnce))
        let end = first + 2 * HeapAhead.mostAtOnce + 1
        #expect(heap.growth(to: end) == .far(first + HeapAhead.mostAtOnce..<end))
        #expect(heap.growth(to: end + 0x1000) == .near(end / 4096 * 4096..<end + 0x1000))
    }

    @Test func whatWasGivenBackIsGotAgain() {
        let heap = HeapAhead(at: Self.start)
        let first = Self.start + HeapAhead.patience
        _ = heap.growth(to: first + 0x40000)
        #expect(heap.growth(to: first + 0x10000) == .none)
        #expect(heap.growth(to: first + 0x30000) == .near(first + 0x10000..<first + 0x30000))
        #expect(heap.growth(to: Self.start) == .none)
        #expect(heap.growth(to: first) == .none)
        #expect(heap.growth(to: first + 0x1000) == .near(first..<first + 0x1000))
    }

    /// Whatever the heap's end is, also none.
    @Test func noAddressIsTooLargeOrSmall() {
        for end in [0, 1, UInt.max - 1, .max] {
            let heap = HeapAhead(at: end)
            for other in [0, 1, UInt.max / 2, .max] {
                switch heap.growth(to: other) {
                case .none: break
                case .near(let room):
                    #expect(room.upperBound == other && room.count <= Int(HeapAhead.mostAtOnce))
                case .far(let room):
                    #expect(room.upperBound == other && UInt(room.upperBound - room.lowerBound) > HeapAhead.mostAtOnce)
                }
            }
        }
    }

    /// A page that is there is not asked for again.
    @Test func anArraysPagesAreGotOnce() {
        let heap = HeapAhead(at: Self.start)
        let first = Self.start + HeapAhead.patience
        #expect(heap.way(of: Self.start..<first, heapEnd: first + 0x40000) == .byItself)
        #expect(heap.way(of: first..<first + 0x20000, heapEnd: first + 0x40000) == .withHeap)
        _ = heap.growth(to: first + 0x40000)
        #expect(heap.way(of: first..<first + 0x40000, heapEnd: first + 0x40000) == .thereAlready)
        #expect(heap.way(of: first + 0x30000..<first + 0x50000, heapEnd: first + 0x60000) == .withHeap)
        let far = first + 0x40000 + HeapAhead.mostAtOnce + 1
        #expect(heap.way(of: first + 0x30000..<far, heapEnd: far) == .byItself)
        #expect(heap.way(of: 0x7fff_0000_0000..<0x7fff_0010_0000, heapEnd: far) == .byItself)
    }

    @Test func whatTheHeapHadBeforeIsThere() {
        let heap = HeapAhead(at: Self.start)
        #expect(heap.way(of: Self.start - 0x20000..<Self.start, heapEnd: Self.start) == .thereAlready)
        #expect(heap.way(of: Self.start - 0x20000..<Self.start + 1, heapEnd: Self.start + 0x20000) == .byItself)
        // Given back since: no array is there.
        #expect(heap.way(of: Self.start - 0x20000..<Self.start, heapEnd: Self.start - 0x10000) == .byItself)
    }

    @Test func anArrayIsWhatItWasBefore() {
        let heap = HeapAhead()
        var numbers = (0..<100_000).map(Double.init)
        heap.populate(&numbers)
        #expect(numbers == (0..<100_000).map(Double.init))
    }
}
