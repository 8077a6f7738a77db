import SceneModel

/// A node of the tree that is written: each stands in one place.
struct ExportNode {
    /// The scene's node it is; `nil` for one that only carries what its parent had no place for.
    let node: SceneIndex<Node>?
    var transform: ExportTransform
    /// What it shows.
    var instance: Instance?
    // Children in their order, by links: −1 for none. A tree of a million nodes is to have no list for each.
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var nextSibling: Int32 = -1
}

/// How a node stands in the one around it.
enum ExportTransform {
    case identity
    /// As the scene's node says it, where no channel needs the parts.
    case own
    /// Into ``ExportTree/parts``.
    case parts(Int32)
}

/// Where in the tree each of the scene's nodes stands.
struct NodePlaces {
    /// The first, which is that of joints; −1 for a node that the scene does not reach.
    private var first: [Int32]
    /// All of those that stand in several.
    private var several: [Int: [Int32]] = [:]

    init(nodes: Int) { first = [Int32](repeating: -1, count: nodes) }

    mutating func add(_ place: Int, of node: SceneIndex<Node>) {
        let place = Int32(clamping: place)
        guard first[node.value] >= 0 else {
            first[node.value] = place
            return
        }
        several[node.value, default: [first[node.value]]].append(place)
    }

    subscript(node: Int) -> [Int] {
        guard first[node] >= 0 else { return [] }
        return several[node]?.map { Int($0) } ?? [Int(first[node])]
    }

    func first(of node: SceneIndex<Node>) -> Int? { first[node.value] < 0 ? nil : Int(first[node.value]) }
}
