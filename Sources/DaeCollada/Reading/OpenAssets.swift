/// Elements that are open and have an asset of their own, the root aside.
struct OpenAssets {
    private var open: [(record: Int, asset: Int)] = []
    /// The record of the innermost; -1 without.
    private(set) var innermost = -1

    /// - Parameter asset: Its place in the document's list.
    mutating func begin(_ record: Int, asset: Int) {
        open.append((record, asset))
        innermost = record
    }

    /// The place in the document's list of the asset whose element, the innermost, ends.
    mutating func end() -> Int? {
        let ended = open.popLast()
        innermost = open.last?.record ?? -1
        return ended?.asset
    }
}
