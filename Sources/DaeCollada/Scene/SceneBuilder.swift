package import DaeDiagnostics
package import DaeScene
import DaeXML

// What a document means: references followed, instances as edges, cycles cut, nothing copied.

/// Builds the scene of a document and those it refers to, one family of elements after the other.
struct SceneBuilder {
    private var context: SceneContext
    /// What was wrong so far.
    var log: FindingLog { context.log }

    init(_ linked: consuming LinkedDocument, options: ColladaOptions, limits: SearchLimits = SearchLimits()) {
        context = SceneContext(linked, options: options, limits: limits)
    }

    /// - Returns: The scene, which is no more the builder's.
    mutating func build() throws(CodedFailure) -> Scene {
        var roots = SceneRoots()
        AssetBuilder.addAssets(to: &context)
        addLibraries()
        var nodes = NodeBuilder(context)
        nodes.addNodes(to: &context)
        try roots.choose(in: &context)
        context.systems.setNodes(context.document.nodes, in: context.scene)
        AnimationBuilder.addAnimations(to: &context, instances: nodes.targets)
        nodes.cutCycles(in: &context)
        try SkeletonBuilder.bindJoints(of: nodes.unbound, in: &context, &roots)
        AnimationBuilder.checkAnimations(in: &context)
        addMechanics(nodes.targets)
        SystemConverter.joinSystems(in: &context)
        roots.placeShownModels(in: &context)
        nodes.reportLimits(to: &context.log)
        // Before anything more is made: no reference is followed from here on.
        context.table.forget()
        // Where no node is instanced there are no more of either than the documents have.
        guard
            nodes.instancedNodes > 0 || roots.areOfSeveralModels
                || max(context.scene.nodes.count, nodes.drawnInstances) > context.options.nodeLimit
        else {
            return takeScene()
        }
        let census = SceneCensus(of: context.scene)
        try context.checkLimit(census.nodes, "nodes")
        // A leaf of many instances multiplies like a node of many children.
        try context.checkLimit(census.instances, "instances of geometries and controllers")
        return takeScene()
    }

    /// A copy would count each of its lists.
    private mutating func takeScene() -> Scene {
        var taken = Scene()
        swap(&taken, &context.scene)
        return taken
    }

    // MARK: - Libraries

    private mutating func addLibraries() {
        context.scene.geometries.reserveCapacity(context.document.geometries.count)
        for index in context.document.geometries.indices { context.scene.geometries.append(geometry(index)) }
        let paths = context.shared.linked.paths
        context.scene.images = context.document.images.map {
            Image(
                id: $0.id, name: $0.name, content: $0.content, shape: $0.shape, parts: $0.parts,
                base: paths[$0.position.document])
        }
        context.scene.cameras = context.document.cameras.map(\.camera)
        context.scene.lights = context.document.lights.map(\.light)
        var materials = MaterialBuilder(context)
        materials.addMaterials(to: &context)
        findHulls()
        var controllers = ControllerBuilder(context)
        controllers.addControllers(to: &context)
    }

    private func geometry(_ index: Int) -> Geometry {
        // By index: what is taken out of its list would be copied, with all it holds.
        var geometry = Geometry(
            id: context.document.geometries[index].id, name: context.document.geometries[index].name,
            measure: context.document.geometries[index].measure,
            positions: context.document.geometries[index].positions, mesh: context.document.geometries[index].built,
            sides: context.document.geometries[index].sides)
        geometry.usedPositions = context.document.geometries[index].usedPositions
        return geometry
    }

    /// A convex mesh may be the hull of another one, and so on; what counts is the end with points of its own.
    private mutating func findHulls() {
        guard context.document.geometries.contains(where: { $0.isHull }) else { return }
        var references = MechanicsReferences(context.table, code: .physicsConvexSource)
        let sources: [Int?] = context.document.geometries.map { geometry in
            switch geometry.kind {
            case .convexMesh(_, hullOf: let reference?): references.geometry(reference)?.value
            case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: nil
            }
        }
        context.log.merge(references.log)
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: sources.count)
        for start in sources.indices where visits[start] == .new {
            var chain: [Int] = []
            var next: Int? = start
            while let here = next, visits[here] == .new {
                visits[here] = .open
                chain.append(here)
                next = sources[here]
            }
            var end: SceneIndex<Geometry>?
            if let next {
                switch visits[next] {
                case .open:
                    let place = context.document.geometries[next].place
                    context.log.add(.refCycle, at: place, "a convex mesh is its own hull")
                case .done: end = context.scene.geometries[next].hullOf ?? SceneIndex(next)
                case .new: break
                }
            } else if let last = chain.popLast() {
                visits[last] = .done
                end = SceneIndex(last)
            }
            for here in chain {
                visits[here] = .done
                context.scene.geometries[here].hullOf = end
            }
        }
    }

    // MARK: - Physics and kinematics

    private mutating func addMechanics(_ instances: InstanceTargets) {
        let (shared, limits) = (context.shared, context.limits)
        if context.document.hasPhysics {
            var physics = PhysicsBuilder(shared, context.table, context.systems, limits: limits)
            context.scene.physics = physics.build()
            context.log.merge(physics.log)
        }
        if context.document.hasKinematics {
            var kinematics = KinematicsBuilder(shared, context.table, instances, context.systems, limits: limits)
            context.scene.kinematics = kinematics.build(in: context.scene)
            context.log.merge(kinematics.log)
        }
    }
}

extension ColladaDocument {
    fileprivate var hasPhysics: Bool {
        !(physicsMaterials.isEmpty && physicsModels.isEmpty && physicsScenes.isEmpty
            && scene?.physicsScenes.isEmpty ?? true)
    }

    fileprivate var hasKinematics: Bool {
        !(joints.isEmpty && kinematicsModels.isEmpty && articulatedSystems.isEmpty && kinematicsScenes.isEmpty
            && formulas.isEmpty && scene?.kinematicsScenes.isEmpty ?? true)
    }
}

extension ColladaDocument.Geometry {
    /// Whether it has no points of its own, but those of another.
    fileprivate var isHull: Bool {
        switch kind {
        case .convexMesh(_, hullOf: .some): true
        case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: false
        }
    }
}

extension ColladaDocument {
    /// The scene this document means by itself; ``linked(options:by:)`` is for one that refers to others.
    ///
    /// - Returns: The scene, and what was wrong in what the document refers to.
    /// - Throws: ``CodedFailure`` when instancing makes more nodes than the budget.
    package func scene(options: ColladaOptions = ColladaOptions()) throws(CodedFailure) -> (
        scene: Scene, log: FindingLog
    ) {
        // Without a loader nothing is read, so nothing can be thrown.
        let linked = (try? linked(options: options)) ?? LinkedDocument(self, path: options.documentPath)
        return try LinkedDocument.scene(of: linked, options: options)
    }
}

// What the builders of a scene share, and how they follow references.

/// The documents, the scene under construction, and what was wrong so far: handed to each builder for a step.
struct SceneContext: DocumentSharing {
    let shared: SharedDocument
    let options: ColladaOptions
    let limits: SearchLimits
    var table: ReferenceTable
    /// In which units and axes the documents are written.
    var systems = AssetSystems()
    var scene = Scene()
    var log = FindingLog()

    init(_ linked: consuming LinkedDocument, options: ColladaOptions, limits: SearchLimits) {
        shared = SharedDocument(linked)
        self.options = options
        self.limits = limits
        table = ReferenceTable(shared, options: options)
    }

    /// - Parameter what: What there are so many of.
    /// - Throws: ``CodedFailure`` when these are more than there may be nodes.
    func checkLimit(_ count: Int, _ what: String) throws(CodedFailure) {
        guard count > options.nodeLimit else { return }
        throw CodedFailure(
            .sceneNodeCountExceeded,
            "instancing makes \(count == .max ? "too many" : String(count)) \(what); the most allowed is \(options.nodeLimit)"
        )
    }

    // MARK: - References

    /// The place of the element of a kind that a reference leads to; reported where that is of another kind, or not there.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ kind: LibraryKind, else code: FindingCode = .refUnresolved
    ) -> Int? {
        guard let target = find(reference, [kind], severity: .error, else: code) else { return nil }
        if target.kind != kind { log.reportWrongType(reference, target, expected: [kind], in: table) }
        return target.index(of: kind)
    }

    /// - Parameters:
    ///   - expected: The kinds it may lead to. One of another is given all the same.
    ///   - code: Of what is reported where it leads nowhere.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [LibraryKind], severity: Severity,
        else code: FindingCode = .refUnresolved
    ) -> ReferenceTable.Target? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, expected, log: &log) {
        case .found(let target): return target
        case .missing:
            log.reportMissing(
                reference, code, expected: "the id of \(expected.words.withArticle)", severity: severity)
        case .external(let absence): log.report(absence, of: reference, severity: severity)
        }
        return nil
    }

}

extension LibraryElement {
    /// Where it is written, with its id.
    var place: Place { Place(position, of: id) }
}
