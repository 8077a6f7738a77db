/// The corners of each polygon, in order, in as little memory as they need: nearly always they are all the same, or small.
struct CornerCounts: Equatable, Sendable {
    /// ``blockSize`` counts, or fewer where others were appended behind it.
    private enum Block: Equatable {
        case same(Int32, count: Int)
        case small([UInt8])
        case any([Int32])

        init(_ counts: ArraySlice<Int32>) {
            guard let first = counts.first, counts.contains(where: { $0 != first }) else {
                self = .same(counts.first ?? 0, count: counts.count)
                return
            }
            let isSmall = counts.allSatisfy { (0...Int32(UInt8.max)).contains($0) }
            self = isSmall ? .small(counts.map { UInt8(truncatingIfNeeded: $0) }) : .any(Array(counts))
        }

        var count: Int {
            switch self {
            case .same(_, let count): count
            case .small(let counts): counts.count
            case .any(let counts): counts.count
            }
        }

        subscript(index: Int) -> Int32 {
            switch self {
            case .same(let value, _): value
            case .small(let counts): Int32(counts[index])
            case .any(let counts): counts[index]
            }
        }
    }

    /// Counts that are packed together.
    private static let blockSize = 4096

    private var blocks: [Block] = []
    /// What is not packed yet, less than a block.
    private var rest: [Int32] = []

    init() {}

    init(_ counts: [Int32]) { append(contentsOf: counts) }

    var isEmpty: Bool { blocks.isEmpty && rest.isEmpty }

    mutating func append(contentsOf counts: [Int32]) {
        var counts = counts[...]
        while rest.count + counts.count >= Self.blockSize {
            let taken = counts.prefix(Self.blockSize - rest.count)
            counts = counts.dropFirst(taken.count)
            guard !rest.isEmpty else {
                add(Block(taken))
                continue
            }
            rest.append(contentsOf: taken)
            add(Block(rest[...]))
            rest.removeAll(keepingCapacity: true)
        }
        rest.append(contentsOf: counts)
    }

    mutating func append(contentsOf others: CornerCounts) {
        for block in others.blocks {
            pack()
            add(block)
        }
        append(contentsOf: others.rest)
    }

    /// Packs all there are, and gives back the room for more.
    mutating func pack() {
        guard !rest.isEmpty else { return }
        add(Block(rest[...]))
        rest = []
    }

    private mutating func add(_ block: Block) {
        if case .same(let value, let count) = blocks.last, case .same(value, let more) = block {
            blocks[blocks.count - 1] = .same(value, count: count + more)
        } else {
            blocks.append(block)
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        // Mostly the one is a copy of the other; how they are packed does not count.
        (left.blocks == right.blocks && left.rest == right.rest) || left.elementsEqual(right)
    }
}

extension CornerCounts: Sequence {
    struct Iterator: IteratorProtocol {
        private let blocks: [Block]
        private let rest: [Int32]
        /// The block at hand; ``rest`` behind the last.
        private var block = 0
        private var place = 0

        fileprivate init(_ counts: CornerCounts) { (blocks, rest) = (counts.blocks, counts.rest) }

        mutating func next() -> Int32? {
            while block < blocks.count {
                if place < blocks[block].count {
                    defer { place += 1 }
                    return blocks[block][place]
                }
                block += 1
                place = 0
            }
            guard place < rest.count else { return nil }
            defer { place += 1 }
            return rest[place]
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }
}
