import DaeScene

extension RandomScene {
    /// In the file's order: an animation stands before those within it.
    mutating func addAnimations() {
        var open: [Int] = []
        for index in 0..<dice.int(0...4) {
            scene.animations.append(Animation(id: newID("animation"), name: maybeName(), channels: [], children: []))
            open = Array(open.prefix(dice.int(0...open.count)))
            if let parent = open.last { scene.animations[parent].children.append(SceneIndex(index)) }
            open.append(index)
            for _ in 0..<dice.int(0...3) {
                guard let target = target() else { continue }
                let known = scene.animations.flatMap(\.channels).map(\.curve).filter { $0.width == target.width }
                let curve = !known.isEmpty && dice.chance(0.2) ? dice.pick(known) : curve(width: target.width)
                scene.animations[index].channels.append(AnimationChannel(target: target.target, curve: curve))
            }
        }
    }

    mutating func addClips() {
        guard !scene.animations.isEmpty else { return }
        for _ in 0..<dice.int(0...2) {
            let animations = dice.list(0...3) { SceneIndex<Animation>($0.int(0...scene.animations.count - 1)) }
            let last = animations.compactMap { scene.lastKey(of: $0) }.max()
            var clip = AnimationClip(
                id: maybeID("clip"), name: maybeName(), start: dice.tame(), end: last, animations: animations)
            if let last { clip.start = min(clip.start, last - 1) }
            if dice.chance(0.5) { clip.end = clip.start.nextUp + abs(dice.tame()) }
            scene.clips.append(clip)
        }
    }

    // MARK: - Curves

    private mutating func curve(width: Int) -> AnimationCurve {
        let keys = dice.int(1...5)
        let times = (0..<keys).map { _ in abs(dice.tame()) }.sorted()
        let times2 = zip(times, times.dropFirst()).allSatisfy(<) ? times : (0..<keys).map(Double.init)
        let one = dice.pick(AnimationInterpolation.allCases)
        let names = (0..<keys).map { _ in dice.chance(0.8) ? one : dice.pick(AnimationInterpolation.allCases) }
        // A pair for each value, or one time before the values: for a scalar the same.
        let stride = dice.chance(0.5) ? 2 * width : width + 1
        let isLate = version == .v15
        return AnimationCurve(
            times: times2, values: dice.numbers(keys * width), width: width, interpolationNames: names.map(\.rawValue),
            tangents: AnimationTangents(
                incoming: dice.numbers(keys * stride), outgoing: dice.numbers(keys * stride), incomingStride: stride,
                outgoingStride: stride),
            before: isLate ? dice.pick(AnimationBehavior.allCases) : .undefined,
            after: isLate ? dice.pick(AnimationBehavior.allCases) : .undefined)
    }

    // MARK: - Targets

    private mutating func target() -> (target: AnimationTarget, width: Int)? {
        switch dice.int(0...7) {
        case 0: return morphTarget()
        case 1: return materialTarget()
        case 2 where !scene.cameras.isEmpty:
            let camera = SceneIndex<Camera>(dice.int(0...scene.cameras.count - 1))
            return (.camera(camera, dice.pick(AnimationTarget.CameraParameter.allCases)), 1)
        case 3 where !scene.lights.isEmpty:
            let light = SceneIndex<Light>(dice.int(0...scene.lights.count - 1))
            let parameter = dice.pick(AnimationTarget.LightParameter.allCases)
            guard parameter == .color else { return (.light(light, parameter, .whole), 1) }
            let member = dice.pick([.whole, .named(.red), .named(.blue), .index(1)] as [AnimationMember])
            return (.light(light, parameter, member), member == .whole ? 3 : 1)
        default: return transformTarget()  // integers
        }
    }

    private mutating func morphTarget() -> (target: AnimationTarget, width: Int)? {
        let morphs = scene.controllers.indices.filter {
            if case .morph = scene.controllers[$0].kind { true } else { false }
        }
        guard !morphs.isEmpty else { return nil }
        let index = dice.pick(morphs)
        guard case .morph(let morph) = scene.controllers[index].kind else { return nil }
        if dice.chance(0.3) { return (.morphWeight(SceneIndex(index), at: nil), morph.targets.count) }
        return (.morphWeight(SceneIndex(index), at: dice.int(0...morph.targets.count - 1)), 1)
    }

    private mutating func materialTarget() -> (target: AnimationTarget, width: Int)? {
        let withEffect = scene.materials.indices.filter { scene.materials[$0].effectID != nil }
        guard !withEffect.isEmpty else { return nil }
        let index = SceneIndex<Material>(dice.pick(withEffect))
        let plain = scene.materials[index].properties.keys.sorted { $0.rawValue < $1.rawValue }
        if plain.isEmpty || dice.chance(0.2) {
            return (.material(index, .path("shader/strength"), dice.pick([.whole, .named(.x), .index(2)])), 1)
        }
        let parameter = dice.pick(plain)
        let isNumber = parameter.isNumber
        let member =
            isNumber ? .whole : dice.pick([.whole, .named(.red), .named(.alpha), .index(2)] as [AnimationMember])
        return (.material(index, .property(parameter), member), member == .whole && !isNumber ? 4 : 1)
    }

    private static let members: [AnimationMember] =
        [.whole] + AnimationMember.Name.allCases.map { .named($0) } + (0..<16).map { .index($0) }
        + (0..<16).map { .cell(column: $0 / 4, row: $0 % 4) }

    private mutating func transformTarget() -> (target: AnimationTarget, width: Int)? {
        let movable = scene.nodes.indices.filter { !scene.nodes[$0].transforms.isEmpty }
        guard !movable.isEmpty else { return nil }
        let node = SceneIndex<Node>(dice.pick(movable))
        let transforms = scene.nodes[node].transforms
        let place = dice.int(0...transforms.count - 1)
        let fitting = Self.members.filter { $0.range(in: transforms[place]) != nil }
        let member = dice.chance(0.4) ? .whole : dice.pick(fitting)
        if scene.nodes[node].transformSIDs.isEmpty {
            scene.nodes[node.value].transformSIDs = transforms.map { _ in nil }
        }
        if scene.nodes[node].transformSIDs[place] == nil {
            scene.nodes[node.value].transformSIDs[place] = newID("step")
        }
        makeAddressable(node)
        return (.transform(node, at: place, member), member.range(in: transforms[place])?.count ?? 1)
    }

    /// A node has an id, or a sid below one that has.
    private mutating func makeAddressable(_ node: SceneIndex<Node>) {
        guard scene.nodes[node].id == nil else { return }
        let parents = scene.nodes.indices.filter { scene.nodes[$0].children.contains(node) }
        guard parents.count == 1, scene.edges[node.value] == 1, !scene.roots.contains(node), dice.chance(0.7) else {
            scene.nodes[node.value].id = newID("node")
            return
        }
        _ = sid(of: node)
        makeAddressable(SceneIndex(parents[0]))
    }
}

extension Scene {
    /// Of an animation and those within it; `nil` without keys.
    func lastKey(of animation: SceneIndex<Animation>) -> Double? {
        let own = animations[animation].channels.compactMap { $0.curve.timeRange?.upperBound }
        return (own + animations[animation].children.compactMap { lastKey(of: $0) }).max()
    }
}
