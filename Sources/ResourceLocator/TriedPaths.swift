/// Paths that were looked up for one reference. Most lead to a handful, which is found sooner in a list than by hashes.
struct TriedPaths {
    /// The first ones.
    private var list: [String] = []
    /// The rest.
    private var table: Set<ExactName> = []

    private static let longestList = 16
    private static let usualList = 8

    /// Says whether the path is new.
    mutating func insert(_ path: String) -> Bool {
        for index in list.indices where list[index].hasBytes(of: path) { return false }
        guard list.count == Self.longestList else {
            if list.isEmpty { list.reserveCapacity(Self.usualList) }
            list.append(path)
            return true
        }
        return table.insert(ExactName(path)).inserted
    }
}
