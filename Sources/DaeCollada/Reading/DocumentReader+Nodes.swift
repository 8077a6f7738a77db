import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodeNode(_ view: ElementView) -> ColladaDocument.Node {
        let id = view.attribute(.id)
        var node = ColladaDocument.Node(
            id: id, name: name(of: view, id: id), sid: view.attribute(.sid), kind: kind(of: view),
            isHidden: view.raws.contains(where: \.hidesNode), transformList: TransformList(), transformSIDs: [],
            position: view.position, contents: [])
        node.contents.reserveCapacity(
            view.children.reduce(0) { $0 + ($1.name.isTransform ? 0 : max(1, $1.units.count)) })
        lists.beginSIDs()
        let strayBinding = strayBinding(of: view)
        for child in view.children {
            if child.name.isTransform {
                guard let transform = decodeTransform(child) else { continue }
                node.transformList.append(transform)
                lists.addSID(of: child)
            } else if let content = content(child, strayBinding) {
                noteSID(of: child, at: node.contents.count)
                node.contents.append(content)
            } else if child.name == .node {
                for unit in child.units { node.contents.append(.node(Int(unit))) }
            }
        }
        node.transformSIDs = lists.endSIDs()
        return node
    }

    /// Notes an instance's sid for the node that is being decoded, which comes next in the list.
    private mutating func noteSID(of view: ElementView, at content: Int) {
        guard let sid = view.attribute(.sid), !sid.isEmpty else { return }
        document.instanceSIDs[document.nodes.count, default: []].append(.init(content: content, sid: sid))
    }

    private mutating func kind(of view: ElementView) -> Node.Kind {
        guard !view.has(.type, "NODE"), let type = view.attribute(.type) else { return .node }
        if let kind = Node.Kind(rawValue: type) { return kind }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the node's type is \(type.quoted(40)); expected NODE or JOINT; read as NODE")
        return .node
    }

    // MARK: - Transforms

    mutating func decodeTransform(_ view: ElementView) -> Transform? {
        switch view.name {
        case .matrix: return numbers(in: view, count: 16).map { .matrix(Matrix4(sixteen: $0)) }
        case .translate: return numbers(in: view, count: 3).map { .translate(SIMD3($0, from: 0)) }
        case .scale: return numbers(in: view, count: 3).map { .scale(SIMD3($0, from: 0)) }
        case .rotate: return numbers(in: view, count: 4).map { .rotate(axis: SIMD3($0, from: 0), degrees: $0[3]) }
        case .skew:
            return numbers(in: view, count: 7).map {
                .skew(degrees: $0[0], from: SIMD3($0, from: 1), along: SIMD3($0, from: 4))
            }
        case .lookat:
            return numbers(in: view, count: 9).map {
                .lookat(eye: SIMD3($0, from: 0), interest: SIMD3($0, from: 3), up: SIMD3($0, from: 6))
            }
        default: return nil  // element names: every other one is no transform
        }
    }

    // MARK: - Instances

    /// A `<bind_material>` of a node whose only instance of a mesh has none: it stands one level too high.
    private mutating func strayBinding(of node: ElementView) -> ElementView? {
        guard let binding = node.first(.bindMaterial), repairs else { return nil }
        let drawn = node.children.count { $0.name == .instanceGeometry || $0.name == .instanceController }
        return drawn == 1 ? binding : nil
    }

    /// An instance as a content of its node; `nil` for any other element.
    ///
    /// - Parameter strayBinding: Of an instance that has none.
    private mutating func content(
        _ view: ElementView, _ strayBinding: ElementView?
    ) -> ColladaDocument.Node.Content? {
        switch view.name {
        case .instanceNode: return .instanceNode(requiredReference(view, .url))
        case .instanceGeometry:
            let reference = requiredReference(view, .url)
            return .instanceGeometry(reference, materials: materials(of: view, strayBinding))
        case .instanceController:
            let skeletons = view.all(.skeleton).map {
                let root = ColladaDocument.Reference(text: $0.text, position: $0.position)
                return repairs ? root : root.refusedWithoutHash
            }
            let reference = requiredReference(view, .url)
            return .instanceController(
                reference, skeletons: skeletons, materials: materials(of: view, strayBinding))
        case .instanceCamera: return .instanceCamera(requiredReference(view, .url))
        case .instanceLight: return .instanceLight(requiredReference(view, .url))
        case .instance: return .instance(requiredReference(view, .url))
        default: return nil  // element names: every other one is no instance
        }
    }

    private mutating func materials(
        of view: ElementView, _ strayBinding: ElementView?
    ) -> [ColladaDocument.InstanceMaterial] {
        guard let bound = view.first(.bindMaterial, .techniqueCommon) ?? looseMaterials(of: view, strayBinding) else {
            return []
        }
        return bound.all(.instanceMaterial).map { element in
            let target = requiredReference(element, .target)
            // Many exporters make the material's id its symbol, which then needs no memory.
            let id = target.withoutHash
            let symbol = element.says(.symbol, id) ? id : common(.symbol, of: element) ?? ""
            return .init(
                symbol: symbol, target: target, vertexInputs: vertexInputs(of: element),
                parameters: parameters(of: element))
        }
    }

    /// What holds the materials of an instance where a level between the two is missing, or they stand one too high.
    private mutating func looseMaterials(of view: ElementView, _ strayBinding: ElementView?) -> ElementView? {
        guard repairs else { return nil }
        let own = view.first(.bindMaterial)
        let holder = own ?? (view.first(.instanceMaterial) == nil ? strayBinding : view)
        guard let holder,
            let found = holder.first(.techniqueCommon) ?? holder.first(.instanceMaterial).map({ _ in holder })
        else { return nil }
        log.add(
            .materialBindMissing, at: view.place,
            "the instance has no <bind_material> with a <technique_common>; the <instance_material> near it was taken")
        return found
    }

    private mutating func parameters(of view: ElementView) -> [MaterialBinding.Parameter] {
        let elements = view.all(.bind)
        guard !elements.isEmpty else { return [] }
        return elements.map {
            .init(semantic: $0.attribute(.semantic) ?? "", target: $0.trimmedAttribute(.target) ?? "")
        }
    }

    private mutating func vertexInputs(of view: ElementView) -> [MaterialBinding.VertexInput] {
        let inputs = view.all(.bindVertexInput).map { vertexInput($0) }
        if inputs == lists.vertexInputs { return lists.vertexInputs }
        lists.vertexInputs = inputs
        return inputs
    }

    private mutating func vertexInput(_ view: ElementView) -> MaterialBinding.VertexInput {
        .init(
            semantic: view.attribute(.semantic) ?? "", inputSemantic: view.attribute(.inputSemantic) ?? "TEXCOORD",
            inputSet: integer(view, .inputSet))
    }

    // MARK: - Scenes

    mutating func decodeVisualScene(_ view: ElementView) -> ColladaDocument.VisualScene {
        ColladaDocument.VisualScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            nodes: view.all(.node).units)
    }

    mutating func decodeScene(_ view: ElementView) -> Int? {
        let nodes = view.all(.node).units
        let physicsScenes = view.all(.instancePhysicsScene).map { requiredReference($0, .url) }
        let kinematicsScenes = view.all(.instanceKinematicsScene).map { decodeInstanceKinematicsScene($0) }
        if nodes.isEmpty {
            document.scene = .init(
                visualScene: view.first(.instanceVisualScene).map { requiredReference($0, .url) },
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

extension ElementName {
    fileprivate var isTransform: Bool {
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
