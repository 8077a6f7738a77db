import DaeScene

extension ColladaWriter {
    func visualScene() -> String {
        Markup.element(
            "visual_scene", ["id": scene.id, "name": scene.name], scene.roots.map { node($0.value) }.joined())
    }

    func node(_ index: Int) -> String {
        let node = scene.nodes[index]
        var content = ""
        for (place, transform) in node.transforms.enumerated() {
            let sid = node.transformSIDs.isEmpty ? nil : node.transformSIDs[place]
            content += Markup.element(transform.element, ["sid": sid], Markup.numbers(transform.numbers))
        }
        for instance in node.instances { content += self.instance(instance) }
        for (place, child) in node.children.enumerated() {
            if placements[child.value] == .nested(in: index, at: place) {
                content += self.node(child.value)
            } else {
                content += Markup.element(
                    "instance_node", ["sid": "instance\(place)", "url": reference(.node, child.value)])
            }
        }
        let type = node.kind == .node ? nil : node.kind.rawValue
        return Markup.element(
            "node", ["id": node.id, "name": node.name, "sid": node.sid, "type": type], content)
    }

    private func instance(_ instance: Instance) -> String {
        switch instance {
        case .camera(let camera):
            return Markup.element("instance_camera", ["url": reference(.camera, camera.value)])
        case .light(let light): return Markup.element("instance_light", ["url": reference(.light, light.value)])
        case .geometry(let geometry, let materials):
            return Markup.element(
                "instance_geometry", ["url": reference(.geometry, geometry.value)], bind(materials))
        case .controller(let controller, let skeleton, let materials):
            let roots = skeleton.roots.map { Markup.element("skeleton", [:], Markup.escaped($0.reference)) }
            return Markup.element(
                "instance_controller", ["url": reference(.controller, controller.value)],
                roots.joined() + bind(materials))
        }
    }

    private func bind(_ materials: [MaterialBinding]) -> String {
        guard !materials.isEmpty else { return "" }
        let bound = materials.map { binding in
            let parameters = binding.parameters.map {
                Markup.element("bind", ["semantic": $0.semantic, "target": $0.target])
            }
            let inputs = binding.vertexInputs.map {
                Markup.element(
                    "bind_vertex_input",
                    [
                        "semantic": $0.semantic, "input_semantic": $0.inputSemantic,
                        "input_set": $0.inputSet.map(String.init),
                    ])
            }
            return Markup.element(
                "instance_material",
                ["symbol": binding.symbol, "target": binding.material.flatMap { reference(.material, $0.value) }],
                parameters.joined() + inputs.joined())
        }
        return Markup.element("bind_material", [:], Markup.element("technique_common", [:], bound.joined()))
    }
}

extension Transform {
    var element: String {
        switch self {
        case .matrix: "matrix"
        case .translate: "translate"
        case .rotate: "rotate"
        case .scale: "scale"
        case .skew: "skew"
        case .lookat: "lookat"
        }
    }

    var numbers: [Double] {
        switch self {
        case .matrix(let matrix): matrix.rows
        case .translate(let vector), .scale(let vector): vector.array
        case .rotate(let axis, let degrees): axis.array + [degrees]
        case .skew(let degrees, let from, let along): [degrees] + from.array + along.array
        case .lookat(let eye, let interest, let up): eye.array + interest.array + up.array
        }
    }
}
