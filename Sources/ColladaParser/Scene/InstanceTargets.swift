/// What the instances that bear sids lead to, node by node.
struct InstanceTargets {
    struct Instance {
        /// Among the node's contents.
        let content: Int
        let sid: String
        /// `nil` where it leads nowhere.
        let target: ReferenceTable.Target?
    }
    /// Those of each node in the document's order.
    private var instances: [Int: [Instance]] = [:]

    mutating func add(_ sid: ColladaDocument.InstanceSID, of node: Int, to target: ReferenceTable.Target?) {
        instances[node, default: []].append(Instance(content: sid.content, sid: sid.sid, target: target))
    }

    subscript(node: Int) -> [Instance] { instances[node] ?? [] }
}
