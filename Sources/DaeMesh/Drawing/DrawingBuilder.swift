public import DaeScene

extension Drawing {
    /// Makes a scene ready to be drawn; works on the calling thread until it is done.
    ///
    /// - Parameters:
    ///   - scene: Read with its arrays (`ColladaOptions.retention`).
    ///   - isCancelled: Asked at each node; once it says so the drawing fails with `CANCELLED`.
    /// - Throws: ``SceneExportError`` for a scene that unfolds to more nodes, or has more morph targets, than are allowed.
    public init(
        _ scene: Dae.Scene, options: Options = Options(), isCancelled: () -> Bool = { false }
    ) throws(SceneExportError) {
        try self.init(scene, images: .none, options: options, ConversionBudget(), isCancelled: isCancelled)
    }

    /// - Parameters:
    ///   - images: Are asked which of them have colours and an alpha.
    ///   - budget: Is asked before anything is made that a small document can ask much of.
    package init(
        _ scene: Scene, images: ExportImages, options: Options, _ budget: ConversionBudget,
        isCancelled: () -> Bool
    ) throws(SceneExportError) {
        stage = DrawingStage(of: scene, in: options.system)
        var builder = DrawingBuilder(scene, images, options, budget)
        try builder.add(to: &self, isCancelled)
    }

    /// Where everything stands.
    ///
    /// - Parameter time: In seconds, with all animations played at once; `nil` for the scene at rest.
    /// - Complexity: O(nodes), instanced ones each time, and joints.
    public func pose(at time: Double? = nil) -> Dae.DrawnPose { stage.pose(at: time) }
}

/// Takes a scene apart into meshes, instances and surfaces.
private struct DrawingBuilder {
    private struct Shape: Hashable {
        let geometry: SceneIndex<Geometry>
        let controller: SceneIndex<Controller>?
        let turned: [Bool]
    }
    private struct Bound: Hashable {
        let mesh: Int
        let bindings: [MaterialBinding]
    }
    private struct SurfaceKey: Hashable {
        let material: Int
        let sets: [Int]
        let isDoubleSided: Bool  // what the mesh says beside its material
    }

    private let scene: Scene
    private let options: Drawing.Options
    private let budget: ConversionBudget
    private let conventions: ExportConventions
    private let around: Surface.Surroundings
    private var triangulator = Triangulator()
    private var shapes: [Shape: Int?] = [:]
    private var bound: [Bound: [Int?]] = [:]
    private var surfaces: [SurfaceKey: Int] = [:]
    /// By mesh of the drawing, the primitive that each part was made of first.
    private var sources: [[Int]] = []
    private var noted: Set<Int> = []

    init(_ scene: Scene, _ images: ExportImages, _ options: Drawing.Options, _ budget: ConversionBudget) {
        self.scene = scene
        self.options = options
        self.budget = budget
        let origin: ExportConventions.ImageOrigin =
            switch options.textureOrigin {
            case .topLeft: .topLeft
            case .bottomLeft: .bottomLeft
            }
        conventions = ExportConventions(imageOrigin: origin, colors: .display, curves: .none)
        around = Surface.Surroundings(scene, images, options.invisibleSurfaces)
    }

    mutating func add(to drawing: inout Drawing, _ isCancelled: () -> Bool) throws(SceneExportError) {
        var stage = drawing.stage
        try stage.unfold(scene, limit: options.nodeLimit, isCancelled)
        for place in stage.shown {
            if isCancelled() { throw SceneExportError.stopped }
            let node = stage.unfolded.node(at: place)
            for instance in scene.nodes[node].instances {
                switch instance {
                case .camera, .light: continue
                case .geometry(let geometry, let bindings):
                    let shape = Shape(geometry: geometry, controller: nil, turned: [])
                    guard let mesh = try mesh(of: shape, nil, &drawing) else { continue }
                    let origin = scene.farOrigin(of: geometry, nil)
                    drawing.instances.append(
                        DrawnInstance(
                            mesh: mesh, surfaces: try bind(bindings, to: mesh, &drawing), node: node,
                            isMirrored: stage.isMirrored(place)))
                    stage.add(.init(place: place, origin: origin, rig: nil, inverseBinds: [], morphs: nil))
                case .controller(let controller, let skeleton, let bindings):
                    guard let base = scene.controllers[controller].base else {
                        drawing.report.add(.dropped, .missingMeshes, at: scene.controllers[controller].id)
                        continue
                    }
                    let skin = scene.skin(of: controller)
                    let rig = skin.map { _ in stage.rig(of: skeleton, at: place, scene) }
                    if let skin { try budget.bind(joints: max(skin.joints.count, skeleton.joints.count)) }
                    let turned = skin.flatMap { skin in rig.map { stage.prepared($0, at: place).turned(skin) } } ?? []
                    let shape = Shape(geometry: base, controller: controller, turned: turned)
                    guard let mesh = try mesh(of: shape, skin, &drawing) else { continue }
                    drawing.instances.append(
                        DrawnInstance(
                            mesh: mesh, surfaces: try bind(bindings, to: mesh, &drawing), node: node,
                            isMirrored: skin == nil && stage.isMirrored(place)))
                    stage.add(
                        .init(
                            place: place, origin: scene.farOrigin(of: base, controller), rig: rig,
                            inverseBinds: drawing.meshes[mesh].inverseBinds, morphs: MorphChain(scene, from: controller)
                        ))
                }
            }
        }
        drawing.stage = stage
    }

    // MARK: - Meshes

    private mutating func mesh(
        of shape: Shape, _ skin: Skin?, _ drawing: inout Drawing
    ) throws(SceneExportError) -> Int? {
        if let known = shapes[shape] { return known }
        let made = try make(shape, skin, &drawing.report)
        guard let (mesh, sources) = made else {
            shapes[shape] = .some(nil)
            return nil
        }
        drawing.meshes.append(mesh)
        self.sources.append(sources)
        shapes[shape] = drawing.meshes.count - 1
        return drawing.meshes.count - 1
    }

    private mutating func make(
        _ shape: Shape, _ skin: Skin?, _ report: inout FidelityReport
    ) throws(SceneExportError) -> (mesh: DrawnMesh, sources: [Int])? {
        let geometry = scene.geometries[shape.geometry]
        guard
            var prepared = try PreparedMesh(
                of: shape.geometry, shape.controller, turned: shape.turned, of: scene, conventions,
                influences: options.influences, budget, &report), let mesh = geometry.mesh
        else { return nil }
        var (parts, sources): ([DrawnPart], [Int]) = ([], [])
        // Into the parts, the latest of each symbol that others may join.
        var latest: [String?: [Int]] = [:]
        while let (packed, source) = try prepared.next(using: &triangulator, &report) {
            let primitive = mesh.primitives[source]
            let part = DrawnPart(packed, symbol: primitive.material)
            let known = latest[part.symbol, default: []].suffix(Self.mostLooked)
            let same = known.first {
                parts[$0].isLike(part) && mesh.primitives[sources[$0]].inputs == primitive.inputs
            }
            if let same {
                parts[same].append(part)
            } else {
                latest[part.symbol, default: []].append(parts.count)
                parts.append(part)
                sources.append(source)
            }
        }
        guard !parts.isEmpty else { return nil }
        for index in parts.indices {
            if parts[index].normals.isEmpty, options.missingNormals == .made {
                parts[index].makeNormals(creaseAngle: options.creaseAngle)
            }
            if options.tangents { parts[index].makeTangents(options.textureOrigin) } else { parts[index].tangents = [] }
        }
        let inverseBinds = skin.map { skin in
            let count = PreparedSkin.jointCount(of: skin)
            return (0..<count).map { $0 < skin.inverseBinds.count ? skin.inverseBinds[$0] : .identity }
        }
        return (
            DrawnMesh(
                name: geometry.name ?? geometry.id, geometry: shape.geometry, parts: parts,
                inverseBinds: inverseBinds ?? [], morphTargets: prepared.morphTargets),
            sources
        )
    }

    /// Parts of one symbol that are looked at for one to join: a mesh may have a hundred thousand that differ.
    private static let mostLooked = 16

    // MARK: - Surfaces

    private mutating func bind(
        _ bindings: [MaterialBinding], to mesh: Int, _ drawing: inout Drawing
    ) throws(SceneExportError) -> [Int?] {
        let key = Bound(mesh: mesh, bindings: bindings)
        if let known = bound[key] { return known }
        let geometry = scene.geometries[drawing.meshes[mesh].geometry]
        let bySymbol = Dictionary(bindings.map { ($0.symbol, $0) }) { first, _ in first }
        var result: [Int?] = []
        for (part, source) in zip(drawing.meshes[mesh].parts, sources[mesh]) {
            let binding = bySymbol[part.symbol ?? ""]
            guard let index = binding?.material, let shape = geometry.mesh else {
                result.append(nil)
                continue
            }
            result.append(
                surface(of: index, binding, shape.primitives[source], of: shape, geometry.sides, &drawing))
        }
        bound[key] = result
        return result
    }

    private mutating func surface(
        of index: SceneIndex<Material>, _ binding: MaterialBinding?, _ primitive: Mesh.Primitive, of mesh: Mesh,
        _ sides: Material.Sides?, _ drawing: inout Drawing
    ) -> Int {
        let material = scene.materials[index]
        var note = FidelityReport()
        let sets = TexcoordSets(
            of: material, binding, primitive, of: mesh, sets: primitive.texcoordSets(in: mesh), &note)
        let isDoubleSided = sides == .double || material.sides == .double
        let key = SurfaceKey(
            material: index.value, sets: sets.ofTextures(of: material), isDoubleSided: isDoubleSided)
        if let known = surfaces[key] { return known }
        var surroundings = around
        surroundings.sets = sets.chosen
        var surface = Surface(material, surroundings, &note)
        surface.material = index
        surface.sets = sets.chosen
        surface.isDoubleSided = isDoubleSided
        if noted.insert(index.value).inserted { drawing.report.add(note) }
        drawing.surfaces.append(surface)
        surfaces[key] = drawing.surfaces.count - 1
        return drawing.surfaces.count - 1
    }
}

extension DrawnPart {
    fileprivate init(_ packed: PackedPrimitive, symbol: String?) {
        func numbers(_ attribute: PackedPrimitive.Attribute) -> [Float] {
            var values: [Float] = []
            attribute.put(0..<packed.vertexCount, into: &values)
            return values
        }
        self.symbol = symbol
        (positions, normals, tangents, texcoords, colors) = ([], [], [], [], [])
        for attribute in packed.attributes {
            switch attribute.kind {
            case .position: positions = numbers(attribute)
            case .normal: normals = numbers(attribute)
            case .tangent: tangents = numbers(attribute)
            case .texcoord: texcoords.append(numbers(attribute))
            case .color: colors.append(numbers(attribute))
            }
        }
        influences = packed.joints.count * 4
        (joints, weights) = ([], [])
        if influences > 0 {
            joints.reserveCapacity(packed.vertexCount * influences)
            weights.reserveCapacity(packed.vertexCount * influences)
            for vertex in 0..<packed.vertexCount {
                for set in packed.joints.indices {
                    joints += packed.joints[set][4 * vertex..<4 * vertex + 4]
                    weights += packed.weights[set][4 * vertex..<4 * vertex + 4]
                }
            }
        }
        let changedNormals = packed.targetAttributes.first { $0.kind == .normal }
        targets = packed.targets.enumerated().map { place, target in
            DrawnTarget(
                positions: numbers(target), normals: changedNormals.map { numbers($0.differences[place]) } ?? [])
        }
        switch packed.mode {
        case .triangles:
            topology = .triangles
            indices = packed.indices.first ?? []
        case .lines:
            topology = .lines
            indices = packed.indices.first ?? []
        case .lineStrip:
            topology = .lines
            indices = packed.indices.flatMap { strip in zip(strip, strip.dropFirst()).flatMap { [$0, $1] } }
        }
    }

    /// Whether both can be drawn from one buffer with one surface.
    fileprivate func isLike(_ other: DrawnPart) -> Bool {
        topology == other.topology && symbol == other.symbol && influences == other.influences
            && normals.isEmpty == other.normals.isEmpty && tangents.isEmpty == other.tangents.isEmpty
            && texcoords.count == other.texcoords.count && colors.count == other.colors.count
            && targets.map(\.normals.isEmpty) == other.targets.map(\.normals.isEmpty)
    }

    /// - Parameter other: One that is like this.
    fileprivate mutating func append(_ other: DrawnPart) {
        let first = UInt32(clamping: vertexCount)
        indices.reserveCapacity(indices.count + other.indices.count)
        for index in other.indices { indices.append(index + first) }
        positions += other.positions
        normals += other.normals
        tangents += other.tangents
        for set in texcoords.indices { texcoords[set] += other.texcoords[set] }
        for set in colors.indices { colors[set] += other.colors[set] }
        joints += other.joints
        weights += other.weights
        for target in targets.indices {
            targets[target].positions += other.targets[target].positions
            targets[target].normals += other.targets[target].normals
        }
    }
}
