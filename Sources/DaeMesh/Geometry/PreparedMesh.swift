package import DaeScene

/// A geometry by itself or as a controller deforms it, ready to be drawn: its primitives one after the other.
///
/// Its numbers are in the units and axes of the document, in the space of the node that shows it; of a skin, in its bind
/// shape.
package struct PreparedMesh {
    /// Whether a vertex stays where the node is: its skin has a joint more for that.
    package let usesBindShape: Bool  // a finding about its vertices
    /// Targets that its vertices have differences to.
    package let morphTargets: Int
    private let targets: [ShapeTarget]
    private let budget: ConversionBudget
    private let place: String?
    private var packer: MeshPacker
    /// Primitives of the geometry that are still to come.
    private var rest: Range<Int>
    private var isEmpty = true  // a finding about the primitives so far

    /// - Parameters:
    ///   - controller: The one that an instance shows; `nil` for the geometry by itself.
    ///   - turned: As ``PreparedSkin/turned`` has it; empty without a skin.
    /// - Returns: `nil` for a geometry that is no mesh.
    package init?(
        of index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?, turned: [Bool],
        in prepared: PreparedScene, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        try self.init(
            of: index, controller, turned: turned, of: prepared.scene, prepared.conventions,
            influences: prepared.options.influences, prepared.budget, &report)
    }

    /// The same of a scene by itself.
    init?(
        of index: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?, turned: [Bool], of scene: Scene,
        _ conventions: ExportConventions, influences: ExportOptions.Influences, _ budget: ConversionBudget,
        _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let geometry = scene.geometries[index]
        self.budget = budget
        guard let mesh = geometry.mesh else { return nil }
        try Self.countTargets(of: controller, mesh, scene, budget)
        targets = MorphChain(scene, from: controller)?.targets(in: scene) ?? []
        let vertices = mesh.streams.reduce(0) { $1.semantic == .position ? max($0, $1.count) : $0 }
        try budget.check(targetVertices: vertices, of: targets.count)
        var deformation = Self.deformation(
            controller, targets, mesh, scene, limit: influences.rawValue, &report)
        if let origin = scene.farOrigin(of: index, controller) { deformation.move(origin: origin) }
        place = geometry.id ?? geometry.name
        packer = MeshPacker(
            mesh, deformation: deformation, targets: targets, turned: turned, place: place,
            conventions: conventions, budget)
        usesBindShape = deformation.usesBindShape
        morphTargets = deformation.targets.count
        rest = mesh.primitives.indices
    }

    /// The next primitive that draws anything, and which of the geometry's it is; `nil` behind the last.
    ///
    /// - Parameter triangulator: Used again for each mesh, so that its room is.
    package mutating func next(
        using triangulator: inout Triangulator, _ report: inout FidelityReport
    ) throws(SceneExportError) -> (primitive: PackedPrimitive, source: Int)? {
        while let source = rest.popFirst() {
            guard let packed = try packer.pack(source, using: &triangulator, &report) else { continue }
            isEmpty = false
            try budget.add(targetVertices: packed.vertexCount, of: packed.targetVectors)
            noteTargetLosses(packed, &report)
            return (packed, source)
        }
        if isEmpty { report.add(.dropped, .emptyMeshes, at: place) }
        return nil
    }

    /// Reports what the targets of a primitive have and the prepared ones do not.
    private func noteTargetLosses(_ packed: PackedPrimitive, _ report: inout FidelityReport) {
        guard !targets.isEmpty else { return }
        let kinds = packed.attributes.map(\.kind)
        // Without them in the base they have nothing to be added to.
        if kinds.contains(.normal), !packed.targetAttributes.contains(where: { $0.kind == .normal }) {
            report.add(.dropped, .morphNormals, count: targets.count { $0.mesh?.has([.normal]) == true }, at: place)
        }
        if kinds.contains(.tangent) {
            report.add(
                .dropped, .morphTangents, count: targets.count { $0.mesh?.has([.tangent, .textangent]) == true },
                at: place)
        }
        report.add(.dropped, .morphColors, count: packed.targetsWithoutTwin, at: place)
    }

    // MARK: - Deformation

    /// Before any of them is in memory.
    private static func countTargets(
        of controller: SceneIndex<Controller>?, _ mesh: Mesh, _ scene: Scene, _ budget: ConversionBudget
    ) throws(SceneExportError) {
        guard let targets = MorphChain(scene, from: controller)?.targetCount, targets > 0 else { return }
        try budget.blend(corners: 0, targets: targets)
        for primitive in mesh.primitives {
            guard let cost = VertexLayout(primitive, of: mesh)?.targetCost else { continue }
            try budget.blend(
                corners: primitive.corners, targets: targets, cost: cost.steps, attributes: cost.attributes)
        }
    }

    private static func deformation(
        _ controller: SceneIndex<Controller>?, _ targets: [ShapeTarget], _ mesh: Mesh, _ scene: Scene, limit: Int,
        _ report: inout FidelityReport
    ) -> Deformation {
        let streams = mesh.streams.filter { $0.semantic == .position }
        guard let controller, let positions = streams.first else { return .none }
        let chain = scene.chain(from: controller)
        let place = scene.controllers[controller].id
        // Morphs, and a skin over those or over the mesh, are what engines do in this order.
        if chain.dropFirst().contains(where: { scene.controllers[$0].isSkin }) {
            report.add(.approximated, .controllerChains, at: place)
        }
        return Deformation(
            skin: scene.skin(of: controller), targets: targets, positions: positions,
            vertices: streams.map(\.count).max() ?? 0, limit: limit, &report, at: place)
    }
}
