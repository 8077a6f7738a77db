import SceneModel

/// Writes meshes: the numbers of each geometry once, and a mesh for each set of materials that is bound to it.
struct GLTFMeshes {
    /// A primitive whose numbers are in the buffer.
    private struct Written {
        let attributes: JSONObject
        let targets: JSONList?
        let mode: PackedPrimitive.Mode
        /// Accessors; each is drawn by itself.
        let indices: [Int]
        let symbol: String?
        /// Into the mesh's primitives.
        let source: Int
        let texcoordSets: [Int: Int]
    }
    private struct WrittenShape {
        var primitives: [Written] = []
        /// As ``Entry`` has it.
        let usesBindShape: Bool  // a finding about its vertices
        let morphTargets: Int
    }
    private struct Shape: Hashable {
        let geometry: Int
        let controller: Int?
    }
    private struct Dress: Hashable {
        let shape: Shape
        let bindings: [MaterialBinding]
    }
    /// A mesh in the file.
    struct Entry {
        let index: Int
        /// Whether a vertex stays where the node is: its skin has a joint more for that.
        let usesBindShape: Bool  // a finding about its vertices
        let morphTargets: Int
    }

    private(set) var list: JSONList
    private var shapes: [Shape: WrittenShape] = [:]
    private var meshes: [Dress: Entry?] = [:]
    private var triangulator = Triangulator()
    private let scene: Scene
    private let influences: GLTFOptions.Influences

    init(_ scene: Scene, _ spool: TextSpool, _ options: GLTFOptions) {
        list = JSONList(spool)
        self.scene = scene
        influences = options.influences
    }

    /// The mesh that an instance draws; `nil` where there is nothing to draw.
    mutating func mesh(
        of instance: Instance, materials: inout GLTFMaterials, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) -> Entry? {
        let dress: Dress
        switch instance {
        case .geometry(let geometry, let bindings):
            dress = Dress(shape: Shape(geometry: geometry.value, controller: nil), bindings: bindings)
        case .controller(let controller, skeleton: _, let bindings):
            guard let base = scene.controllers[controller].base else { return nil }
            dress = Dress(shape: Shape(geometry: base.value, controller: controller.value), bindings: bindings)
        case .camera, .light: return nil
        }
        if let known = meshes[dress] { return known }
        let made = try make(dress, &materials, &buffer, &report)
        meshes[dress] = .some(made)
        return made
    }

    private mutating func make(
        _ dress: Dress, _ materials: inout GLTFMaterials, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Entry? {
        let geometry = scene.geometries[dress.shape.geometry]
        guard let mesh = geometry.mesh ?? geometry.archivedMesh?.outline else { return nil }
        let shape = try write(dress.shape, geometry, &buffer, &report)
        guard !shape.primitives.isEmpty else { return nil }
        var primitives = JSONList()
        for written in shape.primitives {
            let binding = written.symbol.flatMap { symbol in dress.bindings.first { $0.symbol == symbol } }
            let material = try binding.flatMap(\.material).map { index throws(SceneExportError) in
                try materials.material(
                    index, binding: binding, primitive: mesh.primitives[written.source], of: mesh,
                    sets: written.texcoordSets, &buffer, &report)
            }
            for indices in written.indices {
                primitives.add(
                    JSONObject { object in
                        object.put("attributes", written.attributes)
                        object.put("indices", indices)
                        object.put("mode", written.mode.rawValue)
                        if let material { object.put("material", material) }
                        if let targets = written.targets { object.put("targets", targets) }
                    })
            }
        }
        let index = list.add(
            JSONObject { object in
                if let name = geometry.name ?? geometry.id { object.put("name", name) }
                object.put("primitives", primitives)
                if let morph = morph(of: dress.shape.controller) {
                    object.put("weights", padded(morph.weights, morph.targets.count))
                }
                var extras = JSONObject()
                if let id = geometry.id { extras.put("id", id) }
                if !extras.isEmpty { object.put("extras", extras) }
            })
        return Entry(
            index: index, usesBindShape: shape.usesBindShape, morphTargets: shape.morphTargets)
    }

    private func padded(_ weights: [Double], _ count: Int) -> [Double] {
        Array(weights.prefix(count)) + [Double](repeating: 0, count: max(0, count - weights.count))
    }

    // MARK: - Numbers

    private mutating func write(
        _ key: Shape, _ geometry: Geometry, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> WrittenShape {
        if let known = shapes[key] { return known }
        let place = geometry.id ?? geometry.name
        guard let numbers = try numbers(of: geometry, isDeformed: key.controller != nil) else {
            return WrittenShape(usesBindShape: false, morphTargets: 0)
        }
        let mesh = numbers.outline
        let morph = morph(of: key.controller)
        let targets = try morph.map { morph throws(SceneExportError) in try meshes(of: morph) } ?? []
        let deformation = deformation(key.controller, morph, targets, mesh, &report)
        var packer = MeshPacker(
            numbers, deformation: deformation, targets: morph?.method == .normalized ? targets : [], place: place)
        var written = WrittenShape(
            usesBindShape: deformation.usesBindShape, morphTargets: deformation.targets.count)
        for source in mesh.primitives.indices {
            guard let packed = try packer.pack(source, using: &triangulator, &report) else { continue }
            TargetDirections.tell(targets, packed, &report, at: place)
            written.primitives.append(try write(packed, source, &buffer))
        }
        shapes[key] = written
        return written
    }

    /// Those of a mesh that a controller deforms are wanted together.
    private func numbers(of geometry: Geometry, isDeformed: Bool) throws(SceneExportError) -> MeshNumbers? {
        if !isDeformed, geometry.mesh == nil, let archived = geometry.archivedMesh { return .archive(archived) }
        return try geometry.loadedMesh().map { .memory($0) }
    }

    private func write(
        _ packed: PackedPrimitive, _ source: Int, _ buffer: inout GLTFBuffer
    ) throws(SceneExportError) -> Written {
        var attributes = JSONObject()
        for attribute in packed.attributes {
            let accessor = try buffer.add(
                attribute, of: packed.vertexCount, needsBounds: attribute.name == "POSITION")
            attributes.put(key: attribute.name, accessor)
        }
        for (set, joints) in packed.joints.enumerated() {
            attributes.put(key: "JOINTS_\(set)", try buffer.add(joints: joints))
            attributes.put(
                key: "WEIGHTS_\(set)",
                try buffer.add(packed.weights[set], width: 4, target: .vertices, needsBounds: false))
        }
        var targets: JSONList?
        if !packed.targets.isEmpty {
            var list = JSONList()
            for (place, target) in packed.targets.enumerated() {
                let accessor = try buffer.add(target, width: 3, target: .vertices, needsBounds: true)
                let normals =
                    packed.targetNormals.isEmpty
                    ? nil
                    : try buffer.add(packed.targetNormals[place], width: 3, target: .vertices, needsBounds: false)
                list.add(
                    JSONObject { object in
                        object.put("POSITION", accessor)
                        if let normals { object.put("NORMAL", normals) }
                    })
            }
            targets = list
        }
        var indices: [Int] = []
        for list in packed.indices {
            indices.append(try buffer.add(indices: list, vertexCount: packed.vertexCount))
        }
        return Written(
            attributes: attributes, targets: targets, mode: packed.mode, indices: indices, symbol: packed.material,
            source: source, texcoordSets: packed.texcoordSets)
    }

    // MARK: - Deformation

    private func morph(of controller: Int?) -> Morph? {
        guard let controller else { return nil }
        for index in scene.chain(from: SceneIndex(controller)) {
            switch scene.controllers[index].kind {
            case .morph(let morph): return morph
            case .skin, nil: continue
            }
        }
        return nil
    }

    private func meshes(of morph: Morph) throws(SceneExportError) -> [Mesh?] {
        var meshes: [Mesh?] = []
        for target in morph.targets {
            meshes.append(
                try target.geometry.flatMap { index throws(SceneExportError) in
                    try scene.geometries[index].loadedMesh()
                })
        }
        return meshes
    }

    private func deformation(
        _ controller: Int?, _ morph: Morph?, _ targets: [Mesh?], _ mesh: Mesh, _ report: inout FidelityReport
    ) -> Deformation {
        let streams = mesh.streams.filter { $0.semantic == .position }
        guard let controller, let positions = streams.first else { return .none }
        let chain = scene.chain(from: SceneIndex(controller))
        let place = scene.controllers[controller].id
        if !isUsual(chain) { report.add(.approximated, .controllerChains, at: place) }
        let morph = morph.map { morph in
            (morph: morph, targets: targets.map { $0?.streams.first { $0.semantic == .position } })
        }
        return Deformation(
            skin: scene.skin(of: SceneIndex(controller)), morph: morph, positions: positions,
            vertices: streams.map(\.count).max() ?? 0, limit: influences.rawValue, &report, at: place)
    }

    /// Whether a chain is a skin, a morph, or a skin over a morph: what engines do in this order.
    private func isUsual(_ chain: [SceneIndex<Controller>]) -> Bool {
        let isSkin = chain.map { index in
            switch scene.controllers[index].kind {
            case .skin: true
            case .morph, nil: false
            }
        }
        return isSkin.count == 1 || isSkin == [true, false]
    }
}
