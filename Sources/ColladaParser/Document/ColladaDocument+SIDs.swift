// Asked of every node of a document, where each look from without would copy the node.

import SceneModel

extension ColladaDocument {
    /// How many sids stand directly within a node: those of its transforms, of the nodes in it, and of its instances.
    package func sidCount(within node: Int) -> Int {
        var count = 0
        for sid in nodes[node].record.transformSIDs where sid?.isEmpty == false { count += 1 }
        let contents = nodes[node].contents
        for place in contents.indices {
            guard let child = contents.child(at: place) else { continue }
            if nodes[child].record.sid?.isEmpty == false { count += 1 }
        }
        if !instanceSIDs.isEmpty { count += instanceSIDs[node]?.count ?? 0 }
        return count
    }
}
