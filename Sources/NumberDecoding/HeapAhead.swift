// The system gives memory one page at each first touch, which is a fifth of the time of a large document that is kept. A
// run of pages that are got at once takes two thirds of that, and large pages a tenth. To ask for pages that are there
// already is not free, so whatever of one document writes much asks through one of these.

import ProcessMemory
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Gets the pages by which the heap has grown before they are written to.
///
/// A class since what keeps a document and what decodes its numbers share it; they call it from one thread at a time.
public final class HeapAhead: Sendable {
    /// Growth before anything is done: a small document touches a few pages and no run of them.
    static let patience: UInt = 1 << 20
    /// Growth by more is room for one long list, or for much that comes later: what is never written is to take no memory.
    static let mostAtOnce: UInt = 1 << 20
    /// Growth from which on a document is large.
    static let much: UInt = 8 << 20
    private static let page: UInt = 4096

    /// The heap's end when it was begun: what lies before was mostly written to by what was freed since.
    private let start: UInt
    private let beginning: UInt
    /// Up to where pages are there.
    private let reached: Atomic<UInt>
    /// How often in a row the heap may still refuse to grow by a large step.
    private let tries = Atomic(HeapAhead.mostTries)
    private static let mostTries = 4

    public convenience init() { self.init(at: Self.end) }

    /// - Parameter end: Of the heap, an address.
    init(at end: UInt) {
        start = end
        beginning = end &+ Self.patience
        reached = Atomic(beginning)
    }

    /// To be called between pieces of what is kept; mostly there is nothing to do.
    public func follow() {
        let end = Self.end
        guard end != reached.load(ordering: .relaxed) else { return }
        growth(to: end).get()
        guard end &- min(end, beginning) >= Self.much, tries.load(ordering: .relaxed) > 0 else { return }
        switch ProcessMemory.growInLargeSteps() {
        case .byStep:
            growth(to: Self.end).get()
            tries.store(Self.mostTries, ordering: .relaxed)
        case .notNow: tries.subtract(1, ordering: .relaxed)
        case .byItself, .never: tries.store(0, ordering: .relaxed)
        }
    }

    /// Gets the pages of an array's room that will be written to its end.
    func populate<Number: BitwiseCopyable>(_ numbers: inout [Number]) {
        guard let room = numbers.addresses else { return }
        switch way(of: room, heapEnd: Self.end) {
        case .thereAlready: break
        case .withHeap: follow()
        case .byItself:
            follow()
            numbers.populate()
        }
    }

    /// The same of the next bytes behind its elements alone.
    func populate<Number: BitwiseCopyable>(_ numbers: inout [Number], bytes: Int) {
        guard let room = numbers.addresses else { return }
        switch way(of: room, heapEnd: Self.end) {
        case .thereAlready: break
        case .withHeap, .byItself: numbers.populate(bytes: bytes)
        }
    }

    /// How the pages of an array are got.
    enum Way {
        case thereAlready
        /// With all by which the heap has grown.
        case withHeap
        /// It is no part of the growth, or too much of it.
        case byItself
    }

    func way(of room: Range<UInt>, heapEnd end: UInt) -> Way {
        if room.upperBound <= min(start, end) { return .thereAlready }
        guard room.lowerBound >= beginning, room.upperBound <= end else { return .byItself }
        let reached = reached.load(ordering: .relaxed)
        if room.upperBound <= reached { return .thereAlready }
        return end &- min(end, reached) <= Self.mostAtOnce ? .withHeap : .byItself
    }

    /// By what the heap has grown since it was asked last, by addresses.
    enum Growth: Equatable {
        case none
        /// To be written soon.
        case near(Range<UInt>)
        /// Written as far as it will be: by large pages, as its end comes.
        case far(Range<UInt>)

        /// Only a wish: a kernel older than 5.14 does not populate, and large pages may be forbidden.
        fileprivate func get() {
            #if canImport(Glibc)
                switch self {
                case .none: break
                case .near(let room): Self.advise(room, MADV_POPULATE_WRITE)
                case .far(let room): Self.advise(room, MADV_HUGEPAGE)
                }
            #endif
        }

        private static func advise(_ room: Range<UInt>, _ advice: CInt) {
            let bytes = Int(clamping: room.upperBound - room.lowerBound)
            _ = madvise(UnsafeMutableRawPointer(bitPattern: room.lowerBound), bytes, advice)
        }
    }

    /// - Parameter end: Of the heap now.
    func growth(to end: UInt) -> Growth {
        let start = reached.load(ordering: .relaxed) / Self.page * Self.page
        // What was given back is got again when the heap grows again.
        reached.store(max(end, beginning), ordering: .relaxed)
        guard end > start else { return .none }
        return end - start <= Self.mostAtOnce ? .near(start..<end) : .far(start..<end)
    }

    /// Of the process's one heap that grows without a gap; others are left to themselves.
    private static var end: UInt {
        #if canImport(Glibc)
            UInt(bitPattern: sbrk(0))
        #else
            0
        #endif
    }
}
