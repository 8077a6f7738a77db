import DaeMesh
import DaeScene

/// A skin where one node shows it.
struct USDSkin {
    /// Into the shapes.
    let shape: Int
    /// By joint of the skin, its node of the tree.
    let joints: [Int]
    /// Into the skeletons.
    let skeleton: Int
}

/// Writes skeletons and what moves them, each below the innermost node that has all of its joints within. A joint's node
/// and all nodes between that and the skeleton are joints, so each moves by its own keys alone.
struct USDSkeletons {
    /// What a node of the tree is called as a joint. Its scale, where the format has too few digits for that, is a joint of
    /// its own within.
    private struct Joint {
        let place: Int
        /// Into the skeleton's joints; `nil` for one that stands in none.
        let parent: Int?
        let name: String
        let scale: SIMD3<Double>?

        /// The one that moves what is within.
        var inner: String { scale == nil ? name : name + "/scale" }
    }
    private struct Skeleton {
        /// Of the nodes that move vertices: where they were when these were bound.
        var binds: [Int: Matrix4]
        /// All joints, each behind those around it.
        var joints: [Joint] = []
        /// Into ``joints``, by node of the tree.
        var indices: [Int: Int] = [:]
        /// The morphs whose weights it brings to what it moves.
        var morphs = Set<Int>()
        var path: CrateWriter.Path?
    }

    private var skeletons: [Skeleton] = []
    /// By the node of the tree that they are below; −1 for the root.
    private var places: [Int: [Int]] = [:]
    /// The one without joints, for meshes that have morphs alone.
    private var bare: Int?

    /// Those with joints.
    var count: Int { skeletons.count - (bare == nil ? 0 : 1) }

    /// Adds the joints of a skin to a skeleton that agrees with them about some, or makes one.
    ///
    /// - Returns: Which one it is.
    mutating func add(joints: [Int], binds: [Matrix4]) -> Int {
        let new = Dictionary(zip(joints, binds)) { first, _ in first }
        if let last = skeletons.last {
            let known = new.filter { last.binds[$0.key] != nil }
            if !known.isEmpty, known.allSatisfy({ last.binds[$0.key] == $0.value }) {
                skeletons[skeletons.count - 1].binds.merge(new) { first, _ in first }
                return skeletons.count - 1
            }
        }
        skeletons.append(Skeleton(binds: new))
        return skeletons.count - 1
    }

    /// Names all joints, once all skins are there.
    ///
    /// - Parameter skins: By the nodes that show them.
    mutating func settle(
        _ skins: [Int: USDSkin], _ tree: inout USDTree, _ motion: USDMotion, _ prepared: PreparedScene,
        _ out: inout USDOutput
    ) throws(SceneExportError) {
        for index in skeletons.indices {
            let moving = skeletons[index].binds.keys.sorted()
            let base = tree.base(of: moving)
            var known = Set<Int>()
            for place in moving {
                var path: [Int] = []
                var next = Optional(place)
                while let at = next, at != base, known.insert(at).inserted {
                    path.append(at)
                    next = tree.parent(of: at)
                }
                for at in path.reversed() { try addJoint(at, to: index, tree, motion, prepared) }
            }
            let parent = base.map { tree.path(of: $0, &out) } ?? out.scopes.skeletons
            let name = base.map { tree.reserve("Skeleton", below: $0) } ?? "skeleton_\(index)"
            skeletons[index].path = out.crate.declare(name, in: parent)
            places[base ?? -1, default: []].append(index)
        }
        for (place, morph) in motion.morphPlaces {
            let index = skins[place]?.skeleton ?? bare ?? skeletons.count
            if index == skeletons.count {
                bare = index
                skeletons.append(Skeleton(binds: [:], path: out.crate.declare("morphs", in: out.scopes.skeletons)))
                places[-1, default: []].append(index)
            }
            skeletons[index].morphs.insert(morph)
        }
    }

    private mutating func addJoint(
        _ place: Int, to index: Int, _ tree: USDTree, _ motion: USDMotion, _ prepared: PreparedScene
    ) throws(SceneExportError) {
        let parent = tree.parent(of: place).flatMap { skeletons[index].indices[$0] }
        let around = parent.map { skeletons[index].joints[$0].inner + "/" } ?? ""
        var scale: SIMD3<Double>?
        if let keys = motion.parts(of: place, prepared)?.scale, keys.times.isEmpty,
            keys.rest.contains(where: { !$0.isNearHalf })
        {
            scale = SIMD3(keys.rest.map { Double($0) })
        }
        let name = around + tree.name(of: place)
        // A long way down, all names of the way are written at each step.
        try prepared.budget.write(name.utf8.count)
        skeletons[index].indices[place] = skeletons[index].joints.count
        skeletons[index].joints.append(Joint(place: place, parent: parent, name: name, scale: scale))
    }

    /// What moves a mesh; `nil` where nothing does.
    ///
    /// - Parameter morphs: Names of the weights of its targets.
    func binding(of skin: USDSkin?, morphs: [String]?) -> USDMeshes.Binding? {
        if let skin, let path = skeletons[skin.skeleton].path {
            let skeleton = skeletons[skin.skeleton]
            let names = skin.joints.map { joint in
                skeleton.indices[joint].map { skeleton.joints[$0].inner } ?? ""
            }
            return USDMeshes.Binding(skeleton: path, joints: names, weights: morphs ?? [])
        }
        guard let morphs, let path = bare.flatMap({ skeletons[$0].path }) else { return nil }
        return USDMeshes.Binding(skeleton: path, joints: nil, weights: morphs)
    }

    // MARK: - Prims

    /// Writes those that are right below a node of the tree, which is open, or below the root.
    func write(
        below place: Int?, _ motion: USDMotion, _ prepared: PreparedScene, _ out: inout USDOutput
    ) throws(SceneExportError) {
        guard let here = places[place ?? -1] else { return }
        if place == nil { out.crate.begin(out.scopes.skeletons, "Scope") }
        for index in here {
            try prepared.checkCancelled()
            try write(skeletons[index], motion, prepared, &out)
        }
        if place == nil { try out.crate.end() }
    }

    private func write(
        _ skeleton: Skeleton, _ motion: USDMotion, _ prepared: PreparedScene, _ out: inout USDOutput
    ) throws(SceneExportError) {
        guard let path = skeleton.path else { return }
        var (names, binds, rests): ([String], [Double], [Double]) = ([], [], [])
        var worlds: [Matrix4] = []
        for joint in skeleton.joints {
            var rest = prepared.tree.matrix(of: prepared.tree.nodes[joint.place], in: prepared.scene)
            let around = joint.parent.map { worlds[$0] } ?? .identity
            let world = around * rest
            worlds.append(world)
            if let scale = joint.scale {
                rest = rest * Matrix4(scale: 1 / scale)
                names.append(joint.name)
                rests += rest.settled.columnDoubles
                binds += (around * rest).settled.invertible.columnDoubles
                rest = Matrix4(scale: scale)
            }
            names.append(joint.inner)
            rests += rest.columnDoubles
            binds += (skeleton.binds[joint.place] ?? world.invertible).columnDoubles
        }
        out.crate.begin(path, "Skeleton")
        try out.crate.apply(["SkelBindingAPI"])
        try out.crate.attribute("joints", "token[]", try out.crate.list(tokens: names), .uniform)
        try out.crate.attribute("bindTransforms", "matrix4d[]", try out.crate.list(.matrix4d, binds), .uniform)
        try out.crate.attribute("restTransforms", "matrix4d[]", try out.crate.list(.matrix4d, rests), .uniform)
        if let animation = try writeAnimation(of: skeleton, motion, prepared, &out) {
            try out.crate.relationship("skel:animationSource", [animation])
        }
        try out.crate.end()
    }

    /// - Returns: `nil` where nothing moves.
    private func writeAnimation(
        of skeleton: Skeleton, _ motion: USDMotion, _ prepared: PreparedScene, _ out: inout USDOutput
    ) throws(SceneExportError) -> CrateWriter.Path? {
        var names: [String] = []
        var (translations, rotations, scales): ([USDKeys], [USDKeys], [USDKeys]) = ([], [], [])
        for joint in skeleton.joints {
            guard var parts = motion.parts(of: joint.place, prepared) else { continue }
            if joint.scale != nil { parts.scale.rest = [1, 1, 1] }
            if parts.scale.values.contains(where: { !$0.isNearHalf }) {
                let node = prepared.tree.nodes[joint.place].node.map { prepared.scene.nodes[$0] }
                out.report.add(.approximated, .jointScales, at: node?.id ?? node?.name)
            }
            names.append(joint.name)
            translations.append(parts.translation)
            rotations.append(parts.rotation)
            scales.append(parts.scale)
        }
        let weights = skeleton.morphs.sorted().map { motion.weights(of: $0) }
        guard !names.isEmpty || !weights.isEmpty else { return nil }
        let path = out.crate.begin("animation", "SkelAnimation")
        if !names.isEmpty {
            try out.crate.attribute("joints", "token[]", try out.crate.list(tokens: names), .uniform)
            try write("translations", "float3[]", .float3, translations, motion, prepared.budget, &out.crate)
            try write("rotations", "quatf[]", .quatf, rotations, motion, prepared.budget, &out.crate)
            try write("scales", "half3[]", .half3, scales, motion, prepared.budget, &out.crate)
        }
        if !weights.isEmpty {
            try out.crate.attribute(
                "blendShapes", "token[]", try out.crate.list(tokens: weights.flatMap(\.names)), .uniform)
            try write("blendShapeWeights", "float[]", .float, weights.map(\.keys), motion, prepared.budget, &out.crate)
        }
        try out.crate.end()
        return path
    }

    /// One list of all joints for each moment at which any of them has a key.
    private func write(
        _ name: String, _ type: String, _ kind: CrateValue.Kind, _ all: [USDKeys], _ motion: USDMotion,
        _ budget: ConversionBudget, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        let isRotation = kind == .quatf
        func put(_ values: [Float], _ crate: inout CrateWriter) throws(SceneExportError) -> CrateValue {
            kind == .half3 ? try crate.list(kind, values.map(\.halfBits)) : try crate.list(kind, values)
        }
        let times = all.reduce(into: Set<Double>()) { $0.formUnion($1.times) }.sorted()
        let rest = try put(all.flatMap(\.rest), &crate)
        guard !times.isEmpty else {
            try crate.attribute(name, type, rest)
            return
        }
        let moments = times.count.multipliedReportingOverflow(by: all.count)
        try budget.add(keys: moments.overflow ? .max : moments.partialValue)
        var keys = [Int](repeating: 0, count: all.count)
        var values: [CrateValue] = []
        values.reserveCapacity(times.count)
        for time in times {
            var numbers: [Float] = []
            for (place, one) in all.enumerated() {
                one.append(at: time, isRotation: isRotation, from: &keys[place], to: &numbers)
            }
            values.append(try put(numbers, &crate))
        }
        try crate.attribute(name, type, rest, .samples(try crate.samples(motion.codes(times), values)))
    }
}

extension Matrix4 {
    fileprivate init(scale: SIMD3<Double>) {
        self.init(columns: ([scale.x, 0, 0, 0], [0, scale.y, 0, 0], [0, 0, scale.z, 0], [0, 0, 0, 1]))
    }

    /// Itself where it can be undone.
    fileprivate var invertible: Matrix4 { inverse == nil ? .identity : self }
}
