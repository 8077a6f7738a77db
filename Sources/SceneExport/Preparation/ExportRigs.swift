import SceneModel

/// What the tree knows of skins: where every node's places stand in it. Scenes without skins have none.
struct ExportRigs {
    var unfolded = UnfoldedScene()
    /// By place of the unfolded scene, the node of the tree that is its inside.
    private(set) var ends: [Int32] = []
    /// By place, whether it turns left to right on the way to the world.
    private(set) var isMirrored: [Bool] = []
    /// Places by the nodes of the tree that show an instance of theirs.
    var shows: [Int: Int] = [:]
    /// Nodes of the tree that stand for a place once more.
    var copies: [Copy: Int] = [:]

    struct Copy: Hashable {
        let carrying: Int
        let of: Int

        init(carrying: Int, of place: Int) { (self.carrying, of) = (carrying, place) }
    }

    mutating func add(_ node: SceneIndex<Node>, _ matrix: Matrix4, below parent: Int, at end: Int) -> Int {
        let around = parent < 0 ? false : isMirrored[parent]
        ends.append(Int32(clamping: end))
        isMirrored.append(around != matrix.isMirroring)
        return unfolded.add(node.value, below: parent)
    }

    mutating func close(nodes: Int) { unfolded.close(nodes: nodes) }
}

/// The joints of one instance of a skin in the tree.
struct ExportRig {
    struct Joint {
        let place: Int
        /// Whether it turns left to right on the way to the world.
        let isMirrored: Bool
    }
    /// `nil` for one that is not there.
    let joints: [Joint?]
    /// The same of the instance's own node, which moves what no joint does.
    let isMirrored: Bool

    /// For each joint of a skin, and behind them for what no joint moves, whether its vertices come out mirrored; empty
    /// where none does.
    func turned(_ skin: Skin) -> [Bool] {
        let shape = skin.bindShape.isMirroring
        let turned = skin.joints.indices.map { place in
            guard place < joints.count, let joint = joints[place] else { return isMirrored != shape }
            let inverse = place < skin.inverseBinds.count && skin.inverseBinds[place].isMirroring
            return (joint.isMirrored != inverse) != shape
        }
        return turned.contains(true) || isMirrored != shape ? turned + [isMirrored != shape] : []
    }
}

extension Matrix4 {
    /// Whether it turns left to right.
    var isMirroring: Bool {
        (columns.0.spatial.crossed(columns.1.spatial) * columns.2.spatial).sum() < 0
    }
}
