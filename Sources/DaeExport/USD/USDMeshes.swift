import DaeMesh
import DaeScene

/// Writes meshes: the numbers of each geometry once, and what several nodes show alike once below the root.
struct USDMeshes {
    /// A primitive within a mesh.
    fileprivate struct Part {
        /// Into the geometry's primitives.
        let source: Int
        /// The numbers of its faces; `nil` where it is all of the mesh.
        let faces: CrateValue?
    }
    fileprivate struct Attribute {
        let name: String
        let type: String
        let value: CrateValue
    }
    fileprivate struct Target {
        let offsets: CrateValue
        let normals: CrateValue?
    }
    /// Primitives whose vertices have the same attributes, as one mesh whose numbers are in the file.
    fileprivate struct Body {
        var attributes: [Attribute] = []
        var parts: [Part] = []
        /// Joints and weights of each vertex, and how many.
        var influences: (joints: CrateValue, weights: CrateValue, count: Int)?
        var targets: [Target] = []
        var isColored = false
    }
    /// A geometry by itself or as a controller deforms it.
    struct Shape {
        fileprivate let geometry: SceneIndex<Geometry>
        fileprivate let bodies: [Body]
        /// Whether a vertex stays where the node is: its skin has a joint more for that.
        let usesBindShape: Bool  // a finding about its vertices
    }
    private struct TurnedController: Hashable {
        let controller: SceneIndex<Controller>
        let turned: [Bool]
    }
    /// A shape with the materials that an instance binds.
    private struct BoundShape: Hashable {
        let shape: Int
        let bindings: [MaterialBinding]
    }
    private struct BoundGeometry: Hashable {
        let geometry: Int
        let bindings: [MaterialBinding]
    }
    private struct Prototype {
        let path: CrateWriter.Path
        let bound: BoundShape
    }
    /// What moves a mesh's vertices.
    struct Binding {
        let skeleton: CrateWriter.Path
        /// Names of the joints that its vertices number; `nil` without a skin.
        let joints: [String]?
        /// Names of the weights of its targets.
        let weights: [String]
    }

    private let scene: Scene
    private var shapes: [Shape] = []
    /// Into ``shapes``; `nil` for what draws nothing.
    private var ofGeometry: [Int: Int?] = [:]
    private var ofController: [TurnedController: Int?] = [:]
    /// How many nodes show a geometry with the same materials.
    private var uses: [BoundGeometry: Int] = [:]
    private var prototypes: [Prototype] = []
    private var prototypeIndices: [BoundShape: Int] = [:]
    private var prototypeNames = USDNames()
    private var triangulator = Triangulator()
    private(set) var meshCount = 0
    private(set) var primitiveCount = 0

    private static let verticesAtATime = 4096

    init(_ scene: Scene) { self.scene = scene }

    subscript(shape: Int) -> Shape { shapes[shape] }

    /// What a set of texture coordinates is called.
    static func coordinates(_ set: Int) -> String { set == 0 ? "st" : "st\(set)" }

    /// Finds what is shown more than once.
    mutating func count(_ prepared: PreparedScene) {
        for node in prepared.tree.nodes {
            guard case .geometry(let geometry, materials: let bindings)? = prepared.instance(of: node) else { continue }
            uses[BoundGeometry(geometry: geometry.value, bindings: bindings), default: 0] += 1
        }
    }

    // MARK: - Prims

    /// Writes what a node shows, below the prim that is open.
    ///
    /// - Parameter names: Of what else is there.
    mutating func show(
        _ index: Int, _ instance: Instance, _ binding: Binding?, _ names: inout USDNames,
        _ materials: inout USDMaterials, _ out: inout USDOutput
    ) throws(SceneExportError) {
        switch instance {
        case .geometry(let geometry, let bindings):
            guard uses[BoundGeometry(geometry: geometry.value, bindings: bindings), default: 0] > 1 else {
                return try write(index, bindings, nil, &names, &materials, &out)
            }
            let bound = BoundShape(shape: index, bindings: bindings)
            let place = prototypeIndices[bound] ?? prototypes.count
            if place == prototypes.count {
                let name = prototypeNames.unique(name(of: geometry))
                prototypes.append(Prototype(path: out.crate.declare(name, in: out.scopes.prototypes), bound: bound))
                prototypeIndices[bound] = place
            }
            _ = out.crate.begin(names.unique(name(of: geometry)), "Xform")
            out.crate.put("instanceable", CrateValue(true))
            try out.crate.inherit(prototypes[place].path)
            try out.crate.end()
        case .controller(_, skeleton: _, let bindings):
            try write(index, bindings, binding, &names, &materials, &out)
        case .camera, .light: break
        }
    }

    private func name(of geometry: SceneIndex<Geometry>) -> String {
        USDNames.identifier(scene.geometries[geometry].name ?? scene.geometries[geometry].id, or: "mesh")
    }

    /// What nodes share, in a class: by itself it is not shown.
    mutating func writePrototypes(
        _ materials: inout USDMaterials, _ out: inout USDOutput
    ) throws(SceneExportError) {
        guard !prototypes.isEmpty else { return }
        out.crate.begin(out.scopes.prototypes, "Scope", .class)
        for prototype in prototypes {
            out.crate.begin(prototype.path, "Xform")
            var names = USDNames()
            try write(prototype.bound.shape, prototype.bound.bindings, nil, &names, &materials, &out)
            try out.crate.end()
        }
        try out.crate.end()
    }

    private mutating func write(
        _ index: Int, _ bindings: [MaterialBinding], _ binding: Binding?, _ names: inout USDNames,
        _ materials: inout USDMaterials, _ out: inout USDOutput
    ) throws(SceneExportError) {
        let shape = shapes[index]
        meshCount += 1
        for body in shape.bodies {
            primitiveCount += body.parts.count
            let looks = try looks(of: body, shape.geometry, bindings, &materials, &out)
            let name = names.unique(name(of: shape.geometry))
            try write(body, of: scene.geometries[shape.geometry], as: name, looks, binding, &out.crate)
        }
    }

    /// How the parts of a mesh look, and whether any is seen from both sides.
    private typealias Looks = (materials: [CrateWriter.Path?], isDoubleSided: Bool)

    private func looks(
        of body: Body, _ index: SceneIndex<Geometry>, _ bindings: [MaterialBinding], _ materials: inout USDMaterials,
        _ out: inout USDOutput
    ) throws(SceneExportError) -> Looks {
        let geometry = scene.geometries[index]
        var found: [CrateWriter.Path?] = []
        var sides = Set<Bool>()
        for part in body.parts {
            guard let mesh = geometry.mesh else { continue }
            let source = mesh.primitives[part.source]
            let binding = bindings.first { $0.symbol == source.material ?? "" }
            if let material = binding?.material {
                found.append(
                    try materials.material(material, binding, source, of: mesh, isColored: body.isColored, &out))
                sides.insert(scene.materials[material].sides == .double || geometry.sides == .double)
            } else {
                found.append(nil)
                sides.insert(geometry.sides == .double)
                if scene.losesMaterial(of: source, in: mesh, bindings) {
                    out.report.add(.dropped, .unboundMaterials, at: geometry.id ?? geometry.name)
                }
            }
        }
        if sides.count > 1 { out.report.add(.approximated, .sides, at: geometry.id ?? geometry.name) }
        return (found, sides.contains(true))
    }

    private func write(
        _ body: Body, of geometry: Geometry, as name: String, _ looks: Looks, _ binding: Binding?,
        _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        let isOne = Set(looks.materials).count == 1
        let only = isOne ? looks.materials[0] : nil
        _ = crate.begin(name, "Mesh")
        try crate.putNames(geometry.name ?? geometry.id, as: name, id: geometry.id, sid: nil)
        let schemas = (only != nil ? ["MaterialBindingAPI"] : []) + (binding != nil ? ["SkelBindingAPI"] : [])
        if !schemas.isEmpty { try crate.apply(schemas) }
        for attribute in body.attributes {
            // The others are of the mesh as a whole, or of its faces.
            if attribute.name == "normals" || attribute.name.hasPrefix("primvars:") {
                try crate.attribute(attribute.name, attribute.type, attribute.value, .interpolation("vertex"))
            } else {
                try crate.attribute(attribute.name, attribute.type, attribute.value)
            }
        }
        try crate.attribute("subdivisionScheme", "token", crate.value(token: "none"), .uniform)
        if looks.isDoubleSided { try crate.attribute("doubleSided", "bool", CrateValue(true), .uniform) }
        if let binding { try write(binding, of: body, &crate) }
        if let only { try crate.relationship("material:binding", [only]) }
        if !isOne { try writeSubsets(of: body, looks.materials, &crate) }
        if let binding { try writeTargets(of: body, binding, &crate) }
        try crate.end()
    }

    private func writeSubsets(
        of body: Body, _ looks: [CrateWriter.Path?], _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        try crate.attribute(
            "subsetFamily:materialBind:familyType", "token", crate.value(token: "nonOverlapping"), .uniform)
        for (place, part) in body.parts.enumerated() {
            guard let look = looks[place], let faces = part.faces else { continue }
            _ = crate.begin("part_\(place)", "GeomSubset")
            try crate.apply(["MaterialBindingAPI"])
            try crate.attribute("elementType", "token", crate.value(token: "face"), .uniform)
            try crate.attribute("familyName", "token", crate.value(token: "materialBind"), .uniform)
            try crate.attribute("indices", "int[]", faces)
            try crate.relationship("material:binding", [look])
            try crate.end()
        }
    }

    private func write(
        _ binding: Binding, of body: Body, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        if let influences = body.influences, let joints = binding.joints {
            try crate.attribute(
                "primvars:skel:jointIndices", "int[]", influences.joints, .interpolation("vertex"),
                .elementSize(influences.count))
            try crate.attribute(
                "primvars:skel:jointWeights", "float[]", influences.weights, .interpolation("vertex"),
                .elementSize(influences.count))
            try crate.attribute(
                "primvars:skel:geomBindTransform", "matrix4d", try crate.value(Matrix4.identity))
            try crate.attribute("skel:joints", "token[]", try crate.list(tokens: joints), .uniform)
        }
        try crate.relationship("skel:skeleton", [binding.skeleton])
    }

    private func writeTargets(
        of body: Body, _ binding: Binding, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        guard !body.targets.isEmpty, body.targets.count == binding.weights.count else { return }
        var targets: [CrateWriter.Path] = []
        for (place, target) in body.targets.enumerated() {
            targets.append(crate.begin("target_\(place)", "BlendShape"))
            try crate.attribute("offsets", "vector3f[]", target.offsets, .uniform)
            if let normals = target.normals { try crate.attribute("normalOffsets", "vector3f[]", normals, .uniform) }
            try crate.end()
        }
        try crate.attribute("skel:blendShapes", "token[]", try crate.list(tokens: binding.weights), .uniform)
        try crate.relationship("skel:blendShapeTargets", targets)
    }

    // MARK: - Numbers

    /// The shape that an instance draws; `nil` where there is nothing to draw.
    ///
    /// - Parameter turned: As ``PreparedSkin/turned`` has it.
    mutating func shape(
        of instance: Instance, turned: [Bool], in prepared: PreparedScene, _ out: inout USDOutput
    ) throws(SceneExportError) -> Int? {
        switch instance {
        case .geometry(let geometry, materials: _):
            if let known = ofGeometry[geometry.value] { return known }
            let shape = try addShape(geometry, nil, [], prepared, &out)
            ofGeometry[geometry.value] = .some(shape)
            return shape
        case .controller(let controller, skeleton: _, materials: _):
            guard let base = scene.controllers[controller].base else { return nil }
            let key = TurnedController(controller: controller, turned: turned)
            if let known = ofController[key] { return known }
            let shape = try addShape(base, controller, turned, prepared, &out)
            ofController[key] = .some(shape)
            return shape
        case .camera, .light: return nil
        }
    }

    private mutating func addShape(
        _ index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?, _ turned: [Bool],
        _ prepared: PreparedScene, _ out: inout USDOutput
    ) throws(SceneExportError) -> Int? {
        guard var mesh = try PreparedMesh(of: index, controller, turned: turned, in: prepared, &out.report) else {
            return nil
        }
        let place = scene.geometries[index].id ?? scene.geometries[index].name
        var bodies: [Body] = []
        // Primitives that are one mesh; their numbers wait for those of the last one.
        var alike: [(packed: PackedPrimitive, source: Int)] = []
        while let next = try mesh.next(using: &triangulator, &out.report) {
            try prepared.checkCancelled()
            guard next.primitive.mode == .triangles else {
                out.report.add(.dropped, .lineStrips, count: next.primitive.indices.count, at: place)
                continue
            }
            Self.noteLosses(of: next.primitive, &out.report, at: place)
            if let first = alike.first, !first.packed.isLike(next.primitive) {
                bodies.append(try write(alike, &out.crate))
                alike.removeAll()
            }
            alike.append((next.primitive, next.source))
        }
        if !alike.isEmpty { bodies.append(try write(alike, &out.crate)) }
        guard !bodies.isEmpty else { return nil }
        shapes.append(Shape(geometry: index, bodies: bodies, usesBindShape: mesh.usesBindShape))
        return shapes.count - 1
    }

    private static func noteLosses(
        of packed: PackedPrimitive, _ report: inout FidelityReport, at place: String?
    ) {
        if packed.attributes.contains(where: { $0.kind == .tangent }) { report.add(.dropped, .tangents, at: place) }
        for attribute in packed.targetAttributes {
            switch attribute.kind {
            case .color, .texcoord: report.add(.dropped, .morphColors, count: attribute.differences.count, at: place)
            case .normal, .position, .tangent: break
            }
        }
    }

    private func write(
        _ alike: [(packed: PackedPrimitive, source: Int)], _ crate: inout CrateWriter
    ) throws(SceneExportError) -> Body {
        var body = Body()
        guard let first = alike.first?.packed else { return body }
        for (number, attribute) in first.attributes.enumerated() {
            let lists = alike.map { ($0.packed.attributes[number], $0.packed.vertexCount) }
            switch attribute.kind {
            case .position:
                var bounds = NumberBounds(width: 3)
                let value = try write(lists, .float3, &crate) { bounds.add($0) }
                body.attributes.append(Attribute(name: "points", type: "point3f[]", value: value))
                let extent = try crate.list(.float3, (bounds.least + bounds.most).map { Float($0) })
                body.attributes.append(Attribute(name: "extent", type: "float3[]", value: extent))
            case .normal:
                let value = try write(lists, .float3, &crate) { _ in }
                body.attributes.append(Attribute(name: "normals", type: "normal3f[]", value: value))
            case .texcoord(let set):
                let value = try write(lists, .float2, &crate) { _ in }
                let name = "primvars:" + Self.coordinates(set)
                body.attributes.append(Attribute(name: name, type: "texCoord2f[]", value: value))
            case .color(let set):
                try write(colors: lists, set, to: &body, &crate)
            case .tangent: break
            }
        }
        try write(indicesOf: alike, to: &body, &crate)
        if !first.joints.isEmpty { body.influences = try influences(of: alike.map(\.packed), &crate) }
        for target in first.targets.indices {
            let offsets = alike.map { ($0.packed.targets[target], $0.packed.vertexCount) }
            let normals = alike.compactMap { part in
                part.packed.targetAttributes.first { $0.kind == .normal }.map {
                    ($0.differences[target], part.packed.vertexCount)
                }
            }
            body.targets.append(
                Target(
                    offsets: try write(offsets, .float3, &crate) { _ in },
                    normals: normals.count == alike.count ? try write(normals, .float3, &crate) { _ in } : nil))
        }
        return body
    }

    /// Numbers of one attribute of several primitives, of which few are in memory at a time.
    private func write(
        _ lists: [(PackedPrimitive.Attribute, Int)], _ kind: CrateValue.Kind, _ crate: inout CrateWriter,
        _ look: ([Float]) -> Void
    ) throws(SceneExportError) -> CrateValue {
        try crate.list(kind, count: lists.reduce(0) { $0 + $1.1 }) { crate throws(SceneExportError) in
            try Self.forEach(lists) { values throws(SceneExportError) in
                look(values)
                try crate.write(values)
            }
        }
    }

    private static func forEach(
        _ lists: [(PackedPrimitive.Attribute, Int)], _ take: ([Float]) throws(SceneExportError) -> Void
    ) throws(SceneExportError) {
        var values: [Float] = []
        for (attribute, vertices) in lists {
            for first in stride(from: 0, to: vertices, by: verticesAtATime) {
                attribute.put(first..<min(vertices, first + verticesAtATime), into: &values)
                try take(values)
            }
        }
    }

    /// The first colours are those that every viewer shows.
    private func write(
        colors lists: [(PackedPrimitive.Attribute, Int)], _ set: Int, to body: inout Body, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        let count = lists.reduce(0) { $0 + $1.1 }
        guard set == 0 else {
            let value = try write(lists, .float4, &crate) { _ in }
            body.attributes.append(Attribute(name: "primvars:color\(set)", type: "color4f[]", value: value))
            return
        }
        body.isColored = true
        var isOpaque = true
        let value = try crate.list(.float3, count: count) { crate throws(SceneExportError) in
            try Self.forEach(lists) { values throws(SceneExportError) in
                var colors: [Float] = []
                colors.reserveCapacity(values.count / 4 * 3)
                for start in stride(from: 0, to: values.count, by: 4) {
                    colors.append(contentsOf: values[start..<start + 3])
                    if values[start + 3] != 1 { isOpaque = false }
                }
                try crate.write(colors)
            }
        }
        body.attributes.append(Attribute(name: "primvars:displayColor", type: "color3f[]", value: value))
        guard !isOpaque else { return }
        let opacity = try crate.list(.float, count: count) { crate throws(SceneExportError) in
            try Self.forEach(lists) { values throws(SceneExportError) in
                try crate.write(stride(from: 3, to: values.count, by: 4).map { values[$0] })
            }
        }
        body.attributes.append(Attribute(name: "primvars:displayOpacity", type: "float[]", value: opacity))
    }

    private func write(
        indicesOf alike: [(packed: PackedPrimitive, source: Int)], to body: inout Body, _ crate: inout CrateWriter
    ) throws(SceneExportError) {
        var indices: [UInt32] = []
        var (vertices, faces) = (0, 0)
        for (packed, source) in alike {
            let list = packed.indices[0]
            let count = list.count / 3
            if alike.count == 1 {
                indices = list
                body.parts.append(Part(source: source, faces: nil))
            } else {
                indices += list.lazy.map { $0 &+ UInt32(truncatingIfNeeded: vertices) }
                let own = (faces..<faces + count).map { Int32(truncatingIfNeeded: $0) }
                body.parts.append(Part(source: source, faces: try crate.list(integers: own)))
            }
            vertices += packed.vertexCount
            faces += count
        }
        let value = try crate.list(integers: indices)
        indices = []
        let counts = try crate.list(integers: [Int32](repeating: 3, count: faces))
        body.attributes.append(Attribute(name: "faceVertexCounts", type: "int[]", value: counts))
        body.attributes.append(Attribute(name: "faceVertexIndices", type: "int[]", value: value))
    }

    private func influences(
        of parts: [PackedPrimitive], _ crate: inout CrateWriter
    ) throws(SceneExportError) -> (joints: CrateValue, weights: CrateValue, count: Int) {
        let sets = parts[0].joints.count
        func interleaved<Value>(_ lists: (PackedPrimitive) -> [[Value]]) -> [Value] {
            if sets == 1 { return parts.flatMap { lists($0)[0] } }
            return parts.flatMap { part in
                let lists = lists(part)
                return (0..<part.vertexCount).flatMap { vertex in
                    lists.flatMap { $0[vertex * 4..<vertex * 4 + 4] }
                }
            }
        }
        let joints = try crate.list(integers: interleaved(\.joints))
        return (joints, try crate.list(.float, interleaved(\.weights)), sets * 4)
    }
}

extension PackedPrimitive {
    /// Whether the vertices of both have the same attributes.
    fileprivate func isLike(_ other: PackedPrimitive) -> Bool {
        attributes.map(\.kind) == other.attributes.map(\.kind) && joints.count == other.joints.count
            && targets.count == other.targets.count
            && targetAttributes.contains { $0.kind == .normal }
                == other.targetAttributes.contains { $0.kind == .normal }
    }
}
