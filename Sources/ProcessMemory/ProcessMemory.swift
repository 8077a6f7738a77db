import CAllocator
import Synchronization

/// What the C library's allocator is told.
///
/// These are settings of a whole process. A library leaves them alone; a program whose work is to read documents is
/// quicker with them and takes less.
///
/// Where nothing was set, a large document that is kept has glibc learn what it learns from the first long block that any
/// program frees: in the whole process, blocks of up to 12 MB come from its heaps from then on, and up to 24 MB of a heap's
/// free end are kept. A program that wants all long blocks given back at once sets `M_MMAP_THRESHOLD` (`mallopt(3)`).
public enum ProcessMemory {
    /// How much the heap grows by at a time.
    enum Steps: UInt8, AtomicRepresentable {
        /// As the program says that this library is part of, or else the allocator. Large ones are made one by one.
        case unsaid
        /// Small, so that what is freed goes back, until something is kept that is large.
        case small
        /// Such that the system can give large pages, which is half of the time that memory costs; what is not written
        /// takes none.
        case large
    }

    static let steps = Atomic(Steps.unsaid)

    /// For a program whose process is its own; before it starts a thread.
    public static func setUp() {
        dae_use_one_arena()
        dae_give_long_arrays_back()
        steps.store(.small, ordering: .relaxed)
    }

    /// How the heap grows from now on.
    public enum Growth {
        /// By large steps of its own.
        case byItself
        /// By one such step, just now; behind it this is to be asked again.
        case byStep
        /// As before: it took no such step, but may the next time.
        case notNow
        /// As before, and it will take none.
        case never
    }

    /// To be called when a document that is kept has become large.
    public static func growInLargeSteps() -> Growth {
        switch steps.load(ordering: .relaxed) {
        case .unsaid:
            switch dae_extend_heap() {
            case .made: return .byStep
            case .later: return .notNow
            case .never: return .never
            }
        case .small:
            if steps.compareExchange(expected: .small, desired: .large, ordering: .relaxed).exchanged {
                dae_grow_by_large_steps()
            }
        case .large: break
        }
        return .byItself
    }
}
