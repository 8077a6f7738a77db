import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

/// What hangs on nodes.
enum NodeRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        var references: NodeReferences?
        for index in document.nodes.indices {
            let contents = document.nodes[index].contents
            let instances = contents.count(where: \.hangsOnNode)
            if instances > 1 {
                log.add(
                    .nodeMultipleInstances, at: Place(document.nodes[index].position),
                    "the node has \(instances) instances; many programs take one a node",
                    arguments: [.init("instances", "\(instances)")])
            }
            guard contents.isEmpty, document.nodes[index].kind == .node else { continue }
            let named = references ?? NodeReferences(document)
            references = named
            if named.mention(document.nodes[index]) { continue }
            log.add(
                .nodeEmpty, at: Place(document.nodes[index].position),
                "the node has neither nodes nor instances, and nothing refers to it")
        }
    }
}

/// The names by which animations, skins, physics and robots mean nodes.
private struct NodeReferences {
    private var names: Set<String> = []

    init(_ document: ColladaDocument) {
        for animation in document.animations {
            for channel in animation.channels { addPath(channel.target.text) }
        }
        for index in document.nodes.indices {
            for content in document.nodes[index].contents { add(content) }
        }
        for controller in document.controllers {
            guard case .skin(let skin) = controller.kind else { continue }
            names.formUnion(skin.jointNames)
        }
        for scene in document.physicsScenes { add(scene.instances) }
        for model in document.physicsModels {
            add(model.instances)
            for constraint in model.constraints {
                for end in [constraint.reference, constraint.attachment] { addPath(end?.rigidBody?.text) }
            }
        }
        for scene in document.scene?.kinematicsScenes ?? [] {
            for binding in scene.models { addPath(binding.node?.text) }
            for binding in scene.axes { addPath(binding.target?.text) }
        }
    }

    func mention(_ node: ColladaDocument.Node) -> Bool {
        [node.id, node.sid, node.name].contains { $0.map(names.contains) ?? false }
    }

    private mutating func add(_ content: ColladaDocument.Node.Content) {
        switch content {
        case .instanceNode(let reference), .instance(let reference): names.insert(reference.id)
        case .instanceController(_, let skeletons, _): for root in skeletons { names.insert(root.id) }
        case .instanceGeometry(_, let materials):
            for material in materials { for parameter in material.parameters { addPath(parameter.target) } }
        case .node, .instanceCamera, .instanceLight: break
        }
    }

    private mutating func add(_ instances: [ColladaDocument.InstancePhysicsModel]) {
        for instance in instances {
            addPath(instance.parent?.text)
            for body in instance.bodies { addPath(body.target.text) }
        }
    }

    /// Every step of an address may be a node's.
    private mutating func addPath(_ text: String?) {
        guard let text else { return }
        for step in text.split(separator: "/") { names.insert(String(step.first == "#" ? step.dropFirst() : step)) }
    }
}

extension ColladaDocument.Node.Content {
    /// Whether it shows something at the node itself.
    fileprivate var hangsOnNode: Bool {
        switch self {
        case .instanceGeometry, .instanceController, .instanceCamera, .instanceLight, .instance: true
        case .node, .instanceNode: false
        }
    }
}

// Of each node its own transforms together, as an engine would hold them.

enum TransformRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        // In a span: what is taken out of a list would be copied.
        let nodes = subject.scene.nodes.span
        for index in document.nodes.indices {
            guard let matrix = nodes[index].transformList.deformation else { continue }
            let axes = Axes(matrix)
            guard axes.isFinite else { continue }
            if axes.isFlat {
                log.add(
                    .nodeTransformSingular, at: Place(document.nodes[index].position),
                    "the node's axes have the lengths \(axes.lengthsText) and span no volume",
                    arguments: [.init("lengths", axes.lengthsText)])
                continue
            }
            if axes.skewness > squareness {
                let text = "\(axes.skewness.rounded(to: 4))"
                log.add(
                    .nodeTransformShear, at: Place(document.nodes[index].position),
                    "the node's axes are not at right angles: the cosine between two is \(text); at most \(squareness)",
                    arguments: [.init("cosine", text), .init("limit", "\(squareness)")])
            }
            if axes.volume < 0 {
                log.add(
                    .nodeTransformMirrored, at: Place(document.nodes[index].position),
                    "the node's transforms mirror what is below it")
            }
        }
    }

    /// The largest cosine between two axes that passes for a right angle: files have four digits of it or more.
    static let squareness = 1e-3
}

/// The axes of a matrix, held against each other.
private struct Axes {
    /// What is left of a unit cube whose edges point along the axes, below which nothing of it can be told from rounding.
    private static let flatness = 1e-9

    let lengths: SIMD3<Double>
    /// Of a cube of unit edges along the axes: −1...1, negative when mirrored.
    let volume: Double
    /// The largest cosine between two.
    let skewness: Double

    init(_ matrix: Matrix4) {
        func axis(_ column: SIMD4<Double>) -> SIMD3<Double> { SIMD3(column.x, column.y, column.z) }
        func length(_ axis: SIMD3<Double>) -> Double { (axis * axis).sum().squareRoot() }
        func cosine(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double { abs((one * other).sum()) }
        func larger(_ one: Double, _ other: Double) -> Double { one < other ? other : one }
        var (x, y, z) = (axis(matrix.columns.0), axis(matrix.columns.1), axis(matrix.columns.2))
        lengths = SIMD3(length(x), length(y), length(z))
        (x, y, z) = (x / lengths.x, y / lengths.y, z / lengths.z)
        let cross = SIMD3(y.y * z.z - y.z * z.y, y.z * z.x - y.x * z.z, y.x * z.y - y.y * z.x)
        volume = (x * cross).sum()
        skewness = larger(larger(cosine(x, y), cosine(y, z)), cosine(z, x))
    }

    var isFinite: Bool { lengths.x.isFinite && lengths.y.isFinite && lengths.z.isFinite }

    /// A length of 0 makes the volume no number.
    var isFlat: Bool { !(abs(volume) > Self.flatness) }

    var lengthsText: String { "\(lengths.x.rounded(to: 6)) \(lengths.y.rounded(to: 6)) \(lengths.z.rounded(to: 6))" }
}

extension Double {
    fileprivate func rounded(to digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite && rounded != 0 ? rounded : self
    }
}

extension TransformList {
    /// Its matrix, if that may be more than a turn and a move.
    fileprivate var deformation: Matrix4? {
        var (count, deforming) = (0, 0)
        var last: Matrix4?
        forEach { transform in
            count += 1
            switch transform {
            case .matrix(let matrix):
                deforming += 1
                last = matrix
            case .scale, .skew: deforming += 1
            case .translate, .rotate, .lookat: break
            }
        }
        guard deforming > 0 else { return nil }
        // One matrix by itself is looked at as it is written.
        return count == 1 ? last ?? matrix : matrix
    }
}
