import DaeScene

extension ColladaWriter {
    mutating func controller(_ index: Int) -> String {
        let controller = scene.controllers[index]
        let source =
            switch controller.source {
            case .geometry(let geometry): reference(.geometry, geometry.value)
            case .controller(let below): reference(.controller, below.value)
            case nil: nil as String?
            }
        let content: String
        switch controller.kind {
        case .skin(let skin): content = self.skin(skin, of: source)
        case .morph(let morph): content = self.morph(morph, of: source, at: index)
        case nil: content = ""
        }
        return Markup.element("controller", ["id": controller.id, "name": controller.name], content)
    }

    private mutating func morph(_ morph: Morph, of source: String?, at index: Int) -> String {
        var list = SourceList.sharing
        let targets = addSource(
            morph.targets.map(\.reference), "IDREF_array", Param(name: "IDREF", type: "IDREF"), to: &list)
        let weights = addSource(
            morph.weights, stride: 1, count: morph.weights.count, Param.named("WEIGHT"), to: &list)
        weightIDs[index] = weights
        let inputs = input("MORPH_TARGET", targets) + input("MORPH_WEIGHT", weights)
        // The method that is meant where none is given.
        let method = morph.method == .normalized && dice.chance(0.5) ? nil : morph.method.rawValue
        return Markup.element(
            "morph", ["source": source, "method": method],
            list.text + Markup.element("targets", [:], inputs))
    }

    private mutating func skin(_ skin: Skin, of source: String?) -> String {
        var list = SourceList.sharing
        let joints = addSource(skin.joints, kind(of: skin.joints), Param(name: "JOINT", type: "name"), to: &list)
        let binds = addSource(
            skin.inverseBinds.flatMap(\.rows), stride: 16, count: skin.inverseBinds.count,
            [Param(name: "TRANSFORM", type: "float4x4")], to: &list)
        let weights = weightSource(skin.influences.weights, to: &list)
        let influences = skin.influences
        let offsets = [
            influences.jointOffset.map { input("JOINT", joints, offset: $0) },
            influences.weightOffset.map { input("WEIGHT", weights, offset: $0) },
        ]
        let content =
            Markup.element("bind_shape_matrix", [:], Markup.numbers(skin.bindShape.rows)) + list.text
            + Markup.element("joints", [:], input("JOINT", joints) + input("INV_BIND_MATRIX", binds))
            + Markup.element(
                "vertex_weights", ["count": "\(influences.counts.count)"],
                dice.shuffled(offsets.compactMap { $0 }).joined()
                    + Markup.element("vcount", [:], Markup.integers(influences.counts))
                    + Markup.element("v", [:], Markup.integers(influences.indices)))
        return Markup.element("skin", ["source": source], content)
    }

    /// An accessor may skip numbers by its offset or by a param without a name.
    private mutating func weightSource(_ weights: NumberList, to list: inout SourceList) -> String {
        let skips = weights.offset > 0 && weights.stride > 1 && dice.chance(0.5)
        return addSource(
            weights.values.array, offset: weights.offset - (skips ? 1 : 0), stride: weights.stride,
            count: weights.count,
            (skips ? [Param()] : []) + Param.named("WEIGHT"), to: &list)
    }

    private func kind(of joints: [String]) -> String {
        if joints.contains(where: { $0.contains("/") }) { return "SIDREF_array" }
        let ids = Set(scene.nodes.compactMap(\.id))
        return joints.allSatisfy { ids.contains($0) } ? "IDREF_array" : "Name_array"
    }
}
