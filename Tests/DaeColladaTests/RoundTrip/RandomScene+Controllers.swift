import DaeScene

extension RandomScene {
    mutating func addControllers() {
        guard scene.geometries.contains(where: { $0.measure.positions > 0 }) else { return }
        for _ in 0..<dice.int(0...4) {
            let source = controllerSource()
            let base = base(of: source)
            // A skin over a skin is told of.
            let mayBeSkin = scene.skin(of: source) == nil
            var controller = Controller(
                id: newID("controller"), name: maybeName(), kind: nil, source: source, base: base)
            let skeletons = mayBeSkin && dice.chance(0.6) ? addSkin(to: &controller, base) : nil
            if skeletons == nil { controller.kind = .morph(morph(base)) }
            armatures[scene.controllers.count] = skeletons ?? below(source)
            scene.controllers.append(controller)
        }
    }

    private mutating func controllerSource() -> Controller.Source {
        if !scene.controllers.isEmpty, dice.chance(0.4) {
            return .controller(SceneIndex(dice.int(0...scene.controllers.count - 1)))
        }
        let meshes = scene.geometries.indices.filter { scene.geometries[$0].measure.positions > 0 }
        return .geometry(SceneIndex(dice.pick(meshes)))
    }

    private func base(of source: Controller.Source) -> SceneIndex<Geometry> {
        switch source {
        case .geometry(let geometry): geometry
        case .controller(let below): scene.controllers[below].base ?? SceneIndex(0)
        }
    }

    private func below(_ source: Controller.Source) -> [SceneIndex<Node>]? {
        switch source {
        case .geometry: nil
        case .controller(let below): armatures[below.value]
        }
    }

    // MARK: - Morphs

    private mutating func morph(_ base: SceneIndex<Geometry>) -> Morph {
        let positions = scene.geometries[base].measure.positions
        let fitting = scene.geometries.indices.filter { scene.geometries[$0].measure.positions == positions }
        let targets = dice.list(1...4) { $0.pick(fitting) }
        return Morph(
            method: dice.pick(Morph.Method.allCases),
            targets: targets.map { .init(reference: scene.geometries[$0].id ?? "", geometry: SceneIndex($0)) },
            weights: dice.numbers(targets.count))
    }

    // MARK: - Skins

    /// - Returns: The roots that an instance may have; `nil` where there are no nodes to be joints.
    private mutating func addSkin(
        to controller: inout Controller, _ base: SceneIndex<Geometry>
    ) -> [SceneIndex<Node>]? {
        guard let (names, roots) = joints() else { return nil }
        let matrix = Matrix4(rows: dice.numbers(16)) ?? .identity
        controller.kind = .skin(
            Skin(
                bindShape: matrix, joints: names, inverseBinds: names.map { _ in inverseBind() },
                influences: influences(of: scene.geometries[base].measure.positions, joints: names.count)))
        return roots
    }

    private mutating func inverseBind() -> Matrix4 {
        let matrix = Matrix4(rows: dice.numbers(12) + [0, 0, 0, 1])
        guard let matrix, matrix.inverse != nil else { return .identity }
        return matrix
    }

    /// Joints by sid, id or, since 1.5, by a path of both.
    private mutating func joints() -> (names: [String], roots: [SceneIndex<Node>])? {
        if let twins, dice.chance(0.5) { return (dice.shuffled(twins.sids), twins.roots) }
        let isTwin = Set((twins?.roots ?? []).flatMap { scene.subtree(of: $0) })
        let plain = scene.nodes.indices.map { SceneIndex<Node>($0) }.filter { !isTwin.contains($0) }
        let root = dice.pick(plain)
        let rootID = scene.nodes[root].id ?? newID("node")
        scene.nodes[root.value].id = rootID
        let nodes = scene.subtree(of: root)
        let paths = nodes.dropFirst()
        let joints = dice.list(1...4) { $0.pick(nodes) }
        switch dice.int(0...2) {
        case 0: return (joints.map { id(of: $0) }, [root])
        case 1 where version == .v15 && !paths.isEmpty:
            return (dice.list(1...3) { $0.pick(Array(paths)) }.map { "\(rootID)/\(sid(of: $0))" }, [root])
        default: return (joints.map { sid(of: $0) }, [root])  // integers
        }
    }

    mutating func id(of node: SceneIndex<Node>) -> String {
        let id = scene.nodes[node].id ?? newID("node")
        scene.nodes[node.value].id = id
        return id
    }

    mutating func sid(of node: SceneIndex<Node>) -> String {
        let sid = scene.nodes[node].sid ?? newID("sid")
        scene.nodes[node.value].sid = sid
        return sid
    }

    private mutating func influences(of vertices: Int, joints: Int) -> SkinInfluences {
        // Weights whose sums are 1: a whole one, halves and quarters, and one that is nothing.
        let shares: [Double] = [1, 0.5, 0.25, 0, 0.125]
        let sets: [[Int]] = [[], [0], [1, 1], [1, 2, 2], [0, 3], [2, 2, 2, 2], [1, 4, 4, 4, 4]]
        let stride = dice.pick([1, 1, 2])
        let offset = dice.pick([0, 0, 3])
        var values = dice.numbers(offset + shares.count * stride + dice.pick([0, 2]))
        for (place, share) in shares.enumerated() { values[offset + place * stride] = share }
        let weights = NumberList(NumberArray(values), offset: offset, stride: stride, count: shares.count)
        let offsets = dice.pick([(0, 1), (1, 0), (0, 2), (2, 1)])
        let each = max(offsets.0, offsets.1) + 1
        var (counts, indices): ([Int32], [Int32]) = ([], [])
        for _ in 0..<vertices {
            let set = dice.pick(sets)
            counts.append(Int32(set.count))
            for weight in set {
                var influence = (0..<each).map { _ in Int32(dice.int(-5...5)) }
                influence[offsets.0] = Int32(dice.int(-1...joints - 1))
                influence[offsets.1] = Int32(weight)
                indices += influence
            }
        }
        return SkinInfluences(
            counts: NumberArray(counts), indices: NumberArray(indices), stride: each, jointOffset: offsets.0,
            weightOffset: offsets.1, weights: weights)
    }
}

extension Scene {
    func skin(of source: Controller.Source) -> Skin? {
        switch source {
        case .geometry: nil
        case .controller(let below): skin(of: below)
        }
    }
}
