import DaeMesh
import DaeScene

/// Writes meshes: the numbers of each geometry once, and a mesh for each set of materials that is bound to it.
struct GLTFMeshes {
    /// A primitive whose numbers are in the buffer.
    private struct Primitive {
        /// What its object begins with, into ``texts``.
        let text: Range<Int>
        /// Accessors, into ``indices``; each is drawn by itself.
        let indices: Range<Int>
        /// Into the mesh's primitives.
        let source: Int
    }
    /// A geometry by itself or as a controller deforms it.
    private struct Shape {
        /// Into ``primitives``.
        let primitives: Range<Int>
        /// As ``Entry`` has it.
        let usesBindShape: Bool  // a finding about its vertices
        let morphTargets: Int
        /// As ``Entry`` has it.
        let grid: VertexGrid?
        let error: Double
        /// What it was shown in first, which is all there is of most, and the mesh that this became.
        var first: (bindings: [MaterialBinding], mesh: Int)?
    }
    /// A controller whose triangles are turned where the pose of some instances mirrors them.
    private struct TurnedController: Hashable {
        let controller: SceneIndex<Controller>
        let turned: [Bool]
    }
    /// A shape with the materials that an instance binds.
    private struct BoundShape: Hashable {
        let shape: Int32
        let bindings: [MaterialBinding]
    }
    /// A mesh in the file.
    struct Entry {
        let index: Int
        /// Whether a vertex stays where the node is: its skin has a joint more for that.
        let usesBindShape: Bool  // a finding about its vertices
        let morphTargets: Int
        /// Where its positions are whole numbers, what these are of.
        let grid: VertexGrid?
        /// How far a position is from the one that is meant, at most, in the mesh's own units.
        let error: Double
    }

    private(set) var list: JSONList
    /// Of all meshes.
    private(set) var primitiveCount = 0
    // What was written is remembered until the end: flat, for there may be a hundred thousand.
    private var shapes: [Shape] = []
    private var primitives: [Primitive] = []
    private var texts: [UInt8] = []
    private var indices: [Int32] = []
    /// Into ``shapes``, by geometry and by controller; −1 for what was not met.
    private var ofGeometry: [Int32]
    private var ofController: [Int32]
    private var ofTurned: [TurnedController: Int32] = [:]
    /// Meshes of shapes in other bindings than their first.
    private var meshes: [BoundShape: Int32] = [:]
    private var triangulator = Triangulator()
    private var compactor: GLTFCompactor?
    /// Of a compact file alone.
    private let symbols: SymbolClasses?
    private let scene: Scene

    init(_ scene: Scene, _ spool: TextSpool, _ compactor: GLTFCompactor?) {
        list = JSONList(spool)
        self.scene = scene
        self.compactor = compactor
        symbols = compactor.map { _ in SymbolClasses(scene) }
        ofGeometry = [Int32](repeating: -1, count: scene.geometries.count)
        ofController = [Int32](repeating: -1, count: scene.controllers.count)
    }

    /// The mesh that an instance draws; `nil` where there is nothing to draw.
    ///
    /// - Parameter turned: As ``PreparedSkin/turned`` has it.
    mutating func mesh(
        of instance: Instance, turned: [Bool], in prepared: PreparedScene, materials: inout GLTFMaterials,
        _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Entry? {
        switch instance {
        case .geometry(let geometry, let bindings):
            if ofGeometry[geometry.value] < 0 {
                ofGeometry[geometry.value] = try addShape(geometry, nil, [], prepared, &buffer, &report)
            }
            return try mesh(
                of: ofGeometry[geometry.value], geometry, nil, bindings, &materials, &buffer, &report)
        case .controller(let controller, skeleton: _, let bindings):
            guard let base = scene.controllers[controller].base else { return nil }
            let shape = try shape(of: controller, base, turned, prepared, &buffer, &report)
            return try mesh(of: shape, base, controller, bindings, &materials, &buffer, &report)
        case .camera, .light: return nil
        }
    }

    private mutating func shape(
        of controller: SceneIndex<Controller>, _ base: SceneIndex<Geometry>, _ turned: [Bool],
        _ prepared: PreparedScene, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int32 {
        guard turned.isEmpty else {
            let key = TurnedController(controller: controller, turned: turned)
            if let known = ofTurned[key] { return known }
            let shape = try addShape(base, controller, turned, prepared, &buffer, &report)
            ofTurned[key] = shape
            return shape
        }
        if ofController[controller.value] < 0 {
            ofController[controller.value] = try addShape(base, controller, [], prepared, &buffer, &report)
        }
        return ofController[controller.value]
    }

    private mutating func mesh(
        of shape: Int32, _ geometry: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?,
        _ bindings: [MaterialBinding], _ materials: inout GLTFMaterials, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Entry? {
        let known = shapes[Int(shape)]
        guard !known.primitives.isEmpty else { return nil }
        let bound = BoundShape(shape: shape, bindings: bindings)
        let index: Int
        if let first = known.first {
            if first.bindings == bindings {
                index = first.mesh
            } else if let other = meshes[bound] {
                index = Int(other)
            } else {
                index = try add(known, geometry, controller, bindings, &materials, &buffer, &report)
                meshes[bound] = Int32(clamping: index)
            }
        } else {
            index = try add(known, geometry, controller, bindings, &materials, &buffer, &report)
            shapes[Int(shape)].first = (bindings, index)
        }
        return Entry(
            index: index, usesBindShape: known.usesBindShape, morphTargets: known.morphTargets, grid: known.grid,
            error: known.error)
    }

    private mutating func add(
        _ shape: Shape, _ index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?,
        _ bindings: [MaterialBinding], _ materials: inout GLTFMaterials, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let geometry = scene.geometries[index]
        var objects = JSONList()
        for primitive in primitives[shape.primitives] {
            guard let mesh = geometry.mesh else { continue }
            let source = mesh.primitives[primitive.source]
            let symbol = source.material ?? ""
            let binding = bindings.first { $0.symbol == symbol }
            let material: Int?
            if let index = binding?.material {
                material = try materials.material(
                    index, binding: binding, primitive: source, of: mesh,
                    sets: source.texcoordSets(in: mesh), sides: geometry.sides, &buffer,
                    &report)
            } else {
                material = materials.material(sides: geometry.sides)
                if scene.losesMaterial(of: source, in: mesh, bindings) {
                    report.add(.dropped, .unboundMaterials, at: geometry.id ?? geometry.name)
                }
            }
            for accessor in indices[primitive.indices] {
                var object = JSONObject(beginning: texts[primitive.text])
                object.put("indices", Int(accessor))
                if let material { object.put("material", material) }
                objects.add(object)
            }
        }
        primitiveCount += objects.count
        return list.add(
            JSONObject { object in
                if let name = geometry.name ?? geometry.id { object.put("name", name) }
                object.put("primitives", objects)
                let weights = MorphChain(scene, from: controller)?.restWeights ?? []
                if !weights.isEmpty { object.put("weights", weights) }
                var extras = JSONObject()
                if let id = geometry.id { extras.put("id", id) }
                if !extras.isEmpty { object.put("extras", extras) }
            })
    }

    // MARK: - Numbers

    /// - Returns: Into ``shapes``.
    private mutating func addShape(
        _ index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?, _ turned: [Bool],
        _ prepared: PreparedScene, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int32 {
        let first = primitives.count
        var (usesBindShape, morphTargets) = (false, 0)
        var grid: VertexGrid?
        if var mesh = try PreparedMesh(of: index, controller, turned: turned, in: prepared, &report) {
            (usesBindShape, morphTargets) = (mesh.usesBindShape, mesh.morphTargets)
            // One grid is of all primitives, which have to be there for it.
            var waiting: [(packed: PackedPrimitive, source: Int)] = []
            while let (packed, source) = try mesh.next(using: &triangulator, &report) {
                if compactor != nil {
                    waiting.append((packed, source))
                } else {
                    primitives.append(try write(packed, source, &buffer))
                }
            }
            if let compactor, !waiting.isEmpty {
                let geometry = scene.geometries[index]
                let joined = joined(waiting, of: index)
                report.add(
                    .merged, .primitives, count: waiting.count - joined.count, at: geometry.id ?? geometry.name)
                waiting = joined.map { (compactor.ordered($0.packed), $0.source) }
                grid = compactor.grid(of: waiting.map(\.packed))
            }
            for (packed, source) in waiting { primitives.append(try writeCompact(packed, source, grid, &buffer)) }
        }
        let geometry = scene.geometries[index]
        let error = noteErrors(at: geometry.id ?? geometry.name, &report)
        shapes.append(
            Shape(
                primitives: first..<primitives.count, usesBindShape: usesBindShape, morphTargets: morphTargets,
                grid: grid, error: error))
        return Int32(clamping: shapes.count - 1)
    }

    /// Primitives with one material as one, wherever they can be.
    private func joined(
        _ primitives: [(packed: PackedPrimitive, source: Int)], of geometry: SceneIndex<Geometry>
    ) -> [(packed: PackedPrimitive, source: Int)] {
        guard primitives.count > 1, let symbols, let mesh = scene.geometries[geometry].mesh else { return primitives }
        var groups: [(parts: [PackedPrimitive], vertices: Int, source: Int)] = []
        // The last group of each kind; where its layout is another's, a new one begins.
        var last: [JoinKey: Int] = [:]
        for (packed, source) in primitives {
            let symbol = symbols.number(of: mesh.primitives[source].material ?? "", in: geometry)
            let key = JoinKey(symbol, mesh.primitives[source], of: mesh)
            if let place = last[key], groups[place].parts[0].canBeJoined(with: packed),
                packed.vertexCount < Int(UInt32.max) - groups[place].vertices
            {
                groups[place].parts.append(packed)
                groups[place].vertices += packed.vertexCount
            } else {
                last[key] = groups.count
                groups.append(([packed], packed.vertexCount, source))
            }
        }
        return groups.map { ($0.parts[0].joined(with: $0.parts.dropFirst()), $0.source) }
    }

    /// What primitives have in common that are drawn alike, whatever is bound to them.
    private struct JoinKey: Hashable {
        private struct Input: Hashable {
            let semantic: Mesh.Semantic
            let set: Int?
        }
        private let symbol: Int
        private let inputs: [Input]

        /// - Parameter symbol: As ``SymbolClasses`` number them.
        init(_ symbol: Int, _ primitive: Mesh.Primitive, of mesh: Mesh) {
            self.symbol = symbol
            inputs = primitive.inputs.filter { mesh.streams.indices.contains($0.stream) }.map {
                Input(semantic: mesh.streams[$0.stream].semantic, set: $0.set)
            }
        }
    }

    /// - Returns: How far positions are from those that are meant.
    private mutating func noteErrors(at place: String?, _ report: inout FidelityReport) -> Double {
        guard let errors = compactor?.takeErrors() else { return 0 }
        if errors.direction > 0 {
            report.add(.approximated, .roundedDirections, at: place, deviation: errors.direction)
        }
        if errors.share > 0 { report.add(.approximated, .roundedAttributes, at: place, deviation: errors.share) }
        return errors.position
    }

    private mutating func writeCompact(
        _ packed: PackedPrimitive, _ source: Int, _ grid: VertexGrid?, _ buffer: inout GLTFBuffer
    ) throws(SceneExportError) -> Primitive {
        guard var compactor else { return try write(packed, source, &buffer) }
        defer { self.compactor = compactor }
        let count = packed.vertexCount
        var attributes = JSONObject()
        for attribute in packed.attributes {
            let elements = compactor.elements(of: attribute, vertices: count, grid)
            let accessor: Int
            switch attribute.kind {
            case .position, .normal, .tangent: accessor = try buffer.add(attribute: elements)
            // Normalised ones are glTF's own.
            case .texcoord, .color: accessor = try buffer.add(elements, .vertices)
            }
            attributes.put(key: attribute.kind.name, accessor)
        }
        let influences = compactor.influences(of: packed)
        for (set, joints) in influences.joints.enumerated() {
            attributes.put(key: "JOINTS_\(set)", try buffer.add(joints, .vertices))
            attributes.put(key: "WEIGHTS_\(set)", try buffer.add(influences.weights[set], .vertices))
        }
        var targets = JSONList()
        for (place, target) in packed.targets.enumerated() {
            var object = JSONObject()
            let position = compactor.difference(of: target, vertices: count, grid)
            object.put("POSITION", try buffer.add(attribute: position))
            for attribute in packed.targetAttributes {
                let elements = compactor.difference(of: attribute.differences[place], vertices: count, grid)
                object.put(key: attribute.kind.name, try buffer.add(attribute: elements))
            }
            targets.add(object)
        }
        return try finish(packed, source, attributes, targets, &buffer)
    }

    private mutating func write(
        _ packed: PackedPrimitive, _ source: Int, _ buffer: inout GLTFBuffer
    ) throws(SceneExportError) -> Primitive {
        var attributes = JSONObject()
        for attribute in packed.attributes {
            let accessor = try buffer.add(
                attribute, of: packed.vertexCount, needsBounds: attribute.kind == .position)
            attributes.put(key: attribute.kind.name, accessor)
        }
        for (set, joints) in packed.joints.enumerated() {
            attributes.put(key: "JOINTS_\(set)", try buffer.add(joints: joints))
            attributes.put(
                key: "WEIGHTS_\(set)",
                try buffer.add(packed.weights[set], width: 4, target: .vertices, needsBounds: false))
        }
        return try finish(packed, source, attributes, try targets(of: packed, &buffer), &buffer)
    }

    private mutating func finish(
        _ packed: PackedPrimitive, _ source: Int, _ attributes: JSONObject, _ targets: JSONList,
        _ buffer: inout GLTFBuffer
    ) throws(SceneExportError) -> Primitive {
        var object = JSONObject()
        object.put("attributes", attributes)
        object.put("mode", packed.mode.number)
        if targets.count > 0 { object.put("targets", targets) }
        let first = indices.count
        for list in packed.indices {
            indices.append(Int32(clamping: try buffer.add(indices: list, vertexCount: packed.vertexCount, packed.mode)))
        }
        let text = texts.count
        texts += object.bytes
        return Primitive(
            text: text..<texts.count, indices: first..<indices.count, source: source)
    }

    private func targets(of packed: PackedPrimitive, _ buffer: inout GLTFBuffer) throws(SceneExportError) -> JSONList {
        var list = JSONList()
        for (place, target) in packed.targets.enumerated() {
            let accessor = try buffer.add(target, of: packed.vertexCount, needsBounds: true)
            var object = JSONObject()
            object.put("POSITION", accessor)
            for attribute in packed.targetAttributes {
                object.put(
                    key: attribute.kind.name,
                    try buffer.add(attribute.differences[place], of: packed.vertexCount, needsBounds: false))
            }
            list.add(object)
        }
        return list
    }
}

extension Scene {
    /// Whether a primitive that no binding gives a material should have one: where the document has none, none is lost.
    func losesMaterial(of primitive: Mesh.Primitive, in mesh: Mesh, _ bindings: [MaterialBinding]) -> Bool {
        func isAskedFor(_ symbol: String) -> Bool { mesh.primitives.contains { ($0.material ?? "") == symbol } }
        return !materials.isEmpty
            && (primitive.material?.isEmpty == false || bindings.contains { !isAskedFor($0.symbol) })
    }
}

extension PackedPrimitive.Mode {
    fileprivate var number: Int {
        switch self {
        case .lines: 1
        case .lineStrip: 3
        case .triangles: 4
        }
    }
}

extension VertexAttribute {
    fileprivate var name: String {
        switch self {
        case .position: "POSITION"
        case .normal: "NORMAL"
        case .tangent: "TANGENT"
        case .texcoord(let set): "TEXCOORD_\(set)"
        case .color(let set): "COLOR_\(set)"
        }
    }
}

/// Writes skins: the joints of one instance, and the matrices that take a mesh into the space of each.
struct GLTFSkins {
    private(set) var list: JSONList
    private let scene: Scene
    /// Matrices of skins whose joints were all found, by controller.
    private var matrices: [Int: Int] = [:]

    init(_ scene: Scene, _ spool: TextSpool) {
        list = JSONList(spool)
        self.scene = scene
    }

    /// - Parameter prepared: Gets nodes for joints that stand in one place.
    mutating func add(
        _ skin: PreparedSkin, of mesh: GLTFMeshes.Entry, to prepared: inout PreparedScene, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let controller = scene.controllers[skin.controller]
        let usesBindShape = mesh.usesBindShape
        report.add(.dropped, .joints, count: skin.missing, at: controller.id)
        let isWhole = skin.missing == 0 && !usesBindShape
        var accessor = isWhole ? matrices[skin.controller.value] : nil
        if accessor == nil {
            // Positions that are whole numbers of a grid are taken out of it first.
            let frame = mesh.grid?.frame.matrix ?? .identity
            let numbers = skin.inverseBinds(usesBindShape: usesBindShape).flatMap { ($0 * frame).columnNumbers }
            accessor = try buffer.add(numbers, width: 16, target: nil, needsBounds: false)
            if isWhole { matrices[skin.controller.value] = accessor }
        }
        let joints = try prepared.joints(of: skin, usesBindShape: usesBindShape)
        return list.add(
            JSONObject { object in
                if let name = controller.name ?? controller.id { object.put("name", name) }
                if let accessor { object.put("inverseBindMatrices", accessor) }
                object.put("joints", joints)
            })
    }
}

extension Matrix4 {
    /// Column by column, with a last row of 0 0 0 1.
    fileprivate var columnNumbers: [Float] {
        [columns.0, columns.1, columns.2, columns.3].enumerated().flatMap { index, column in
            [Float(column.x), Float(column.y), Float(column.z), index == 3 ? 1 : 0]
        }
    }
}
