// What a document means: references followed, instances as edges, cycles cut, nothing copied.

public import Diagnostics
public import SceneModel
import XMLReader

struct SceneBuilder: DocumentSharing {
    let shared: SharedDocument
    /// By document, as are the assets.
    let paths: [String?]
    let assets: [LinkedDocument.DocumentAssets]
    let options: ColladaOptions
    var table: ReferenceTable
    var scene = Scene()
    /// Instances of controllers, until their joints are found.
    var unbound: [UnboundInstance] = []
    var instanceTargets = InstanceTargets()
    var systems = AssetSystems()
    /// Tests lower them.
    var limits = SearchLimits()
    var memory = MaterialMemory()
    var symbols = SymbolTable()
    var lists: BindingLists
    /// What the references of the instance being looked at lead to.
    var bound: [SceneIndex<Material>?] = []
    /// How many of the scene's roots are each shown model's; empty where the scene is one model's as it is.
    var shownRoots: [Int] = []
    /// Instances of nodes.
    var instancedNodes = 0
    /// Instances of geometries and controllers that hang on nodes.
    var drawnInstances = 0
    var log = FindingLog()

    init(_ linked: consuming LinkedDocument, options: ColladaOptions) {
        shared = SharedDocument(linked)
        paths = shared.linked.paths
        assets = shared.linked.assets
        self.options = options
        lists = BindingLists(
            materials: shared.linked.document.materials.count, geometries: shared.linked.document.geometries.count)
        table = ReferenceTable(shared, options: options)
    }

    /// - Returns: The scene, which is no more the builder's.
    mutating func build() throws(ColladaError) -> Scene {
        readSystems()
        addCopyright()
        addLibraries()
        scene.nodes.reserveCapacity(document.nodes.count)
        for index in document.nodes.indices { scene.nodes.append(node(index)) }
        for index in document.nodes.indices { connect(index) }
        try chooseVisualScene()
        try addShownModels()
        systems.setNodes(document.nodes, in: scene)
        addAnimations()
        cutCycles()
        try bindJoints()
        checkAnimations()
        addMechanics()
        joinSystems()
        placeShownModels()
        if symbols.steps > limits.texcoords {
            log.reportLimit(
                limits.texcoords, "texture coordinates of materials are looked for among more inputs than")
        }
        if symbols.completionSteps > limits.bindings {
            log.reportLimit(
                limits.bindings, "materials that are not bound are looked for among more symbols and bindings than")
        }
        // Before anything more is made: no reference is followed from here on.
        table.forget()
        // Where no node is instanced there are no more of either than the documents have.
        guard instancedNodes > 0 || shownRoots.count > 1 || max(scene.nodes.count, drawnInstances) > options.nodeLimit
        else {
            return takeScene()
        }
        let census = SceneCensus(of: scene)
        try check(census.nodes, "nodes")
        // A leaf of many instances multiplies like a node of many children.
        try check(census.instances, "instances of geometries and controllers")
        return takeScene()
    }

    /// A copy would count each of its lists.
    private mutating func takeScene() -> Scene {
        var taken = Scene()
        swap(&taken, &scene)
        return taken
    }

    func check(_ count: Int, _ what: String) throws(ColladaError) {
        guard count > options.nodeLimit else { return }
        throw ColladaError(
            .sceneNodeCountExceeded,
            "instancing makes \(count == .max ? "too many" : String(count)) \(what); the most allowed is \(options.nodeLimit)"
        )
    }

    // MARK: - Libraries

    private mutating func addLibraries() {
        scene.geometries.reserveCapacity(document.geometries.count)
        for index in document.geometries.indices { scene.geometries.append(geometry(index)) }
        scene.images = document.images.map {
            Image(
                id: $0.id, name: $0.name, content: $0.content, shape: $0.shape, parts: $0.parts,
                base: paths[$0.position.document])
        }
        scene.cameras = document.cameras.map(\.camera)
        scene.lights = document.lights.map(\.light)
        scene.materials.reserveCapacity(document.materials.count)
        symbols.texcoords.reserveCapacity(document.materials.count)
        for index in document.materials.indices {
            table.home = document.materials[index].position.document
            let material = resolved(materialAt: index)
            symbols.texcoords.append(material.texcoords)
            scene.materials.append(material)
        }
        reportLimitsOfExtras()
        findHulls()
        addControllers()
    }

    private func geometry(_ index: Int) -> Geometry {
        var geometry = Geometry(
            id: document.geometries[index].id, name: document.geometries[index].name,
            measure: document.geometries[index].measure, positions: document.geometries[index].positions,
            mesh: document.geometries[index].built, sides: document.geometries[index].sides)
        geometry.usedPositions = document.geometries[index].usedPositions
        return geometry
    }

    // MARK: - Scene

    /// The first document's first; others lend what is asked of them, no scene of their own.
    var firstVisualScene: Int? {
        document.visualScenes.first.flatMap { $0.position.document == 0 ? 0 : nil }
    }

    /// The one that was asked for, by its id before its name; `nil` where none was.
    var wantedVisualScene: Int? {
        guard let wanted = options.visualScene else { return nil }
        let own = document.visualScenes.indices.filter { document.visualScenes[$0].position.document == 0 }
        return own.first { document.visualScenes[$0].id == wanted }
            ?? own.first { document.visualScenes[$0].name == wanted }
    }

    private func unknownVisualScene(_ wanted: String) -> ColladaError {
        let known = document.visualScenes.prefix(20).compactMap { $0.id ?? $0.name }.map { "\"\($0)\"" }
        let others =
            document.visualScenes.count > known.count ? " and \(document.visualScenes.count - known.count) more" : ""
        return ColladaError(
            .sceneInstanceUnresolved,
            "there is no visual scene \"\(wanted)\"; \(known.isEmpty ? "there is none at all" : "there are " + known.joined(separator: ", "))\(others)"
        )
    }

    private mutating func chooseVisualScene() throws(ColladaError) {
        var chosen = wantedVisualScene
        if let wanted = options.visualScene {
            guard chosen != nil else { throw unknownVisualScene(wanted) }
        } else if let reference = document.scene?.visualScene {
            chosen = find(reference, .visualScene, else: .sceneInstanceUnresolved)
        } else if let own = document.scene?.own {
            chosen = own
        } else if firstVisualScene != nil {
            log.add(.sceneMissing, "no visual scene is instanced; the first one is used")
        }
        guard let index = chosen ?? firstVisualScene else { return }
        let visual = document.visualScenes[index]
        scene.id = visual.id
        scene.name = visual.name
        scene.roots = visual.nodes.map { SceneIndex($0) }
    }
}

extension ColladaDocument {
    /// The scene this document means by itself; ``linked(options:by:)`` is for one that refers to others.
    ///
    /// - Returns: The scene, and what was wrong in what the document refers to.
    /// - Throws: ``ColladaError`` when instancing makes more nodes than the budget.
    public func scene(options: ColladaOptions = ColladaOptions()) throws(ColladaError) -> (
        scene: Scene, log: FindingLog
    ) {
        // Without a loader nothing is read, so nothing can be thrown.
        let linked = (try? linked(options: options)) ?? LinkedDocument(self, path: options.documentPath)
        return try LinkedDocument.scene(of: linked, options: options)
    }
}
