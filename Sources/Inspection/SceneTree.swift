public import Diagnostics
public import SceneModel

/// A scene's graph for people and programs: each node once, however often it is instanced.
public struct SceneTree: Sendable {
    public let scene: Scene

    public init(_ scene: Scene) {
        self.scene = scene
    }

    /// Flat, so that a graph of instances stays as small as it is: `children` and `roots` are places in `nodes`.
    public var json: JSONValue {
        [
            "name": JSONValue(scene.name ?? scene.id), "upAxis": .string(scene.upAxis.rawValue),
            "metersPerUnit": JSONValue(scene.metersPerUnit),
            "roots": .array(scene.roots.map { JSONValue($0.value) }), "nodes": .array(scene.nodes.map(json)),
        ]
    }

    private func json(_ node: Node) -> JSONValue {
        [
            "id": JSONValue(node.id), "name": JSONValue(node.name), "sid": JSONValue(node.sid),
            "type": .string(node.kind.rawValue), "role": json(node.role),
            "transforms": .array(node.transforms.map(\.json)),
            "matrix": .array(node.matrix.rows.map { .real($0) }),
            "children": .array(node.children.map { JSONValue($0.value) }),
            "instances": .array(node.instances.map(json)),
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
    public var json: JSONValue {
        ["kind": .string(name), "values": .array(values.map { .real($0) })]
    }

    /// COLLADA's name.
    public var name: String {
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
    public var values: [Double] {
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
