// The nodes that the joints of skins are. Sids are looked for breadth first, as the specification has it, but all of a
// subtree's at once: a search for each joint would be joints × nodes.

import DaeDiagnostics
import DaeScene

struct JointFinder {
    enum Found {
        /// As the specification has it.
        case exact(Int)
        /// By another name or in another place, in words that follow "was found".
        case otherwise(Int, String, Severity)
        case missing

        /// Whether the joint is written as it should be: a `#` belongs to addresses.
        func isByTheLetter(_ joint: String) -> Bool {
            switch self {
            case .exact: joint.utf8.first != UInt8(ascii: "#")
            case .otherwise: false
            case .missing: true
            }
        }
    }

    /// The first node of each sid and of each name below some roots, breadth first.
    private struct Index {
        var sids: [String: Int] = [:]
        var names: [String: Int] = [:]
    }

    private let scene: Scene
    private let table: ReferenceTable
    /// Whose ids count.
    private var documents: [Int] = []
    private var indices: [Index] = []
    /// Into ``indices``.
    private var places: [Start: Place] = [:]

    /// Where a subtree begins.
    private enum Start: Hashable {
        case scene
        case nodes([Int])
        /// By the node: its children may be many.
        case children(of: Int)
    }
    /// Nodes looked at so far. Roots that lie within one another make subtrees that overlap, which is what this bounds.
    private var steps = 0
    let stepLimit: Int
    /// Whether joints were looked for no further than the limit.
    private(set) var isExhausted = false

    init(_ scene: Scene, _ table: ReferenceTable, stepLimit: Int) {
        self.scene = scene
        self.table = table
        self.stepLimit = max(stepLimit, scene.nodes.count * 8)
    }

    /// Where joints are looked for.
    struct Place {
        fileprivate let index: Int
    }

    /// - Parameters:
    ///   - roots: Where the skeleton begins; none for the whole scene.
    ///   - documents: Whose ids count from now on: the skin's, then that of its instance, where the skeleton stands.
    mutating func place(below roots: [Int], idsOf documents: [Int]) -> Place {
        self.documents = documents
        return place(from: roots.isEmpty ? .scene : .nodes(roots))
    }

    private mutating func place(from start: Start) -> Place {
        if let known = places[start] { return known }
        let roots =
            switch start {
            case .scene: scene.roots.map(\.value)
            case .nodes(let nodes): nodes
            case .children(let node): scene.nodes[node].children.map(\.value)
            }
        indices.append(makeIndex(roots))
        let place = Place(index: indices.count - 1)
        places[start] = place
        return place
    }

    mutating func find(_ joint: String, _ kind: SourceReader.Words.Kind, in place: Place) -> Found {
        let sid = indices[place.index].sids[joint]
        switch kind {
        case .names:
            if let sid { return .exact(sid) }
            if let node = node(withID: joint) { return .otherwise(node, "by its id instead of its sid", .info) }
        case .idrefs:
            if let node = node(withID: joint) { return .exact(node) }
            if let sid { return .otherwise(sid, "by its sid instead of its id", .warning) }
        case .sidrefs:
            if let node = node(withPath: joint, in: place) { return .exact(node) }
            if let sid { return .otherwise(sid, "by its sid alone", .warning) }
        }
        if let node = indices[place.index].names[joint] { return .otherwise(node, "by its name", .warning) }
        let all = self.place(from: .scene)
        if let node = indices[all.index].sids[joint] {
            return .otherwise(node, "by its sid, but outside of its skeleton", .warning)
        }
        if let node = indices[all.index].names[joint] {
            return .otherwise(node, "by its name, outside of its skeleton", .warning)
        }
        return .missing
    }

    private func node(withID text: String) -> Int? {
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        for document in documents {
            if let node = table.lookUp(id, in: document, .node) { return node }
        }
        return nil
    }

    /// `id/sid/sid`, or `./sid` from the roots on.
    private mutating func node(withPath path: String, in place: Place) -> Int? {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let first = steps.first, steps.count > 1 else { return node(withID: path) }
        var found = first == "." ? nil : node(withID: first)
        if first != ".", found == nil { return nil }
        for step in steps.dropFirst() {
            // Below the children, so that a node is not found as its own descendant.
            let below = found.map { self.place(from: .children(of: $0)) } ?? place
            guard let node = indices[below.index].sids[step] else { return nil }
            found = node
        }
        return found
    }

    private mutating func makeIndex(_ roots: [Int]) -> Index {
        var index = Index()
        var seen = Set<Int>()
        // A node of an earlier root goes before all of a later one.
        for root in roots where seen.insert(root).inserted {
            guard steps <= stepLimit else {
                isExhausted = true
                break
            }
            var queue = [root]
            var next = 0
            while next < queue.count {
                let node = scene.nodes[queue[next]]
                if let sid = node.sid, index.sids[sid] == nil { index.sids[sid] = queue[next] }
                if let name = node.name, index.names[name] == nil { index.names[name] = queue[next] }
                next += 1
                for child in node.children where seen.insert(child.value).inserted { queue.append(child.value) }
            }
            steps += queue.count
        }
        return index
    }
}
