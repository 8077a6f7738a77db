// Nearly every instance binds what its mesh asks for. That is seen here without making anything; what is not sound, or
// too large to be seen at a glance, is looked into for what to tell.

import SceneModel

extension ColladaDocument.Geometry.Kind {
    /// Whether there is nothing to tell of a list of bindings: each symbol of the mesh is bound and each bound one is
    /// its own, and every texture's coordinates are bound to an input that is there.
    ///
    /// - Parameter texcoords: By material, the names of its texture coordinates.
    func isSound(with bindings: [MaterialBinding], _ texcoords: [[String]]) -> Bool {
        switch self {
        case .mesh(let mesh), .convexMesh(let mesh, hullOf: _): mesh.isSound(with: bindings, texcoords)
        case .spline, .brep, .empty: bindings.isEmpty
        }
    }
}

extension ColladaDocument.Mesh {
    /// Of primitives, bindings, names and inputs.
    private static var mostAtAGlance: Int { 8 }

    fileprivate func isSound(with bindings: [MaterialBinding], _ texcoords: [[String]]) -> Bool {
        guard primitives.count <= Self.mostAtAGlance, bindings.count <= Self.mostAtAGlance,
            vertices.count <= Self.mostAtAGlance
        else { return false }
        // By index: what is taken out of its list would be copied.
        for index in primitives.indices {
            guard let symbol = primitives[index].material, !symbol.isEmpty else { continue }
            guard bindings.contains(where: { $0.symbol == symbol }) else { return false }
        }
        return bindings.allSatisfy { binding in
            guard !binding.symbol.isEmpty,
                primitives.indices.contains(where: { primitives[$0].material == binding.symbol })
            else { return false }
            guard let material = binding.material else { return true }
            return isSound(with: binding, texcoords[material.value])
        }
    }

    private func isSound(with binding: MaterialBinding, _ names: [String]) -> Bool {
        guard names.count <= Self.mostAtAGlance, binding.vertexInputs.count <= Self.mostAtAGlance else { return false }
        return names.allSatisfy { name in
            guard let bound = binding.vertexInput(for: name) else { return false }
            return primitives.indices.allSatisfy { index in
                primitives[index].material != binding.symbol || hasInput(bound, in: primitives[index].inputs)
            }
        }
    }

    private func hasInput(_ bound: MaterialBinding.VertexInput, in inputs: [ColladaDocument.Input]) -> Bool {
        guard inputs.count <= Self.mostAtAGlance else { return false }
        return inputs.contains { input in
            guard input.semantic == "VERTEX" else { return input.isMeant(by: bound) }
            return vertices.contains { $0.isMeant(by: bound) }
        }
    }
}

extension ColladaDocument.Input {
    fileprivate func isMeant(by bound: MaterialBinding.VertexInput) -> Bool {
        guard semantic == bound.inputSemantic else { return false }
        guard let wanted = bound.inputSet else { return true }
        // A missing set counts as 0.
        return (set ?? 0) == wanted
    }
}
