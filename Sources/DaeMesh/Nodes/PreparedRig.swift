import DaeScene

/// What the tree knows of skins: where every node's places stand in it. Scenes without skins have none.
struct PreparedRigs {
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
struct PreparedRig {
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

// Chains of controllers may be long, and shown thousands of times: what each leads to is found once for all of them.

/// For each controller of a scene, the nearest one of its chain that is of some kind, itself first.
struct NearestControllers {
    /// −1 for none.
    private let found: [Int32]

    /// - Parameter isMeant: Whether a controller, by its place, is of that kind.
    init(of scene: Scene, where isMeant: (Int) -> Bool) {
        var found = [Int32?](repeating: nil, count: scene.controllers.count)
        for start in found.indices where found[start] == nil {
            var path: [Int] = []
            var result: Int32 = -1
            var next = Optional(start)
            while let index = next, found.indices.contains(index) {
                if let known = found[index] {
                    result = known
                    break
                }
                path.append(index)
                if isMeant(index) {
                    result = Int32(clamping: index)
                    break
                }
                // A cycle ends here.
                found[index] = -1
                switch scene.controllers[index].source {
                case .controller(let below): next = below.value
                case .geometry, nil: next = nil
                }
            }
            for index in path { found[index] = result }
        }
        self.found = found.map { $0 ?? -1 }
    }

    /// The skins whose joints instances are bound to, as ``Scene/skin(of:)`` finds them; `nil` where there are none.
    static func skins(of scene: Scene) -> NearestControllers? {
        guard scene.controllers.contains(where: \.isSkin) else { return nil }
        return NearestControllers(of: scene) { scene.controllers[$0].isSkin }
    }

    subscript(controller: SceneIndex<Controller>) -> SceneIndex<Controller>? {
        guard found.indices.contains(controller.value), found[controller.value] >= 0 else { return nil }
        return SceneIndex(Int(found[controller.value]))
    }

    func has(_ controller: SceneIndex<Controller>) -> Bool { self[controller] != nil }
}
