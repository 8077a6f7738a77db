import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeNode(_ view: ElementView) -> ColladaDocument.Node {
        var node = ColladaDocument.Node(
            id: view.attribute(.id), name: view.attribute(.name), sid: view.attribute(.sid), position: view.position,
            kind: kind(of: view), transforms: [], contents: [])
        for child in view.children {
            if let transform = decodeTransform(child) {
                node.transforms.append(.init(sid: child.attribute(.sid), transform: transform))
            } else if let content = decodeContent(child) {
                noteSID(of: child, at: node.contents.count)
                node.contents.append(content)
            }
        }
        return node
    }

    /// Notes an instance's sid for the node that is being decoded, which comes next in the list.
    private func noteSID(of view: ElementView, at content: Int) {
        guard view.name != .node, let sid = view.attribute(.sid), !sid.isEmpty else { return }
        document.instanceSIDs[document.nodes.count, default: []].append(.init(content: content, sid: sid))
    }

    private func kind(of view: ElementView) -> Node.Kind {
        guard let type = view.attribute(.type) else { return .node }
        if let kind = Node.Kind(rawValue: type) { return kind }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the node's type is \(type.prefix(40).debugDescription); expected NODE or JOINT; read as NODE")
        return .node
    }

    // MARK: - Transforms

    func decodeTransform(_ view: ElementView) -> Transform? {
        switch view.name {
        case .matrix: return numbers(in: view, count: 16).flatMap { Matrix4(rows: $0) }.map { .matrix($0) }
        case .translate: return vectors(in: view, count: 3).map { .translate($0[0]) }
        case .scale: return vectors(in: view, count: 3).map { .scale($0[0]) }
        case .rotate: return numbers(in: view, count: 4).map { .rotate(axis: SIMD3($0[0..<3]), degrees: $0[3]) }
        case .skew:
            return numbers(in: view, count: 7).map {
                .skew(degrees: $0[0], from: SIMD3($0[1..<4]), along: SIMD3($0[4..<7]))
            }
        case .lookat: return vectors(in: view, count: 9).map { .lookat(eye: $0[0], interest: $0[1], up: $0[2]) }
        default: return nil  // element names: every other one is no transform
        }
    }

    private func vectors(in view: ElementView, count: Int) -> [SIMD3<Double>]? {
        numbers(in: view, count: count).map { values in
            stride(from: 0, to: count, by: 3).map { SIMD3(values[$0..<$0 + 3]) }
        }
    }

    // MARK: - Instances

    private func decodeContent(_ view: ElementView) -> ColladaDocument.Node.Content? {
        switch view.name {
        case .node: return view.unit.map { .node($0) }
        case .instanceNode: return .instanceNode(requiredReference(view, .url))
        case .instanceGeometry: return .instanceGeometry(requiredReference(view, .url), materials: materials(of: view))
        case .instanceController:
            let skeletons = view.all(.skeleton).map {
                ColladaDocument.Reference(text: $0.text, position: $0.position)
            }
            return .instanceController(
                requiredReference(view, .url), skeletons: skeletons, materials: materials(of: view))
        case .instanceCamera: return .instanceCamera(requiredReference(view, .url))
        case .instanceLight: return .instanceLight(requiredReference(view, .url))
        case .instance: return .instance(requiredReference(view, .url))
        default: return nil  // element names: every other one is no instance
        }
    }

    private func materials(of view: ElementView) -> [ColladaDocument.InstanceMaterial] {
        (view.first(.bindMaterial, .techniqueCommon)?.all(.instanceMaterial) ?? []).map {
            .init(
                symbol: $0.attribute(.symbol) ?? "", target: requiredReference($0, .target),
                vertexInputs: $0.all(.bindVertexInput).map { vertexInput($0) },
                parameters: $0.all(.bind).map {
                    .init(semantic: $0.attribute(.semantic) ?? "", target: $0.attribute(.target)?.trimmed ?? "")
                })
        }
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
            nodes: view.all(.node).compactMap(\.unit))
    }

    func decodeScene(_ view: ElementView) -> Int {
        let nodes = view.all(.node).compactMap(\.unit)
        let physicsScenes = view.all(.instancePhysicsScene).map { requiredReference($0, .url) }
        let kinematicsScenes = view.all(.instanceKinematicsScene).map(decodeInstanceKinematicsScene)
        if nodes.isEmpty {
            document.scene = .init(
                visualScene: view.first(.instanceVisualScene).map { requiredReference($0, .url) },
                physicsScenes: physicsScenes, kinematicsScenes: kinematicsScenes)
            return -1
        }
        // 1.3 has its nodes in the scene itself.
        document.scene = .init(own: document.visualScenes.count)
        document.visualScenes.append(
            .init(id: view.attribute(.id), name: view.attribute(.name), position: view.position, nodes: nodes))
        return -1
    }
}

extension SIMD3<Double> {
    /// From the first three values.
    fileprivate init(_ values: ArraySlice<Double>) {
        let start = values.startIndex
        self.init(values[start], values[start + 1], values[start + 2])
    }
}
