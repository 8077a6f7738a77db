import DaeMesh
import DaeScene

/// The nodes of a tree with the names and parents of their prims.
struct USDTree {
    private let names: [String]
    private let tree: PreparedTree
    /// By node, the one around it; −1 for the root.
    private let parents: [Int32]
    /// Prims that are declared before the prims around them are begun.
    private var paths: [Int: CrateWriter.Path] = [:]
    /// Names that are taken below a node beside those of other nodes.
    private var reserved: [Int: [String]] = [:]
    /// Nodes below the root.
    let tops: [Int]
    let rootName: String

    init(_ tree: PreparedTree, in scene: Scene, root: Int?) {
        self.tree = tree
        tops = root.map { tree.children(of: $0) } ?? tree.roots
        rootName = USDNames.identifier(scene.name ?? scene.id, or: "Root")
        var names = [String](repeating: "", count: tree.nodes.count)
        var parents = [Int32](repeating: -1, count: tree.nodes.count)
        func name(_ places: [Int], below parent: Int) {
            var used = USDNames()
            for place in places {
                let source = tree.nodes[place].node.map { scene.nodes[$0] }
                names[place] = used.unique(USDNames.identifier(source?.name ?? source?.id, or: "node"))
                parents[place] = Int32(truncatingIfNeeded: parent)
            }
        }
        name(tops, below: -1)
        for place in tree.nodes.indices where place != root && tree.nodes[place].hasChildren {
            name(tree.children(of: place), below: place)
        }
        (self.names, self.parents) = (names, parents)
    }

    func name(of place: Int) -> String { names[place] }

    /// `nil` for a node right below the root.
    func parent(of place: Int) -> Int? { parents[place] < 0 ? nil : Int(parents[place]) }

    /// Those that are taken below a node, or below the root.
    func names(below place: Int?) -> USDNames {
        var used = USDNames()
        for child in place.map({ tree.children(of: $0) }) ?? tops { _ = used.unique(names[child]) }
        for name in place.flatMap({ reserved[$0] }) ?? [] { _ = used.unique(name) }
        return used
    }

    /// Takes a name below a node for something else than a node.
    mutating func reserve(_ name: String, below place: Int) -> String {
        var used = names(below: place)
        let name = used.unique(name)
        reserved[place, default: []].append(name)
        return name
    }

    /// The prim of a node, declared with those around it where it is not yet.
    mutating func path(
        of place: Int, _ out: inout USDOutput
    ) -> CrateWriter.Path {
        var missing: [Int] = []
        var next = Optional(place)
        while let at = next, paths[at] == nil {
            missing.append(at)
            next = parent(of: at)
        }
        var path = next.flatMap { paths[$0] } ?? out.scopes.root
        for at in missing.reversed() {
            path = out.crate.declare(names[at], in: path)
            paths[at] = path
        }
        return path
    }

    /// The innermost node that has all of some within, and is none of them; `nil` for the root.
    func base(of places: [Int]) -> Int? {
        guard let first = places.first else { return nil }
        // The way from the root to the first of them; each other one may leave it earlier.
        var way: [Int] = []
        var next = parent(of: first)
        while let at = next {
            way.append(at)
            next = parent(of: at)
        }
        way.reverse()
        var steps = Dictionary(uniqueKeysWithValues: way.enumerated().map { ($0.element, $0.offset) })
        var shared = way.count
        for place in places.dropFirst() {
            var seen: [Int] = []
            var next = parent(of: place)
            while let at = next, steps[at] == nil {
                seen.append(at)
                next = parent(of: at)
            }
            let step = next.flatMap { steps[$0] } ?? -1
            for at in seen { steps[at] = step }
            shared = min(shared, step + 1)
        }
        return shared > 0 ? way[shared - 1] : nil
    }
}
