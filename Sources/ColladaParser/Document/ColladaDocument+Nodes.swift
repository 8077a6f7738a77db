// Asked of every node of a document, where each look from without would copy the node.

import SceneModel

extension ColladaDocument {
    /// How many nodes are joints.
    package var jointCount: Int {
        let nodes = nodes.span
        var count = 0
        for index in nodes.indices where nodes[index].record.kind == .joint { count += 1 }
        return count
    }

    /// The nodes directly within which more than one sid stands: those of their transforms, of the nodes in them, and of
    /// their instances.
    package var nodesOfSeveralSIDs: [Int] {
        var found: [Int] = []
        let span = nodes.span
        nodes.forEachContents { index, store, places in
            var count = span[index].record.transformSIDCount
            if !instanceSIDs.isEmpty { count += instanceSIDs[index]?.count ?? 0 }
            for place in places {
                guard let child = store.child(at: place) else { continue }
                if span[child].record.hasSID { count += 1 }
            }
            if count > 1 { found.append(index) }
        }
        return found
    }
}

extension [ColladaDocument.Node] {
    /// Every node that stands in another one of the list, with that one; in the order of those around.
    package func forEachChild(_ visit: (_ child: Int, _ parent: Int) -> Void) {
        forEachContents { index, store, places in
            for place in places {
                if let child = store.child(at: place) { visit(child, index) }
            }
        }
    }

    /// The contents of some kinds; the others are not made for it.
    package func forEachContent(
        where isWanted: (ColladaDocument.Node.Content.Kind) -> Bool, _ visit: (ColladaDocument.Node.Content) -> Void
    ) {
        forEachContents { _, store, places in
            for place in places where isWanted(store.kind(at: place)) { visit(store.content(at: place)) }
        }
    }

    /// What the instances of nodes refer to, with the node; those whose text is wanted, and all roots of skeletons.
    package func forEachReference(
        where isWanted: (ColladaDocument.Node.ReferenceText) -> Bool,
        _ visit: (borrowing ColladaDocument.Reference, _ node: Int) -> Void
    ) {
        forEachContents { index, store, places in
            for place in places { store.forEachReference(at: place, where: isWanted) { visit($0, index) } }
        }
    }
}

extension RandomAccessCollection where Element == ColladaDocument.Node, Index == Int {
    /// Shows of each node the store of its contents, and their places there.
    @inline(__always)
    fileprivate func forEachContents(_ visit: (_ node: Int, ContentStore, _ places: Range<Int>) -> Void) {
        guard var store = first?.contents.store else { return }
        for index in indices {
            // Nearly all have the same one, and to take it from each node would count it each time.
            if self[index].contents.store !== store { store = self[index].contents.store }
            visit(index, store, self[index].contents.range)
        }
    }
}
