// What a document means: references followed, instances as edges, cycles cut, nothing copied.

public import DaeDiagnostics
public import DaeScene
import DaeXML

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

    // MARK: - Nodes

    private mutating func node(_ index: Int) -> Node {
        // By index: a node taken out of its list would be copied, with all it holds.
        let transforms = document.nodes[index].transformList
        transforms.forEach { transform in
            if case .matrix(let given) = transform {
                if !given.isAffine {
                    let place = Self.place(of: document.nodes[index])
                    log.add(
                        .nodeTransformNonAffine, at: place,
                        "a matrix's last row is not 0 0 0 1; it may be written column by column")
                }
            } else if transform.matrix == nil {
                reportDegenerate(transform, at: Self.place(of: document.nodes[index]))
            } else if transform.hasVagueUp {
                let place = Self.place(of: document.nodes[index])
                log.add(
                    .nodeLookatDegenerate, at: place,
                    "a lookat's up is along its view; its direction is kept, turned upright by the shortest way")
            }
        }
        var node = Node(
            id: document.nodes[index].id, name: document.nodes[index].name, sid: document.nodes[index].sid,
            kind: document.nodes[index].kind, transforms: transforms,
            transformSIDs: document.nodes[index].transformSIDs)
        node.isHidden = document.nodes[index].isHidden
        return node
    }

    private mutating func reportDegenerate(_ transform: Transform, at place: Place) {
        switch transform {
        case .rotate:
            log.add(.nodeRotateAxisZero, at: place, "a rotation's axis is 0 0 0; it was left out")
        case .lookat:
            log.add(
                .nodeLookatDegenerate, at: place,
                "a lookat's eye is its interest; it was left out")
        case .skew:
            log.add(.nodeTransformNonAffine, at: place, "a skew's axes or angle make no matrix; it was left out")
        case .matrix, .translate, .scale: break
        }
    }

    static func place(of node: ColladaDocument.Node) -> Place {
        var place = Place(node.position)
        place.elementID = node.id
        return place
    }

    private mutating func connect(_ index: Int) {
        let contents = document.nodes[index].contents
        let children = contents.count(where: \.leadsToNode)
        if children > 1 { scene.nodes[index].children.reserveCapacity(children) }
        var sids = (document.instanceSIDs.isEmpty ? nil : document.instanceSIDs[index])?[...] ?? []
        for place in contents.indices {
            let target = connect(contents[place], to: index)
            guard let sid = sids.first, sid.content == place else { continue }
            sids.removeFirst()
            instanceTargets.add(sid, of: index, to: target)
        }
    }

    /// - Returns: What an instance leads to.
    private mutating func connect(
        _ content: ColladaDocument.Node.Content, to index: Int
    ) -> ReferenceTable.Target? {
        switch content {
        case .node(let child):
            scene.nodes[index].children.append(SceneIndex(child))
            return nil
        case .instanceNode(let reference): return instance(reference, on: index, .node, expected: .node)
        case .instanceGeometry(let reference, let materials):
            if let target = table.plainTarget(of: reference), target.kind == .geometry {
                hang(target.index, on: index, materials, at: reference.position)
                return target
            }
            return instance(reference, on: index, .geometry, expected: .geometry, materials)
        case .instanceController(let reference, let skeletons, let materials):
            return instance(
                reference, on: index, .controller, expected: .controller, materials, skeletons: skeletons)
        case .instanceCamera(let reference):
            return instance(reference, on: index, .camera, expected: .camera, severity: .warning)
        case .instanceLight(let reference):
            return instance(reference, on: index, .light, expected: .light, severity: .warning)
        case .instance(let reference): return instance(reference, on: index, .geometry, expected: nil)
        }
    }

    private mutating func hang(
        _ geometry: Int, on index: Int, _ materials: [ColladaDocument.InstanceMaterial], at position: XMLPosition
    ) {
        drawnInstances += 1
        let bindings = bindings(materials, of: geometry, at: position)
        guard scene.nodes[index].instances.isEmpty else {
            scene.nodes[index].instances.append(.geometry(SceneIndex(geometry), materials: bindings))
            return
        }
        scene.nodes[index].instances = lists.instances(of: geometry, bindings)
    }

    /// Hangs what a reference leads to on a node; `expected` is the element it must be, `nil` for any, and `kind` what is
    /// missing where there is no such element.
    ///
    /// - Returns: What was hung on it.
    private mutating func instance(
        _ reference: ColladaDocument.Reference, on index: Int, _ kind: Scene.UnresolvedInstance.Kind,
        expected: LibraryKind?,
        _ materials: [ColladaDocument.InstanceMaterial] = [], skeletons: [ColladaDocument.Reference] = [],
        severity: Severity = .error
    ) -> ReferenceTable.Target? {
        guard let target = find(reference, expected.map { [$0] } ?? Self.instanced, severity: severity) else {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            return nil
        }
        if let expected, target.kind != expected {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            reportWrongType(reference, target, expected: [expected])
            return nil
        }
        if let child = target.index(of: .node) {
            instancedNodes += 1
            scene.nodes[index].children.append(SceneIndex(child))
        } else if let geometry = target.index(of: .geometry) {
            hang(geometry, on: index, materials, at: reference.position)
        } else if let controller = target.index(of: .controller) {
            drawnInstances += 1
            unbound.append(
                UnboundInstance(
                    node: index, place: scene.nodes[index].instances.count, controller: SceneIndex(controller),
                    position: reference.position, skeletons: skeletons))
            let drawn = scene.controllers[controller].base?.value
            let bindings = bindings(materials, of: drawn, at: reference.position)
            scene.nodes[index].instances.append(
                .controller(SceneIndex(controller), skeleton: .none, materials: bindings))
        } else if let camera = target.index(of: .camera) {
            scene.nodes[index].instances.append(.camera(SceneIndex(camera)))
        } else if let light = target.index(of: .light) {
            scene.nodes[index].instances.append(.light(SceneIndex(light)))
        } else {
            scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            reportWrongType(reference, target, expected: Self.instanced)
            return nil
        }
        return target
    }

    private static let instanced: [LibraryKind] = [.geometry, .controller, .node, .camera, .light]

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

extension ColladaDocument.Node.Content {
    /// Whether it becomes a child of its node, unless it leads nowhere.
    fileprivate var leadsToNode: Bool {
        switch self {
        case .node, .instanceNode: true
        case .instanceGeometry, .instanceController, .instanceCamera, .instanceLight, .instance: false
        }
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
