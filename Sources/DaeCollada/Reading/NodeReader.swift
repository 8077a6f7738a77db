import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads nodes, visual scenes and the scene.
enum NodeReader {
    /// - Parameter document: Takes the node next.
    static func node(
        _ view: ElementView, _ context: inout ReadingContext, in document: inout ColladaDocument
    ) -> ColladaDocument.Node {
        let id = view.attribute(.id)
        let name = context.name(of: view, id: id)
        let kind = kind(of: view, &context)
        var transforms = TransformList()
        var contents: [ColladaDocument.Node.Content] = []
        contents.reserveCapacity(
            view.children.reduce(0) { $0 + ($1.name.isTransform ? 0 : max(1, $1.units.count)) })
        context.lists.beginSIDs()
        let strayBinding = strayBinding(of: view, &context)
        for child in view.children {
            if child.name.isTransform {
                guard let transform = TransformReader.transform(child, &context) else { continue }
                transforms.append(transform)
                context.lists.addSID(of: child)
            } else if let content = content(child, strayBinding, &context) {
                noteSID(of: child, at: contents.count, in: &document)
                contents.append(content)
            } else if child.name == .node {
                for unit in child.units { contents.append(.node(Int(unit))) }
            }
        }
        return ColladaDocument.Node(
            id: id, name: name, sid: view.attribute(.sid), kind: kind,
            isHidden: view.raws.contains(where: \.hidesNode), transformList: transforms,
            transformSIDs: context.lists.endSIDs(), position: view.position, contents: contents)
    }

    /// Notes an instance's sid for the node that is being decoded, which comes next in the list.
    private static func noteSID(of view: ElementView, at content: Int, in document: inout ColladaDocument) {
        guard let sid = view.attribute(.sid), !sid.isEmpty else { return }
        document.instanceSIDs[document.nodes.count, default: []].append(.init(content: content, sid: sid))
    }

    private static func kind(of view: ElementView, _ context: inout ReadingContext) -> Node.Kind {
        guard !view.has(.type, "NODE"), let type = view.attribute(.type) else { return .node }
        if let kind = Node.Kind(rawValue: type) { return kind }
        context.log.add(
            .schemaInvalidEnum, at: view.place,
            "the node's type is \(type.quoted(40)); expected NODE or JOINT; read as NODE")
        return .node
    }

    // MARK: - Instances

    /// A `<bind_material>` of a node whose only instance of a mesh has none: it stands one level too high.
    private static func strayBinding(of node: ElementView, _ context: inout ReadingContext) -> ElementView? {
        guard let binding = node.first(.bindMaterial), context.repairs else { return nil }
        let drawn = node.children.count { $0.name == .instanceGeometry || $0.name == .instanceController }
        return drawn == 1 ? binding : nil
    }

    /// An instance as a content of its node; `nil` for any other element.
    ///
    /// - Parameter strayBinding: Of an instance that has none.
    private static func content(
        _ view: ElementView, _ strayBinding: ElementView?, _ context: inout ReadingContext
    ) -> ColladaDocument.Node.Content? {
        switch view.name {
        case .instanceNode: return .instanceNode(context.requiredReference(view, .url))
        case .instanceGeometry:
            let reference = context.requiredReference(view, .url)
            return .instanceGeometry(reference, materials: materials(of: view, strayBinding, &context))
        case .instanceController:
            let skeletons = view.all(.skeleton).map {
                let root = ColladaDocument.Reference(text: $0.text, position: $0.position)
                return context.repairs ? root : root.refusedWithoutHash
            }
            let reference = context.requiredReference(view, .url)
            return .instanceController(
                reference, skeletons: skeletons, materials: materials(of: view, strayBinding, &context))
        case .instanceCamera: return .instanceCamera(context.requiredReference(view, .url))
        case .instanceLight: return .instanceLight(context.requiredReference(view, .url))
        case .instance: return .instance(context.requiredReference(view, .url))
        default: return nil  // element names: every other one is no instance
        }
    }

    private static func materials(
        of view: ElementView, _ strayBinding: ElementView?, _ context: inout ReadingContext
    ) -> [ColladaDocument.InstanceMaterial] {
        guard
            let bound = view.first(.bindMaterial, .techniqueCommon) ?? looseMaterials(of: view, strayBinding, &context)
        else { return [] }
        return bound.all(.instanceMaterial).map { element in
            let target = context.requiredReference(element, .target)
            // Many exporters make the material's id its symbol, which then needs no memory.
            let id = target.withoutHash
            let symbol = element.says(.symbol, id) ? id : context.common(.symbol, of: element) ?? ""
            return .init(
                symbol: symbol, target: target, vertexInputs: vertexInputs(of: element, &context),
                parameters: parameters(of: element))
        }
    }

    /// What holds the materials of an instance where a level between the two is missing, or they stand one too high.
    private static func looseMaterials(
        of view: ElementView, _ strayBinding: ElementView?, _ context: inout ReadingContext
    ) -> ElementView? {
        guard context.repairs else { return nil }
        let own = view.first(.bindMaterial)
        let holder = own ?? (view.first(.instanceMaterial) == nil ? strayBinding : view)
        guard let holder,
            let found = holder.first(.techniqueCommon) ?? holder.first(.instanceMaterial).map({ _ in holder })
        else { return nil }
        context.log.add(
            .materialBindMissing, at: view.place,
            "the instance has no <bind_material> with a <technique_common>; the <instance_material> near it was taken")
        return found
    }

    private static func parameters(of view: ElementView) -> [MaterialBinding.Parameter] {
        let elements = view.all(.bind)
        guard !elements.isEmpty else { return [] }
        return elements.map {
            .init(semantic: $0.attribute(.semantic) ?? "", target: $0.trimmedAttribute(.target) ?? "")
        }
    }

    private static func vertexInputs(
        of view: ElementView, _ context: inout ReadingContext
    ) -> [MaterialBinding.VertexInput] {
        let inputs: [MaterialBinding.VertexInput] = view.all(.bindVertexInput).map {
            .init(
                semantic: $0.attribute(.semantic) ?? "", inputSemantic: $0.attribute(.inputSemantic) ?? "TEXCOORD",
                inputSet: context.integer($0, .inputSet))
        }
        return context.lists.shared(inputs)
    }

    // MARK: - Scenes

    static func visualScene(_ view: ElementView) -> ColladaDocument.VisualScene {
        ColladaDocument.VisualScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            nodes: view.all(.node).units)
    }

    /// Gives no place: a scene is in no list.
    static func readScene(
        _ view: ElementView, _ context: inout ReadingContext, into document: inout ColladaDocument
    ) -> Int? {
        let nodes = view.all(.node).units
        let physicsScenes = view.all(.instancePhysicsScene).map { context.requiredReference($0, .url) }
        let kinematicsScenes = view.all(.instanceKinematicsScene).map {
            KinematicsReader.instanceKinematicsScene($0, &context)
        }
        if nodes.isEmpty {
            document.scene = .init(
                visualScene: view.first(.instanceVisualScene).map { context.requiredReference($0, .url) },
                physicsScenes: physicsScenes, kinematicsScenes: kinematicsScenes)
            return nil
        }
        // 1.3 has its nodes in the scene itself.
        document.scene = .init(own: document.visualScenes.count)
        document.visualScenes.append(
            .init(id: view.attribute(.id), name: view.attribute(.name), position: view.position, nodes: nodes))
        return nil
    }
}

extension RawElement {
    /// Whether it is an `<extra>` by which an exporter hides a node: FCollada's, and with it those of Maya and 3ds Max,
    /// write a `<visibility>` of 0, Maya also among its dynamic attributes; others a `<visible>` or a `<hidden>`.
    fileprivate var hidesNode: Bool {
        var elements = [self]
        while let element = elements.popLast() {
            switch element.localName {
            case "extra", "technique", "dynamic_attributes": elements += element.children
            case "visibility", "visible": if element.text.isFalse { return true }
            case "hidden", "hide": if element.text.isTrue { return true }
            default: break  // strings: every other one says nothing of it
            }
        }
        return false
    }
}

extension String {
    private var word: String { lowercased() }

    /// Of flags and of numbers, of which those that move are floats.
    fileprivate var isFalse: Bool { ["false", "no", "off"].contains(word) || Double(self) == 0 }

    fileprivate var isTrue: Bool { ["true", "yes", "on"].contains(word) || Double(self).map { $0 != 0 } ?? false }
}

/// Reads the transforms of nodes, bodies, links and frames.
enum TransformReader {
    static func transform(_ view: ElementView, _ context: inout ReadingContext) -> Transform? {
        switch view.name {
        case .matrix: return context.numbers(in: view, count: 16).map { .matrix(Matrix4(sixteen: $0)) }
        case .translate: return context.numbers(in: view, count: 3).map { .translate(SIMD3($0, from: 0)) }
        case .scale: return context.numbers(in: view, count: 3).map { .scale(SIMD3($0, from: 0)) }
        case .rotate:
            return context.numbers(in: view, count: 4).map { .rotate(axis: SIMD3($0, from: 0), degrees: $0[3]) }
        case .skew:
            return context.numbers(in: view, count: 7).map {
                .skew(degrees: $0[0], from: SIMD3($0, from: 1), along: SIMD3($0, from: 4))
            }
        case .lookat:
            return context.numbers(in: view, count: 9).map {
                .lookat(eye: SIMD3($0, from: 0), interest: SIMD3($0, from: 3), up: SIMD3($0, from: 6))
            }
        default: return nil  // element names: every other one is no transform
        }
    }

    /// The translations and rotations directly within, in order.
    static func placement(in view: ElementView, _ context: inout ReadingContext) -> [Transform] {
        view.children.compactMap { child in
            let transform = transform(child, &context)
            if let transform, transform.matrix == nil {
                context.log.add(
                    .nodeRotateAxisZero, at: child.place, "<\(child.name.rawValue)> has no direction; it was left out")
            }
            return transform
        }
    }
}

extension ElementName {
    var isTransform: Bool {
        switch self {
        case .matrix, .translate, .scale, .rotate, .skew, .lookat: true
        default: false  // element names: every other one is no transform
        }
    }
}

extension Matrix4 {
    /// From sixteen values row by row.
    fileprivate init(sixteen values: [Double]) {
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(values[index], values[4 + index], values[8 + index], values[12 + index])
        }
        self.init(columns: (column(0), column(1), column(2), column(3)))
    }
}

extension SIMD3<Double> {
    /// Three values that are there.
    fileprivate init(_ values: [Double], from start: Int) {
        self.init(values[start], values[start + 1], values[start + 2])
    }
}
