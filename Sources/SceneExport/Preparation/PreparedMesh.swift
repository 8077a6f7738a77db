import SceneModel

/// A geometry by itself or as a controller deforms it, ready to be drawn: its primitives one after the other.
struct PreparedMesh {
    /// Whether a vertex stays where the node is: its skin has a joint more for that.
    let usesBindShape: Bool  // a finding about its vertices
    /// Targets that its vertices have differences to.
    let morphTargets: Int
    private let targets: [ShapeTarget]
    private let budget: ConversionBudget
    private let place: String?
    private var packer: MeshPacker
    /// Primitives of the geometry that are still to come.
    private var rest: Range<Int>
    private var isEmpty = true  // a finding about the primitives so far

    /// - Parameter turned: As ``ExportRig/turned(_:)`` has it.
    /// - Returns: `nil` for a geometry that is no mesh.
    init?(
        of index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?, turned: [Bool],
        in prepared: PreparedScene, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let geometry = prepared.scene.geometries[index]
        budget = prepared.budget
        guard let numbers = try Self.numbers(of: geometry, isDeformed: controller != nil) else { return nil }
        let mesh = numbers.outline
        try Self.countTargets(of: controller, numbers, prepared.scene, budget)
        targets = try Self.targets(of: controller, prepared.scene)
        let vertices = mesh.streams.reduce(0) { $1.semantic == .position ? max($0, $1.count) : $0 }
        try budget.check(targetVertices: vertices, of: targets.count)
        var deformation = Self.deformation(
            controller, targets, mesh, prepared.scene, limit: prepared.options.influences.rawValue, &report)
        if let origin = prepared.scene.farOrigin(of: index, controller) { deformation.move(origin: origin) }
        place = geometry.id ?? geometry.name
        packer = MeshPacker(
            numbers, deformation: deformation, targets: targets, turned: turned, place: place,
            conventions: prepared.conventions, budget)
        usesBindShape = deformation.usesBindShape
        morphTargets = deformation.targets.count
        rest = mesh.primitives.indices
    }

    /// The next primitive that draws anything, and which of the geometry's it is; `nil` behind the last.
    mutating func next(
        using triangulator: inout Triangulator, _ report: inout FidelityReport
    ) throws(SceneExportError) -> (primitive: PackedPrimitive, source: Int)? {
        while let source = rest.popFirst() {
            guard let packed = try packer.pack(source, using: &triangulator, &report) else { continue }
            isEmpty = false
            try budget.add(targetVertices: packed.vertexCount, of: packed.targetVectors)
            TargetLosses.tell(targets, packed, &report, at: place)
            return (packed, source)
        }
        if isEmpty { report.add(.dropped, .emptyMeshes, at: place) }
        return nil
    }

    /// Those of a mesh that a controller deforms are wanted together.
    private static func numbers(of geometry: Geometry, isDeformed: Bool) throws(SceneExportError) -> MeshNumbers? {
        if !isDeformed, geometry.mesh == nil, let archived = geometry.archivedMesh { return .archive(archived) }
        return try geometry.loadedMesh().map { .memory($0) }
    }

    // MARK: - Deformation

    /// Before any of them is in memory.
    private static func countTargets(
        of controller: SceneIndex<Controller>?, _ numbers: MeshNumbers, _ scene: Scene, _ budget: ConversionBudget
    ) throws(SceneExportError) {
        guard let targets = MorphChain(scene, from: controller)?.targetCount, targets > 0 else { return }
        try budget.blend(corners: 0, targets: targets)
        for (index, primitive) in numbers.outline.primitives.enumerated() {
            guard let cost = VertexLayout(primitive, of: numbers)?.targetCost else { continue }
            try budget.blend(
                corners: numbers.corners(of: index), targets: targets, cost: cost.steps, attributes: cost.attributes)
        }
    }

    private static func targets(
        of controller: SceneIndex<Controller>?, _ scene: Scene
    ) throws(SceneExportError) -> [ShapeTarget] {
        // A geometry that is a target several times is in memory once.
        var loaded: [Int: Mesh?] = [:]
        var targets: [ShapeTarget] = []
        for target in MorphChain(scene, from: controller)?.targets ?? [] {
            var mesh: Mesh?
            if let index = target.geometry {
                if loaded[index.value] == nil { loaded[index.value] = .some(try scene.geometries[index].loadedMesh()) }
                mesh = loaded[index.value] ?? nil
            }
            targets.append(ShapeTarget(geometry: target.geometry, mesh: mesh, method: target.method))
        }
        return targets
    }

    private static func deformation(
        _ controller: SceneIndex<Controller>?, _ targets: [ShapeTarget], _ mesh: Mesh, _ scene: Scene, limit: Int,
        _ report: inout FidelityReport
    ) -> Deformation {
        let streams = mesh.streams.filter { $0.semantic == .position }
        guard let controller, let positions = streams.first else { return .none }
        let chain = scene.chain(from: controller)
        let place = scene.controllers[controller].id
        if !isUsual(chain, scene) { report.add(.approximated, .controllerChains, at: place) }
        return Deformation(
            skin: scene.skin(of: controller), targets: targets, positions: positions,
            vertices: streams.map(\.count).max() ?? 0, limit: limit, &report, at: place)
    }

    /// Whether a chain is of morphs, or a skin over those or over the mesh: what engines do in this order.
    private static func isUsual(_ chain: [SceneIndex<Controller>], _ scene: Scene) -> Bool {
        chain.dropFirst().allSatisfy { index in
            switch scene.controllers[index].kind {
            case .skin: false
            case .morph, nil: true
            }
        }
    }
}
