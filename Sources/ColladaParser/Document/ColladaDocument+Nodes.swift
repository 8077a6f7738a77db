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
        // In a span: what is taken out of a list would be copied.
        let nodes = nodes.span
        for index in nodes.indices {
            var count = nodes[index].record.transformSIDCount
            if !instanceSIDs.isEmpty { count += instanceSIDs[index]?.count ?? 0 }
            for place in nodes[index].contents.indices {
                guard let child = nodes[index].contents.child(at: place) else { continue }
                if nodes[child].record.hasSID { count += 1 }
            }
            if count > 1 { found.append(index) }
        }
        return found
    }
}
