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

/// Writes skeletons and what moves them. A joint's node and all nodes around that are joints, so each moves by its own
/// keys alone.
struct USDSkeletons {
    private struct Skeleton {
        /// Of the nodes that move vertices: where they were when these were bound.
        var binds: [Int: Matrix4]
        /// All joints, each behind those around it.
        var joints: [Int] = []
        /// The morphs whose weights it brings to what it moves.
        var morphs = Set<Int>()
        var path: CrateWriter.Path?
    }
    /// What a node of the tree is called as a joint. Its scale, where the format has too few digits for that, is a joint of
    /// its own within.
    private struct Joint {
        let name: String
        let scale: SIMD3<Double>?

        /// The one that moves what is within.
        var inner: String { scale == nil ? name : name + "/scale" }
    }

    private var skeletons: [Skeleton] = []
    private var joints: [Int: Joint] = [:]
    /// The one without joints, for meshes that have morphs alone.
    private var bare = Skeleton(binds: [:])

    var count: Int { skeletons.count }

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
    /// - Parameters:
    ///   - skins: By the nodes that show them.
    ///   - scope: What the skeletons are to be below.
    mutating func settle(
        _ skins: [Int: USDSkin], _ tree: USDTree, _ motion: USDMotion, _ prepared: PreparedScene, _ crate: inout CrateWriter,
        below scope: CrateWriter.Path
    ) throws(SceneExportError) {
        for index in skeletons.indices {
            var known = Set<Int>()
            for place in skeletons[index].binds.keys.sorted() {
                var path: [Int] = []
                var next = Optional(place)
                while let at = next, known.insert(at).inserted {
                    path.append(at)
                    next = tree.parent(of: at)
                }
                for at in path.reversed() {
                    skeletons[index].joints.append(at)
                    try name(at, tree, motion, prepared)
                }
            }
            skeletons[index].path = crate.declare("skeleton_\(index)", in: scope)
        }
        for (place, morph) in motion.morphPlaces {
            if let skin = skins[place] {
                skeletons[skin.skeleton].morphs.insert(morph)
            } else {
                bare.morphs.insert(morph)
            }
        }
        if !bare.morphs.isEmpty { bare.path = crate.declare("morphs", in: scope) }
    }

    private mutating func name(
        _ place: Int, _ tree: USDTree, _ motion: USDMotion, _ prepared: PreparedScene
    ) throws(SceneExportError) {
        guard joints[place] == nil else { return }
        let around = tree.parent(of: place).flatMap { joints[$0] }.map { $0.inner + "/" } ?? ""
        var scale: SIMD3<Double>?
        if let keys = motion.parts(of: place, prepared)?.scale, keys.times.isEmpty,
            keys.rest.contains(where: { $0.roundedToHalf != $0 })
        {
            scale = SIMD3(keys.rest.map { Double($0) })
        }
        let name = around + tree.name(of: place)
        // A long way down, all names of the way are written at each step.
        try prepared.budget.write(name.utf8.count)
        joints[place] = Joint(name: name, scale: scale)
    }

    /// What moves a mesh; `nil` where nothing does.
    ///
    /// - Parameter morphs: Names of the weights of its targets.
    func binding(of skin: USDSkin?, morphs: [String]?) -> USDMeshes.Binding? {
        if let skin, let path = skeletons[skin.skeleton].path {
            let names = skin.joints.map { joints[$0]?.inner ?? "" }
            return USDMeshes.Binding(skeleton: path, joints: names, weights: morphs ?? [])
        }
        guard let morphs, let path = bare.path else { return nil }
        return USDMeshes.Binding(skeleton: path, joints: nil, weights: morphs)
    }

    // MARK: - Prims

    func write(
        _ motion: USDMotion, _ tree: USDTree, _ prepared: PreparedScene, _ scopes: USDScopes,
        _ crate: inout CrateWriter, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let all = (skeletons + [bare]).filter { $0.path != nil }
        guard !all.isEmpty else { return }
        for (place, joint) in joints where joint.scale == nil {
            guard let scale = motion.parts(of: place, prepared)?.scale.values,
                scale.contains(where: { $0.roundedToHalf != $0 })
            else { continue }
            let node = prepared.tree.nodes[place].node.map { prepared.scene.nodes[$0] }
            report.add(.approximated, .jointScales, at: node?.id ?? node?.name)
        }
        crate.begin(scopes.skeletons, "Scope")
        for skeleton in all {
            try prepared.checkCancelled()
            try write(skeleton, motion, tree, prepared, &crate)
        }
        try crate.end()
    }

    private func write(
        _ skeleton: Skeleton, _ motion: USDMotion, _ tree: USDTree, _ prepared: PreparedScene,
        _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        guard let path = skeleton.path else { return }
        var (names, binds, rests): ([String], [Double], [Double]) = ([], [], [])
        var worlds: [Int: Matrix4] = [:]
        for place in skeleton.joints {
            guard let joint = joints[place] else { continue }
            var rest = prepared.tree.matrix(of: prepared.tree.nodes[place], in: prepared.scene)
            let around = tree.parent(of: place).flatMap { worlds[$0] } ?? .identity
            let world = around * rest
            worlds[place] = world
            if let scale = joint.scale {
                rest = rest * Matrix4(scale: 1 / scale)
                names.append(joint.name)
                rests += rest.settled.columnDoubles
                binds += (around * rest).settled.invertible.columnDoubles
                rest = Matrix4(scale: scale)
            }
            names.append(joint.inner)
            rests += rest.columnDoubles
            binds += (skeleton.binds[place] ?? world.invertible).columnDoubles
        }
        crate.begin(path, "Skeleton")
        try crate.apply(["SkelBindingAPI"])
        try crate.attribute("joints", "token[]", try crate.list(tokens: names), .uniform)
        try crate.attribute("bindTransforms", "matrix4d[]", try crate.list(.matrix4d, binds), .uniform)
        try crate.attribute("restTransforms", "matrix4d[]", try crate.list(.matrix4d, rests), .uniform)
        if let animation = try writeAnimation(of: skeleton, motion, prepared, &crate) {
            try crate.relationship("skel:animationSource", [animation])
        }
        try crate.end()
    }

    /// - Returns: `nil` where nothing moves.
    private func writeAnimation(
        of skeleton: Skeleton, _ motion: USDMotion, _ prepared: PreparedScene, _ crate: inout CrateWriter
    ) throws(SceneExportError) -> CrateWriter.Path? {
        var names: [String] = []
        var (translations, rotations, scales): ([USDKeys], [USDKeys], [USDKeys]) = ([], [], [])
        for place in skeleton.joints {
            guard let joint = joints[place], var parts = motion.parts(of: place, prepared) else { continue }
            if joint.scale != nil { parts.scale.rest = [1, 1, 1] }
            names.append(joint.name)
            translations.append(parts.translation)
            rotations.append(parts.rotation)
            scales.append(parts.scale)
        }
        let weights = skeleton.morphs.sorted().map { motion.weights(of: $0) }
        guard !names.isEmpty || !weights.isEmpty else { return nil }
        let path = crate.begin("animation", "SkelAnimation")
        if !names.isEmpty {
            try crate.attribute("joints", "token[]", try crate.list(tokens: names), .uniform)
            try write("translations", "float3[]", .float3, translations, motion, prepared.budget, &crate)
            try write("rotations", "quatf[]", .quatf, rotations, motion, prepared.budget, &crate)
            try write("scales", "half3[]", .half3, scales, motion, prepared.budget, &crate)
        }
        if !weights.isEmpty {
            try crate.attribute("blendShapes", "token[]", try crate.list(tokens: weights.flatMap(\.names)), .uniform)
            try write("blendShapeWeights", "float[]", .float, weights.map(\.keys), motion, prepared.budget, &crate)
        }
        try crate.end()
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
                numbers += one.value(at: time, isRotation: isRotation, &keys[place])
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
