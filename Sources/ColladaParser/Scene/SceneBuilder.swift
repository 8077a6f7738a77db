// What a document means: references followed, instances as edges, cycles cut, nothing copied.

import Diagnostics
import SceneModel
import XMLReader

struct SceneBuilder {
    let document: ColladaDocument
    private let options: ColladaOptions
    let table: ReferenceTable
    private var scene = Scene()
    /// Effects whose broken chains were told; several materials may instance one.
    private var toldEffects: Set<Int> = []
    var log = FindingLog()

    init(_ document: ColladaDocument, options: ColladaOptions) {
        self.document = document
        self.options = options
        table = ReferenceTable(document, documentName: options.documentName, log: &log)
    }

    mutating func build() throws(ColladaError) -> Scene {
        readAsset()
        addLibraries()
        for node in document.nodes { scene.nodes.append(self.node(node)) }
        for index in document.nodes.indices { connect(index) }
        addAnimations()
        chooseVisualScene()
        cutCycles()
        checkOthers()
        let census = SceneCensus(of: scene)
        try check(census.nodes, "nodes")
        // A leaf of many instances multiplies like a node of many children.
        try check(census.instances, "instances of geometries and controllers")
        return scene
    }

    private func check(_ count: Int, _ what: String) throws(ColladaError) {
        guard count > options.nodeLimit else { return }
        throw ColladaError(
            .sceneNodeCountExceeded,
            "instancing makes \(count == .max ? "too many" : String(count)) \(what); the most allowed is \(options.nodeLimit)"
        )
    }

    private mutating func readAsset() {
        guard let asset = document.asset else {
            log.add(.assetMissing, "the document has no <asset>")
            return
        }
        if let axis = asset.upAxis {
            scene.upAxis = axis
        } else {
            log.add(.assetUpAxisMissing, "no up axis is given; Y_UP is assumed")
        }
        if let unit = asset.unit {
            scene.metersPerUnit = unit.meter ?? 1
        } else {
            log.add(.assetUnitMissing, "no unit is given; the metre is assumed")
        }
    }

    // MARK: - Libraries

    private mutating func addLibraries() {
        scene.geometries = document.geometries.map {
            Geometry(
                id: $0.id, name: $0.name, measure: $0.measure, positions: $0.usedPositions, mesh: mesh(of: $0))
        }
        scene.images = document.images.map { Image(id: $0.id, name: $0.name, content: $0.content) }
        scene.cameras = document.cameras.map(\.camera)
        scene.lights = document.lights.map(\.light)
        for material in document.materials { scene.materials.append(resolved(material)) }
        let bases = bases()
        scene.controllers = zip(document.controllers, bases).map { controller, base in
            var bindShape = Matrix4.identity
            var kind: Controller.Kind?
            switch controller.kind {
            case .skin(let skin):
                bindShape = skin.bindShape ?? .identity
                kind = .skin(joints: skin.jointNames.count)
            case .morph(let morph): kind = .morph(targets: morph.targetNames.count)
            case .empty: break
            }
            return Controller(id: controller.id, name: controller.name, kind: kind, base: base, bindShape: bindShape)
        }
    }

    /// What is known of the mesh at the end of a chain of controllers.
    private enum Base {
        case unknown
        /// Passed on the way that is walked now.
        case open
        case known(SceneIndex<Geometry>?)
    }

    /// For each controller the mesh at the end of its chain; each is walked once, however many lead to it, so that a
    /// broken end is told once.
    private mutating func bases() -> [SceneIndex<Geometry>?] {
        var bases = [Base](repeating: .unknown, count: document.controllers.count)
        for start in bases.indices {
            var chain: [Int] = []
            let end = walk(from: start, &chain, &bases)
            for passed in chain { bases[passed] = .known(end) }
        }
        return bases.map { base in
            switch base {
            case .known(let geometry): geometry
            case .unknown, .open: nil
            }
        }
    }

    /// - Parameter chain: The controllers that were passed; their base is what is returned.
    private mutating func walk(from start: Int, _ chain: inout [Int], _ bases: inout [Base]) -> SceneIndex<Geometry>? {
        var next = start
        while true {
            switch bases[next] {
            case .known(let geometry): return geometry
            case .open:
                let length = chain.count - (chain.firstIndex(of: next) ?? 0)
                log.add(
                    .refCycle, at: Place(document.controllers[next].position),
                    "a controller is its own source by way of \(length) controllers")
                return nil
            case .unknown: break
            }
            bases[next] = .open
            chain.append(next)
            let source: ColladaDocument.Reference
            switch document.controllers[next].kind {
            case .skin(let skin): source = skin.source
            case .morph(let morph): source = morph.source
            case .empty: return nil
            }
            switch find(source, ["geometry", "controller"], severity: .error) {
            case .geometry(let index): return SceneIndex(index)
            case .controller(let index): next = index
            case .some(let other):
                tellWrongType(source, other, expected: "geometry or controller")
                return nil
            case nil: return nil
            }
        }
    }

    private mutating func resolved(_ material: ColladaDocument.Material) -> Material {
        var found: Int?
        if let reference = material.effect {
            switch find(reference, ["effect"], severity: .error) {
            case .effect(let index): found = index
            case .some(let other): tellWrongType(reference, other, expected: "effect")
            case nil: break
            }
        }
        let effect = found.map { document.effects[$0] }
        return Material(
            id: material.id, name: material.name, effectID: effect?.id, shading: effect?.common?.shading,
            images: found.map { images(of: $0, settings: material.settings) } ?? [])
    }

    /// The images an effect's textures lead to, each once, in the order of its properties.
    private mutating func images(
        of index: Int, settings: [String: ColladaDocument.Parameter]
    ) -> [SceneIndex<Image>] {
        let effect = document.effects[index]
        let isFirst = toldEffects.insert(index).inserted
        var found: [Int] = []
        for slot in ColladaDocument.Technique.Slot.allCases {
            guard let texture = effect.common?.slots[slot]?.texture else { continue }
            switch image(of: texture.sampler, in: { settings[$0] ?? effect.parameters[$0] }) {
            case .success(let image): if let image, !found.contains(image) { found.append(image) }
            case .failure(let fault): if isFirst { tell(fault, of: effect) }
            }
        }
        return found.map { SceneIndex($0) }
    }

    private func mesh(of geometry: ColladaDocument.Geometry) -> Mesh? {
        guard options.retention == .everything else { return nil }
        switch geometry.kind {
        case .mesh(let mesh), .convexMesh(let mesh, hullOf: _): return MeshBuilder(mesh).build()
        case .spline, .brep, .empty: return nil
        }
    }

    private mutating func addAnimations() {
        var builder = ChannelBuilder(document, table)
        let channels = builder.build(in: scene)
        log.merge(builder.log)
        scene.animations = zip(document.animations, channels).map { animation, channels in
            Animation(
                id: animation.id, name: animation.name, channels: channels,
                children: animation.children.map { SceneIndex($0) })
        }
        for clip in document.animationClips {
            var animations: [SceneIndex<Animation>] = []
            for reference in clip.animations {
                switch find(reference, ["animation"], severity: .error) {
                case .animation(let index): animations.append(SceneIndex(index))
                case .some(let other): tellWrongType(reference, other, expected: "animation")
                case nil: break
                }
            }
            let spans = animations.compactMap { document.animations[$0.value].span?.upperBound }
            scene.clips.append(
                AnimationClip(
                    id: clip.id, name: clip.name, start: clip.start, end: clip.end ?? spans.max(),
                    animations: animations))
        }
    }

    // MARK: - Nodes

    private mutating func node(_ node: ColladaDocument.Node) -> Node {
        let place = Self.place(of: node)
        var matrix = Matrix4.identity
        for placed in node.transforms {
            if case .matrix(let given) = placed.transform, !given.isAffine {
                log.add(
                    .nodeTransformNonAffine, at: place,
                    "a matrix's last row is not 0 0 0 1; it may be written column by column")
            }
            if let step = placed.transform.matrix {
                matrix = matrix * step
            } else {
                tellDegenerate(placed.transform, at: place)
            }
        }
        return Node(
            id: node.id, name: node.name, sid: node.sid, kind: node.kind, transforms: node.transforms.map(\.transform),
            matrix: matrix)
    }

    private mutating func tellDegenerate(_ transform: Transform, at place: Place) {
        switch transform {
        case .rotate:
            log.add(.nodeRotateAxisZero, at: place, "a rotation's axis is 0 0 0; it was left out")
        case .lookat:
            log.add(
                .nodeLookatDegenerate, at: place,
                "a lookat's eye is its interest, or its up is along its view; it was left out")
        case .skew:
            log.add(.nodeTransformNonAffine, at: place, "a skew's axes or angle make no matrix; it was left out")
        case .matrix, .translate, .scale: break
        }
    }

    private static func place(of node: ColladaDocument.Node) -> Place {
        var place = Place(node.position)
        place.elementID = node.id
        return place
    }

    private mutating func connect(_ index: Int) {
        for content in document.nodes[index].contents {
            switch content {
            case .node(let child): scene.nodes[index].children.append(SceneIndex(child))
            case .instanceNode(let reference): instance(reference, on: index, expected: "node")
            case .instanceGeometry(let reference, let materials):
                instance(reference, on: index, expected: "geometry", materials)
            case .instanceController(let reference, let materials):
                instance(reference, on: index, expected: "controller", materials)
            case .instanceCamera(let reference): instance(reference, on: index, expected: "camera", severity: .warning)
            case .instanceLight(let reference): instance(reference, on: index, expected: "light", severity: .warning)
            case .instance(let reference): instance(reference, on: index, expected: nil)
            }
        }
    }

    /// Hangs what a reference leads to on a node; `expected` is the element it must be, `nil` for any.
    private mutating func instance(
        _ reference: ColladaDocument.Reference, on index: Int, expected: String?,
        _ materials: [ColladaDocument.InstanceMaterial] = [], severity: Severity = .error
    ) {
        guard let target = find(reference, expected.map { [$0] } ?? Self.instanced, severity: severity) else { return }
        if let expected, target.element != expected {
            return tellWrongType(reference, target, expected: expected)
        }
        switch target {
        case .node(let child): scene.nodes[index].children.append(SceneIndex(child))
        case .geometry(let geometry):
            scene.nodes[index].instances.append(.geometry(SceneIndex(geometry), materials: bindings(materials)))
        case .controller(let controller):
            scene.nodes[index].instances.append(.controller(SceneIndex(controller), materials: bindings(materials)))
        case .camera(let camera): scene.nodes[index].instances.append(.camera(SceneIndex(camera)))
        case .light(let light): scene.nodes[index].instances.append(.light(SceneIndex(light)))
        case .effect, .material, .image, .visualScene, .animation, .animationClip:
            tellWrongType(reference, target, expected: Self.instanced.joined(separator: " or "))
        }
    }

    private static let instanced = ["geometry", "controller", "node", "camera", "light"]

    private mutating func bindings(_ materials: [ColladaDocument.InstanceMaterial]) -> [MaterialBinding] {
        var bindings: [MaterialBinding] = []
        for material in materials {
            var index: SceneIndex<Material>?
            switch find(material.target, ["material"], severity: .error) {
            case .material(let found): index = SceneIndex(found)
            case .some(let other): tellWrongType(material.target, other, expected: "material")
            case nil: break
            }
            bindings.append(MaterialBinding(symbol: material.symbol, material: index))
        }
        return bindings
    }

    // MARK: - References

    /// - Parameter expected: The elements it may lead to. Another one is given all the same.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [String], severity: Severity
    ) -> ReferenceTable.Target? {
        let result = table.resolve(reference, where: { expected.contains($0.element) }, log: &log)
        switch result {
        case .found(let target): return target
        case .missing:
            log.add(
                .refUnresolved, at: Place(reference.position),
                "\(reference.text.prefix(200).debugDescription) leads to nothing; expected the id of a \(expected.joined(separator: " or "))",
                arguments: [.init("reference", reference.text)], severity: severity)
        case .external:
            log.add(
                .refExternalUnresolved, at: Place(reference.position),
                "\(reference.text.prefix(200).debugDescription) is in another document, which was not read",
                arguments: [.init("reference", reference.text)], severity: severity)
        }
        return nil
    }

    mutating func tellWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: String
    ) {
        log.add(
            .refWrongType, at: Place(reference.position),
            "\(reference.text.prefix(200).debugDescription) leads to a \(target.element); expected a \(expected)",
            arguments: [.init("reference", reference.text), .init("element", target.element)])
    }

    // MARK: - Scene

    private mutating func chooseVisualScene() {
        var chosen: Int?
        if let reference = document.scene?.visualScene {
            switch find(reference, ["visual_scene"], severity: .error) {
            case .visualScene(let index): chosen = index
            case .some(let other): tellWrongType(reference, other, expected: "visual_scene")
            case nil:
                log.add(
                    .sceneInstanceUnresolved, at: Place(reference.position),
                    "the scene \(reference.text.prefix(200).debugDescription) does not exist here",
                    arguments: [.init("reference", reference.text)])
            }
        } else if let own = document.scene?.own {
            chosen = own
        } else if !document.visualScenes.isEmpty {
            log.add(.sceneMissing, "no visual scene is instanced; the first one is used")
        }
        guard let index = chosen ?? document.visualScenes.indices.first else { return }
        let visual = document.visualScenes[index]
        scene.id = visual.id
        scene.name = visual.name
        scene.roots = visual.nodes.map { SceneIndex($0) }
    }

    /// Takes out every edge that leads back to a node above it. The walk begins at the scene's own roots, then at
    /// parents before children, so that what is cut is the instance within a node and not the node's own place.
    private mutating func cutCycles() {
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: scene.nodes.count)
        var stack: [(node: Int, next: Int, kept: [SceneIndex<Node>]?)] = []
        for start in scene.roots.map(\.value) + scene.nodes.indices.reversed() where visits[start] == .new {
            visits[start] = .open
            stack.append((start, 0, nil))
            while let (node, next, _) = stack.last {
                let top = stack.count - 1
                guard next < scene.nodes[node].children.count else {
                    if let kept = stack[top].kept { scene.nodes[node].children = kept }
                    visits[node] = .done
                    stack.removeLast()
                    continue
                }
                stack[top].next += 1
                let child = scene.nodes[node].children[next]
                switch visits[child.value] {
                case .open:
                    if stack[top].kept == nil { stack[top].kept = Array(scene.nodes[node].children[..<next]) }
                    log.add(
                        .refCycle, at: Self.place(of: document.nodes[node]),
                        "a node instances itself; the last instance was left out")
                case .new:
                    stack[top].kept?.append(child)
                    visits[child.value] = .open
                    stack.append((child.value, 0, nil))
                case .done: stack[top].kept?.append(child)
                }
            }
        }
    }
}
