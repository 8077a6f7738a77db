import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeNode(_ view: ElementView) -> ColladaDocument.Node {
        let kind = kind(of: view)
        lists.beginSIDs()
        lists.beginTransforms()
        let first = contents.count
        let strayBinding = strayBinding(of: view)
        for child in view.children {
            if child.name.isTransform {
                guard let transform = decodeTransform(child) else { continue }
                lists.transforms.append(transform)
                lists.addSID(of: child)
            } else if appendContent(child, strayBinding) {
                noteSID(of: child, at: contents.count - 1 - first)
            }
        }
        let id = view.attribute(.id)
        var record = NodeRecord(
            id: id, name: name(of: view, id: id), sid: view.attribute(.sid), kind: kind, transforms: lists.transforms,
            transformSIDs: lists.endSIDs())
        if view.raws.contains(where: \.hidesNode) { record.isHidden = true }
        return ColladaDocument.Node(
            record: record, position: view.position, contents: .init(contents, from: first))
    }

    /// Notes an instance's sid for the node that is being decoded, which comes next in the list.
    private func noteSID(of view: ElementView, at content: Int) {
        guard view.name != .node, let sid = view.attribute(.sid), !sid.isEmpty else { return }
        document.instanceSIDs[document.nodes.count, default: []].append(.init(content: content, sid: sid))
    }

    private func kind(of view: ElementView) -> Node.Kind {
        guard !view.has(.type, "NODE"), let type = view.attribute(.type) else { return .node }
        if let kind = Node.Kind(rawValue: type) { return kind }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the node's type is \(type.quoted(40)); expected NODE or JOINT; read as NODE")
        return .node
    }

    // MARK: - Transforms

    func decodeTransform(_ view: ElementView) -> Transform? {
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
    private func strayBinding(of node: ElementView) -> ElementView? {
        guard let binding = node.first(.bindMaterial), mends else { return nil }
        let drawn = node.children.count { $0.name == .instanceGeometry || $0.name == .instanceController }
        return drawn == 1 ? binding : nil
    }

    /// - Parameter strayBinding: Of an instance that has none.
    /// - Returns: Whether the element is a content of its node.
    private func appendContent(_ view: ElementView, _ strayBinding: ElementView?) -> Bool {
        switch view.name {
        case .node:
            guard !view.units.isEmpty else { return false }
            for unit in view.units { contents.append(node: Int(unit)) }
        case .instanceNode: appendInstance(.node, view)
        case .instanceGeometry:
            let reference = givenReference(view, .url)
            let first = contents.materialCount
            appendMaterials(of: view, strayBinding)
            contents.append(.geometry, reference, materialsFrom: first)
        case .instanceController:
            let skeletons = view.all(.skeleton).map {
                let root = ColladaDocument.Reference(text: $0.text, position: $0.position)
                return mends ? root : root.refusedWithoutHash
            }
            let reference = givenReference(view, .url)
            let first = contents.materialCount
            appendMaterials(of: view, strayBinding)
            contents.append(.controller, reference, materialsFrom: first, skeletons: skeletons)
        case .instanceCamera: appendInstance(.camera, view)
        case .instanceLight: appendInstance(.light, view)
        case .instance: appendInstance(.any, view)
        default: return false  // element names: every other one is no instance
        }
        return true
    }

    private func appendInstance(_ kind: ContentStore.Kind, _ view: ElementView) {
        contents.append(kind, givenReference(view, .url), materialsFrom: contents.materialCount)
    }

    /// A reference that must be there; nearly all are within the document, and no text is made of those.
    private func givenReference(_ view: ElementView, _ attribute: AttributeName) -> ContentStore.Given {
        if let text = view.bytes(of: attribute)?.trimmed, text.first == UInt8(ascii: "#") {
            return .local(UnsafeRawBufferPointer(rebasing: text[1...]), view.position)
        }
        return .other(requiredReference(view, attribute))
    }

    private func appendMaterials(of view: ElementView, _ strayBinding: ElementView?) {
        guard let bound = view.first(.bindMaterial, .techniqueCommon) ?? looseMaterials(of: view, strayBinding) else {
            return
        }
        for element in bound.all(.instanceMaterial) {
            let target = givenReference(element, .target)
            // Many exporters make the material's id its symbol, which then needs no memory.
            let isTargets: Bool =
                switch target {
                case .local(let id, _): element.bytes(of: .symbol)?.isSame(as: id) ?? false
                case .other(let reference): element.says(.symbol, reference.withoutHash)
                }
            contents.appendMaterial(
                target, symbol: isTargets ? nil : common(.symbol, of: element) ?? "",
                vertexInputs: vertexInputs(of: element), parameters: parameters(of: element))
        }
    }

    /// What holds the materials of an instance where a level between the two is missing, or they stand one too high.
    private func looseMaterials(of view: ElementView, _ strayBinding: ElementView?) -> ElementView? {
        guard mends else { return nil }
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

    private func parameters(of view: ElementView) -> [MaterialBinding.Parameter] {
        let elements = view.all(.bind)
        guard !elements.isEmpty else { return [] }
        return elements.map {
            .init(semantic: $0.attribute(.semantic) ?? "", target: $0.trimmedAttribute(.target) ?? "")
        }
    }

    private func vertexInputs(of view: ElementView) -> [MaterialBinding.VertexInput] {
        let inputs = view.all(.bindVertexInput).map { vertexInput($0) }
        if inputs == lists.vertexInputs { return lists.vertexInputs }
        lists.vertexInputs = inputs
        return inputs
    }

    private func vertexInput(_ view: ElementView) -> MaterialBinding.VertexInput {
        .init(
            semantic: view.attribute(.semantic) ?? "", inputSemantic: view.attribute(.inputSemantic) ?? "TEXCOORD",
            inputSet: integer(view, .inputSet))
    }

    // MARK: - Scenes

    func decodeVisualScene(_ view: ElementView) -> ColladaDocument.VisualScene {
        ColladaDocument.VisualScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            nodes: view.all(.node).units)
    }

    func decodeScene(_ view: ElementView) -> Int? {
        let nodes = view.all(.node).units
        let physicsScenes = view.all(.instancePhysicsScene).map { requiredReference($0, .url) }
        let kinematicsScenes = view.all(.instanceKinematicsScene).map(decodeInstanceKinematicsScene)
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
