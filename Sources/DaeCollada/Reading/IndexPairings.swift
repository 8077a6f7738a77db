/// Which sources the inputs of a primitive read at which offset, as far as they were met: several may read the same.
///
/// Mostly they are so few that they are sooner looked through than hashed.
struct IndexPairings {
    struct Pairing: Hashable {
        /// `nil` for the positions.
        let source: Int?
        let offset: Int
    }

    private var few: [Pairing] = []
    private var many: Set<Pairing> = []
    private static let mostFew = 16

    init(capacity: Int) {
        few.reserveCapacity(min(capacity, Self.mostFew))
    }

    /// Whether it is met for the first time.
    mutating func insert(_ pairing: Pairing) -> Bool {
        guard !few.contains(pairing) else { return false }
        guard few.count == Self.mostFew else {
            few.append(pairing)
            return true
        }
        return many.insert(pairing).inserted
    }
}
