/// Looks for sids below a node: breadth first, the node itself before all others.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax".
struct SidSearch {
    private let document: ColladaDocument
    /// Nodes looked at so far, but those that a search begins with: a bound on hostile documents.
    private var steps = 0
    private static let stepLimit = 20_000_000

    init(_ document: ColladaDocument) {
        self.document = document
    }

    /// The transform with a sid: its node, and its place among that one's transforms.
    mutating func transform(_ sid: String, below root: Int) -> (node: Int, place: Int)? {
        search(below: root) { document, node in
            document.nodes[node].transforms.firstIndex { $0.sid == sid }.map { (node, $0) }
        }
    }

    /// The node with a sid, `root` itself left out.
    mutating func node(_ sid: String, below root: Int) -> Int? {
        search(below: root) { document, node in
            document.children(of: node).first { document.nodes[$0].sid == sid }
        }
    }

    private mutating func search<Value>(below root: Int, _ look: (ColladaDocument, Int) -> Value?) -> Value? {
        var level = [root]
        while !level.isEmpty {
            for node in level {
                if let found = look(document, node) { return found }
            }
            level = level.flatMap { document.children(of: $0) }
            steps += level.count
            if steps > Self.stepLimit { return nil }
        }
        return nil
    }
}

extension ColladaDocument {
    /// The nodes that stand in a node; those that it instances stand elsewhere.
    fileprivate func children(of node: Int) -> [Int] {
        nodes[node].contents.compactMap { content in
            guard case .node(let child) = content else { return nil }
            return child
        }
    }
}
