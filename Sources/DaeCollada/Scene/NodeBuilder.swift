// Nodes and what hangs on them: instances become edges, and those that lead back are cut.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds the nodes of a scene.
struct NodeBuilder {
    private var bindings: BindingBuilder
    /// Instances of controllers, whose joints are still to be found.
    private(set) var unbound: [UnboundInstance] = []
    /// What the instances that bear sids lead to.
    private(set) var targets = InstanceTargets()
    /// Instances of nodes.
    private(set) var instancedNodes = 0
    /// Instances of geometries and controllers that hang on nodes.
    private(set) var drawnInstances = 0

    /// - Parameter context: With the scene's materials.
    init(_ context: SceneContext) {
        bindings = BindingBuilder(context)
    }

    mutating func addNodes(to context: inout SceneContext) {
        context.scene.nodes.reserveCapacity(context.document.nodes.count)
        for index in context.document.nodes.indices { context.scene.nodes.append(Self.node(index, in: &context)) }
        for index in context.document.nodes.indices { connect(index, in: &context) }
    }

    /// Tells what was left out of the checks of bindings.
    func reportLimits(to log: inout FindingLog) { bindings.reportLimits(to: &log) }

    // MARK: - Nodes

    private static func node(_ index: Int, in context: inout SceneContext) -> Node {
        // By index: a node taken out of its list would be copied, with all it holds.
        let transforms = context.document.nodes[index].transformList
        transforms.forEach { transform in
            if case .matrix(let given) = transform {
                if !given.isAffine {
                    let place = context.document.nodes[index].place
                    context.log.add(
                        .nodeTransformNonAffine, at: place,
                        "a matrix's last row is not 0 0 0 1; it may be written column by column")
                }
            } else if transform.matrix == nil {
                reportDegenerate(transform, at: context.document.nodes[index].place, &context.log)
            } else if transform.hasVagueUp {
                let place = context.document.nodes[index].place
                context.log.add(
                    .nodeLookatDegenerate, at: place,
                    "a lookat's up is along its view; its direction is kept, turned upright by the shortest way")
            }
        }
        var node = Node(
            id: context.document.nodes[index].id, name: context.document.nodes[index].name,
            sid: context.document.nodes[index].sid,
            kind: context.document.nodes[index].kind, transforms: transforms,
            transformSIDs: context.document.nodes[index].transformSIDs)
        node.isHidden = context.document.nodes[index].isHidden
        return node
    }

    private static func reportDegenerate(_ transform: Transform, at place: Place, _ log: inout FindingLog) {
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

    private mutating func connect(_ index: Int, in context: inout SceneContext) {
        let contents = context.document.nodes[index].contents
        let children = contents.count(where: \.leadsToNode)
        if children > 1 { context.scene.nodes[index].children.reserveCapacity(children) }
        var sids = (context.document.instanceSIDs.isEmpty ? nil : context.document.instanceSIDs[index])?[...] ?? []
        for place in contents.indices {
            let target = connect(contents[place], to: index, in: &context)
            guard let sid = sids.first, sid.content == place else { continue }
            sids.removeFirst()
            targets.add(sid, of: index, to: target)
        }
    }

    /// - Returns: What an instance leads to.
    private mutating func connect(
        _ content: ColladaDocument.Node.Content, to index: Int, in context: inout SceneContext
    ) -> ReferenceTable.Target? {
        switch content {
        case .node(let child):
            context.scene.nodes[index].children.append(SceneIndex(child))
            return nil
        case .instanceNode(let reference): return instance(reference, on: index, .node, expected: .node, in: &context)
        case .instanceGeometry(let reference, let materials):
            if let target = context.table.plainTarget(of: reference), target.kind == .geometry {
                hang(target.index, on: index, materials, at: reference.position, in: &context)
                return target
            }
            return instance(reference, on: index, .geometry, expected: .geometry, materials, in: &context)
        case .instanceController(let reference, let skeletons, let materials):
            return instance(
                reference, on: index, .controller, expected: .controller, materials, skeletons: skeletons, in: &context)
        case .instanceCamera(let reference):
            return instance(reference, on: index, .camera, expected: .camera, severity: .warning, in: &context)
        case .instanceLight(let reference):
            return instance(reference, on: index, .light, expected: .light, severity: .warning, in: &context)
        case .instance(let reference): return instance(reference, on: index, .geometry, expected: nil, in: &context)
        }
    }

    private mutating func hang(
        _ geometry: Int, on index: Int, _ materials: [ColladaDocument.InstanceMaterial], at position: XMLPosition,
        in context: inout SceneContext
    ) {
        drawnInstances += 1
        let bindings = self.bindings.bindings(materials, of: geometry, at: position, in: &context)
        guard context.scene.nodes[index].instances.isEmpty else {
            context.scene.nodes[index].instances.append(.geometry(SceneIndex(geometry), materials: bindings))
            return
        }
        context.scene.nodes[index].instances = self.bindings.instances(of: geometry, bindings)
    }

    /// Hangs what a reference leads to on a node; `expected` is the element it must be, `nil` for any, and `kind` what is
    /// missing where there is no such element.
    ///
    /// - Returns: What was hung on it.
    private mutating func instance(
        _ reference: ColladaDocument.Reference, on index: Int, _ kind: Scene.UnresolvedInstance.Kind,
        expected: LibraryKind?,
        _ materials: [ColladaDocument.InstanceMaterial] = [], skeletons: [ColladaDocument.Reference] = [],
        severity: Severity = .error, in context: inout SceneContext
    ) -> ReferenceTable.Target? {
        guard let target = context.find(reference, expected.map { [$0] } ?? Self.instanced, severity: severity) else {
            context.scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            return nil
        }
        if let expected, target.kind != expected {
            context.scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            context.log.reportWrongType(reference, target, expected: [expected], in: context.table)
            return nil
        }
        if let child = target.index(of: .node) {
            instancedNodes += 1
            context.scene.nodes[index].children.append(SceneIndex(child))
        } else if let geometry = target.index(of: .geometry) {
            hang(geometry, on: index, materials, at: reference.position, in: &context)
        } else if let controller = target.index(of: .controller) {
            drawnInstances += 1
            unbound.append(
                UnboundInstance(
                    node: index, place: context.scene.nodes[index].instances.count, controller: SceneIndex(controller),
                    position: reference.position, skeletons: skeletons))
            let drawn = context.scene.controllers[controller].base?.value
            let bindings = self.bindings.bindings(materials, of: drawn, at: reference.position, in: &context)
            context.scene.nodes[index].instances.append(
                .controller(SceneIndex(controller), skeleton: .none, materials: bindings))
        } else if let camera = target.index(of: .camera) {
            context.scene.nodes[index].instances.append(.camera(SceneIndex(camera)))
        } else if let light = target.index(of: .light) {
            context.scene.nodes[index].instances.append(.light(SceneIndex(light)))
        } else {
            context.scene.unresolvedInstances.append(.init(node: SceneIndex(index), kind: kind))
            context.log.reportWrongType(reference, target, expected: Self.instanced, in: context.table)
            return nil
        }
        return target
    }

    private static let instanced: [LibraryKind] = [.geometry, .controller, .node, .camera, .light]

    // MARK: - Cycles

    /// Takes out every edge that leads back to a node above it. The walk begins at the scene's own roots, then at
    /// parents before children, so that what is cut is the instance within a node and not the node's own place.
    func cutCycles(in context: inout SceneContext) {
        // Nodes within nodes are a tree.
        guard instancedNodes > 0 else { return }
        var search = CycleSearch(count: context.scene.nodes.count)
        var cut: [Int: Set<Int>] = [:]
        let starts = context.scene.roots.map(\.value) + context.scene.nodes.indices.reversed()
        for start in starts {
            search.walk(from: start) {
                context.scene.nodes[$0].children.count
            } target: {
                context.scene.nodes[$0].children[$1].value
            } found: { node, child in
                cut[node, default: []].insert(child)
                let place = context.document.nodes[node].place
                context.log.add(.refCycle, at: place, "a node instances itself; the last instance was left out")
            }
        }
        for (node, left) in cut {
            let children = context.scene.nodes[node].children
            context.scene.nodes[node].children = children.indices.lazy.filter { !left.contains($0) }.map {
                children[$0]
            }
        }
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

/// An instance of a controller whose joints are still to be found.
struct UnboundInstance {
    let node: Int
    /// Among the node's instances.
    let place: Int
    let controller: SceneIndex<Controller>
    /// Of the instance.
    let position: XMLPosition
    let skeletons: [ColladaDocument.Reference]
}
