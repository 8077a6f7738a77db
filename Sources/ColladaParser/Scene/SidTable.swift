/// What is below one node by its sids: the first of each, breadth first.
struct SidTable {
    /// What a step of an address leads on to.
    enum Place {
        case node(Int), camera(Int), light(Int)
        /// An instance whose target is not there.
        case nothing
    }
    struct Step {
        let place: Place
        let passage: NodeSids.Passage
        /// Among all that was added.
        let order: Int
    }
    struct Transform {
        let node: Int
        let place: Int
        let passage: NodeSids.Passage
        let order: Int
    }
    private(set) var steps: [String: Step] = [:]
    private(set) var transforms: [String: Transform] = [:]
    /// The sids of instances of what has no sids of its own within.
    var endings: Set<String> = []
    /// The nodes that instances without a sid lead to.
    var nameless: [(node: Int, passage: NodeSids.Passage)] = []
    private var added = 0

    mutating func addStep(_ sid: String?, to place: Place, _ passage: NodeSids.Passage) {
        added += 1
        guard let sid, steps[sid] == nil else { return }
        steps[sid] = Step(place: place, passage: passage, order: added)
    }

    mutating func addTransform(_ sid: String?, of node: Int, at place: Int, _ passage: NodeSids.Passage) {
        added += 1
        guard let sid, transforms[sid] == nil else { return }
        transforms[sid] = Transform(node: node, place: place, passage: passage, order: added)
    }
}
