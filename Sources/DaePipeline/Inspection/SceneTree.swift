package import DaeDiagnostics
package import DaeScene

/// A scene's graph for people and programs: each node once, however often it is instanced.
package struct SceneTree: Sendable {
    package let scene: Scene
    /// Levels that are shown; a root is 1.
    package let depth: Int

    package init(_ scene: Scene, depth: Int = .max) {
        self.scene = scene
        self.depth = depth
    }

    /// Flat, so that a graph of instances stays as small as it is: `children` and `roots` are places in `nodes`. With a
    /// depth `nodes` has only what is shown, and `childrenNotShown` counts what is cut off below a node.
    package var json: JSONValue {
        let places = places
        var members = members(places)
        members["nodes"] = nodes(places).json
        return .object(members)
    }

    /// Makes the text of an object of `members` and of ``json`` under `name`, piece by piece: the nodes are never there
    /// all at once.
    ///
    /// - Parameter take: Takes the next piece; says whether it wants more.
    package func writeJSON(
        _ style: JSONValue.Style, _ members: [String: JSONValue], as name: String, to take: ([UInt8]) -> Bool
    ) {
        let places = places
        JSONValue.write(
            style, members, lists: [nodes(places)], below: (name: name, members: self.members(places)), to: take)
    }

    /// Nodes that are shown.
    package var count: Int { depth < .max ? places.count { $0 != nil } : scene.nodes.count }

    private func members(_ places: [Int?]) -> [String: JSONValue] {
        [
            "name": JSONValue(scene.name ?? scene.id), "upAxis": .string(scene.upAxis.rawValue),
            "metersPerUnit": JSONValue(scene.metersPerUnit),
            "roots": .array(scene.roots.compactMap { places[$0.value] }.map { JSONValue($0) }),
        ]
    }

    private func nodes(_ places: [Int?]) -> JSONValue.List {
        let shown = scene.nodes.indices.filter { places[$0] != nil }
        return .init("nodes", count: shown.count) { row(scene.nodes[shown[$0]], places) }
    }

    /// Where each node of the scene stands in `nodes`; `nil` for one that is not shown.
    private var places: [Int?] {
        guard depth < .max else { return Array(scene.nodes.indices) }
        var isShown = Array(repeating: false, count: scene.nodes.count)
        var level = scene.roots
        // Level by level, so that a node with several parents is met at the highest.
        var left = depth
        while left > 0, !level.isEmpty {
            left -= 1
            level = level.filter { !isShown[$0.value] }
            for node in level { isShown[node.value] = true }
            level = level.flatMap { scene.nodes[$0].children }
        }
        var shown = 0
        return isShown.map { isShown in
            guard isShown else { return nil }
            defer { shown += 1 }
            return shown
        }
    }

    private func row(_ node: Node, _ places: [Int?]) -> JSONValue.Row {
        let children = node.children.compactMap { places[$0.value] }
        return [
            "children": .array(children.map { JSONValue($0) }),
            "childrenNotShown": JSONValue(node.children.count - children.count), "id": JSONValue(node.id),
            "instances": .array(node.instances.map(json)), "matrix": .array(node.matrix.rows.map { .real($0) }),
            "name": JSONValue(node.name), "role": json(node.role), "sid": JSONValue(node.sid),
            "transforms": .array(node.transforms.map(\.json)), "type": .string(node.kind.rawValue),
        ]
    }

    /// What a node without an element converts from stands beside its role.
    private func json(_ role: Node.Role) -> JSONValue {
        switch role {
        case .element: ["kind": "element"]
        case .conversion(let system):
            [
                "kind": "conversion", "upAxis": .string(system.upAxis.rawValue),
                "metersPerUnit": JSONValue(system.metersPerUnit),
            ]
        case .placement: ["kind": "placement"]
        }
    }

    private func json(_ instance: Instance) -> JSONValue {
        switch instance {
        case .geometry(let index, let materials):
            Self.row("geometry", scene.geometries[index].id, scene.geometries[index].name, bindings: json(materials))
        case .controller(let index, skeleton: _, let materials):
            Self.row(
                "controller", scene.controllers[index].id, scene.controllers[index].name, bindings: json(materials))
        case .camera(let index): Self.row("camera", scene.cameras[index].id, scene.cameras[index].name, bindings: [])
        case .light(let index): Self.row("light", scene.lights[index].id, scene.lights[index].name, bindings: [])
        }
    }

    private static func row(_ kind: String, _ id: String?, _ name: String?, bindings: JSONValue) -> JSONValue {
        ["kind": .string(kind), "id": JSONValue(id), "name": JSONValue(name), "materials": bindings]
    }

    private func json(_ bindings: [MaterialBinding]) -> JSONValue {
        .array(
            bindings.map {
                ["symbol": .string($0.symbol), "material": JSONValue($0.material.flatMap { scene.materials[$0].id })]
            })
    }
}

extension Transform {
    /// The element's name and its numbers as the file has them; a matrix row by row.
    package var json: JSONValue {
        ["kind": .string(name), "values": .array(values.map { .real($0) })]
    }

    /// COLLADA's name.
    package var name: String {
        switch self {
        case .matrix: "matrix"
        case .translate: "translate"
        case .rotate: "rotate"
        case .scale: "scale"
        case .skew: "skew"
        case .lookat: "lookat"
        }
    }

    /// In the file's order.
    package var values: [Double] {
        switch self {
        case .matrix(let matrix): matrix.rows
        case .translate(let offset): offset.list
        case .rotate(let axis, let degrees): axis.list + [degrees]
        case .scale(let factor): factor.list
        case .skew(let degrees, let from, let along): [degrees] + from.list + along.list
        case .lookat(let eye, let interest, let up): eye.list + interest.list + up.list
        }
    }
}

extension SIMD3<Double> {
    fileprivate var list: [Double] { [x, y, z] }
}
