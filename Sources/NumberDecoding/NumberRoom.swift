// Most lists are short, and are read into one room that is used again and copied out of it. A long one whose size was
// announced is read where it stays: no copy, and its memory is got by whoever decodes it.

/// Where a decoder puts its numbers.
struct NumberRoom<Number: DecodableNumber>: Sendable {
    /// The numbers so far, without those that were removed.
    var values: [Number] = []
    var giving = NumberDecoder<Number>.Giving.fitted
    /// `nil` where nobody else asks for pages.
    var heap: HeapAhead?

    private var kind = Kind.shared
    private var pages = Pages.small
    /// Numbers that were announced for the list.
    private(set) var announced: Int?

    private enum Kind {
        /// Used again for the next list.
        case shared
        /// Of one list, in which it is given away; the shared room rests meanwhile, empty.
        case own(shared: [Number])
    }

    /// What the shared room is made of.
    private enum Pages {
        case small, large
    }

    /// Notes how many numbers are to come. It may lie: memory is taken as text comes.
    mutating func announce(_ count: Int) { announced = min(count, Self.mostAnnounced) }

    /// Numbers for which to make room of its own; `nil` where the shared one does.
    private var ownCount: Int? {
        guard let announced, Self.ownCounts.contains(announced), announced > values.count else { return nil }
        switch giving {
        case .fitted: return announced
        case .asRead: return nil
        }
    }

    /// Makes room for the numbers of so many bytes of text, of which what is never written takes no memory.
    mutating func prepare(forBytes byteCount: Int) {
        if byteCount >= Self.longText {
            switch kind {
            case .own: if values.capacity - values.count < Self.most(inBytes: byteCount) { grow() }
            case .shared:
                if let ownCount {
                    begin(ownCount)
                } else if values.capacity < likelyCount {
                    values.reserveCapacity(likelyCount)
                }
            }
        }
        switch kind {
        // A number in text is about as long as a number in memory.
        case .own: if let heap { heap.populate(&values, bytes: byteCount) } else { values.populate(bytes: byteCount) }
        case .shared: if values.count >= Self.veryMany { useLargePages() }
        }
    }

    /// Numbers that are likely to come. A long list of which nothing is known is likely to be one of many.
    private var likelyCount: Int {
        guard let announced, announced > 0 else { return Self.mostKept }
        return min(announced + Self.spare, Self.mostKept)
    }

    /// Begins room of its own for a list.
    private mutating func begin(_ count: Int) {
        var shared: [Number] = []
        swap(&values, &shared)
        values.reserveCapacity(min(count, Self.mostKept) + Self.spare)
        values.adviseLargePages()
        values.append(contentsOf: shared)
        shared.removeAll(keepingCapacity: true)
        kind = .own(shared: shared)
    }

    /// Goes on in room of twice the size, but of no more than was announced.
    private mutating func grow() {
        let wanted = (announced ?? 0) - values.count
        guard wanted > 0, values.capacity < values.count + wanted + Self.spare else { return }
        var larger: [Number] = []
        larger.reserveCapacity(min(2 * values.capacity, values.count + wanted + Self.spare))
        larger.adviseLargePages()
        larger.append(contentsOf: values)
        values = larger
    }

    private mutating func useLargePages() {
        switch pages {
        case .small:
            values.adviseLargePages()
            pages = .large
        case .large: break
        }
    }

    /// Gives the numbers away.
    ///
    /// They come in an array of about their size: a document would else keep up to twice the bytes of its arrays. Very
    /// many are given without a copy where they fill their room.
    mutating func take() -> [Number] {
        announced = nil
        var room: [Number] = []
        switch kind {
        case .own(let shared):
            kind = .shared
            room = shared
            swap(&room, &values)
            return room.fillsItsCapacity ? room : fitted(room)
        case .shared:
            // Of a list whose numbers were only looked at.
            if values.isEmpty, values.capacity <= Self.mostKept { return [] }
            swap(&room, &values)
            return take(from: &room)
        }
    }

    private mutating func take(from room: inout [Number]) -> [Number] {
        let formerPages = pages
        pages = .small
        switch giving {
        case .asRead: if room.count >= max(Self.many, room.capacity / 8) { return room }
        case .fitted: break
        }
        let isUsedAgain = room.capacity <= Self.mostKept + Self.mostKept / 8
        guard isUsedAgain || !room.fillsItsCapacity else { return room }
        let taken = fitted(room)
        if isUsedAgain {
            pages = formerPages
            room.removeAll(keepingCapacity: true)
            swap(&values, &room)
        }
        return taken
    }

    private func fitted(_ numbers: [Number]) -> [Number] {
        var taken: [Number] = []
        taken.reserveCapacity(numbers.count)
        taken.adviseLargePages()
        if let heap { heap.populate(&taken) } else { taken.populate() }
        taken.append(contentsOf: numbers)
        return taken
    }
}

extension NumberRoom {
    /// Text from which on a list is long.
    private static var longText: Int { 1 << 15 }

    /// Numbers of a list that gets room of its own: bytes that are worth a call of the system.
    private static var ownCounts: PartialRangeFrom<Int> { ((1 << 17) / MemoryLayout<Number>.stride)... }

    /// More than any text has, and far from overflow.
    private static var mostAnnounced: Int { 1 << 40 }

    /// Numbers that so much text may hold.
    private static func most(inBytes byteCount: Int) -> Int { byteCount / 2 + 1 }

    /// Numbers for which there is room behind the announced ones, so that the last of them are read as fast as the others.
    private static var spare: Int { 64 }

    /// So many that the rest of the room is likely to be used.
    private static var many: Int { 1 << 16 }

    /// So many that large pages are filled: a list that ends soon would have more cleared than it writes.
    private static var veryMany: Int { 1 << 19 }

    /// Numbers for which there is room between two lists, about.
    private static var mostKept: Int { 1 << 21 }
}

extension Array {
    /// Whether so little of it is empty that a copy is not worth it.
    fileprivate var fillsItsCapacity: Bool { capacity - count <= count / 8 }
}
