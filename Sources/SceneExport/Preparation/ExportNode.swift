import SceneModel

/// A node of the tree that is written: each stands in one place.
struct ExportNode {
    // A tree may have a million of them, so all is in 32 bits: −1 stands for none.
    private let source: Int32
    var transform: ExportTransform
    private var instanceNode: Int32 = -1
    private var instancePlace: Int32 = -1
    // Children in their order, by links: no node has a list.
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var nextSibling: Int32 = -1

    /// - Parameter node: The scene's node it is; `nil` for one that only carries what its parent had no place for.
    init(node: SceneIndex<Node>?, transform: ExportTransform, shown: Shown? = nil) {
        source = node.map { Int32(clamping: $0.value) } ?? -1
        self.transform = transform
        self.shown = shown
    }

    /// The scene's node it is.
    var node: SceneIndex<Node>? { source < 0 ? nil : SceneIndex(Int(source)) }

    /// Which of a scene's node's instances a node of the tree shows.
    struct Shown {
        let node: SceneIndex<Node>
        let place: Int
    }
    var shown: Shown? {
        get { instanceNode < 0 ? nil : Shown(node: SceneIndex(Int(instanceNode)), place: Int(instancePlace)) }
        set {
            instanceNode = newValue.map { Int32(clamping: $0.node.value) } ?? -1
            instancePlace = newValue.map { Int32(clamping: $0.place) } ?? -1
        }
    }
}

/// How a node stands in the one around it.
enum ExportTransform {
    case identity
    /// As the scene's node says it, where no channel needs the parts.
    case own
    /// ``ExportTree/conversion``.
    case conversion
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
