@testable import DaeScene

extension ColladaWriter {
    mutating func animations() -> [String] {
        let inner = Set(scene.animations.flatMap(\.children))
        return scene.animations.indices.filter { !inner.contains(SceneIndex($0)) }.map { animation($0) }
    }

    private mutating func animation(_ index: Int) -> String {
        let animation = scene.animations[index]
        var list = SourceList()
        var samplers = ""
        var channels = ""
        for channel in animation.channels {
            let id: String
            // A channel may use another animation's sampler.
            if let known = self.samplers[channel.curve] {
                id = known
            } else {
                id = newID()
                self.samplers[channel.curve] = id
                samplers += sampler(channel.curve, id, &list)
                lastKeys[index] = [lastKeys[index], channel.curve.timeRange?.upperBound].compactMap { $0 }.max()
            }
            channels += Markup.element("channel", ["source": "#" + id, "target": address(of: channel.target)])
        }
        let children = animation.children.map { self.animation($0.value) }.joined()
        return Markup.element(
            "animation", ["id": animation.id, "name": animation.name],
            version == .v14 || dice.chance(0.5)
                ? list.text + samplers + channels + children : children + list.text + samplers + channels)
    }

    mutating func clip(_ clip: AnimationClip) -> String {
        // The animations tell the end, unless a sampler that they use stands elsewhere.
        let told = clip.animations.compactMap { lastKey(of: $0) }.max()
        let end = told == clip.end && dice.chance(0.5) ? nil : clip.end?.description
        let start = clip.start == 0 ? nil : clip.start.description
        return Markup.element(
            "animation_clip",
            ["id": clip.id, "name": clip.name, "start": start, "end": end],
            clip.animations.map {
                Markup.element("instance_animation", ["url": scene.animations[$0].id.map { "#" + $0 }])
            }.joined())
    }

    private func lastKey(of animation: SceneIndex<Animation>) -> Double? {
        ([lastKeys[animation.value]] + scene.animations[animation].children.map { lastKey(of: $0) })
            .compactMap { $0 }.max()
    }

    // MARK: - Samplers

    private mutating func sampler(_ curve: AnimationCurve, _ id: String, _ list: inout SourceList) -> String {
        let keys = curve.times.count
        let times = addSource(curve.times.array, stride: 1, count: keys, Param.named("TIME"), to: &list)
        let isMatrix = curve.width == 16
        let values = addSource(
            curve.values.array, stride: curve.width, count: keys,
            isMatrix ? [Param(name: "TRANSFORM", type: "float4x4")] : params(curve.width), to: &list)
        let words: [String]
        switch curve.interpolations {
        case .all(let one): words = [String](repeating: one.rawValue, count: keys)
        case .each(let each): words = each.map(\.rawValue)
        }
        let names = addSource(words, "Name_array", Param(name: "INTERPOLATION", type: "name"), to: &list)
        var inputs = input("INPUT", times) + input("OUTPUT", values) + input("INTERPOLATION", names)
        for (semantic, side) in [("IN_TANGENT", curve.incoming), ("OUT_TANGENT", curve.outgoing)] {
            guard let side else { continue }
            let stride = side.layout.stride(width: side.width)
            let source = addSource(side.numbers.array, stride: stride, count: keys, params(stride), to: &list)
            inputs += input(semantic, source)
        }
        return Markup.element(
            "sampler",
            [
                "id": id, "pre_behavior": curve.before == .undefined ? nil : curve.before.rawValue,
                "post_behavior": curve.after == .undefined ? nil : curve.after.rawValue,
            ], inputs)
    }

    private func params(_ count: Int) -> [Param] { (0..<count).map { Param(name: "V\($0)") } }

    // MARK: - Targets

    private mutating func address(of target: AnimationTarget) -> String {
        switch target {
        case .transform(let node, let at, let member):
            let sid = scene.nodes[node].transformSIDs[at] ?? ""
            return "\(address(of: node.value))/\(sid)\(member.written)"
        case .morphWeight(let controller, let at):
            let source = weightIDs[controller.value] ?? ""
            let index = at.map { "(\($0))" } ?? ""
            let id = scene.controllers[controller].id ?? ""
            return dice.chance(0.5) ? source + index : "\(id)/\(source)\(index)"
        case .material(let index, let parameter, let member):
            let material = scene.materials[index]
            var sid: String?
            if case .property(let property) = parameter { sid = material.effectID.flatMap { sids[$0] }?[property] }
            let step = sid.flatMap { dice.chance(0.5) ? $0 : nil } ?? parameter.name
            return "\(material.id ?? "")/\(step)\(member.written)"
        case .camera(let camera, let parameter):
            return "\(scene.cameras[camera].id ?? "")/\(parameter.rawValue)"
        case .light(let light, let parameter, let member):
            return "\(scene.lights[light].id ?? "")/\(parameter.rawValue)\(member.written)"
        }
    }

    /// By its id, else by sids below the node around it.
    private func address(of node: Int) -> String {
        if let id = scene.nodes[node].id { return id }
        switch placements[node] {
        case .nested(in: let parent, at: _): return "\(address(of: parent))/\(scene.nodes[node].sid ?? "")"
        case .root, .library: return ""
        }
    }
}

extension AnimationMember {
    fileprivate var written: String {
        switch self {
        case .whole: ""
        case .named(let name): "." + name.rawValue
        case .index(let index): "(\(index))"
        case .cell(let column, let row): "(\(column))(\(row))"
        }
    }
}
