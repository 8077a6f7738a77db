import DaeScene

extension Scene {
    /// Drops texture coordinates from geometries that are nowhere shown in a material with a texture.
    ///
    /// - Parameter report: Is told of each.
    /// - Complexity: O(instances + primitives).
    mutating func dropUnusedCoordinates(_ report: inout FidelityReport) {
        var isTextured = [Bool](repeating: false, count: geometries.count)
        func note(_ geometry: SceneIndex<Geometry>?, _ bindings: [MaterialBinding]) {
            guard let geometry, isTextured.indices.contains(geometry.value) else { return }
            let hasTextures = bindings.contains { $0.material.map { !materials[$0].textures.isEmpty } ?? false }
            if hasTextures { isTextured[geometry.value] = true }
        }
        for node in nodes {
            for instance in node.instances {
                switch instance {
                case .geometry(let geometry, let bindings): note(geometry, bindings)
                case .controller(let controller, skeleton: _, let bindings):
                    note(controllers[controller].base, bindings)
                case .camera, .light: break
                }
            }
        }
        for index in geometries.indices where !isTextured[index] {
            guard let mesh = geometries[index].mesh else { continue }
            var hasDropped = false  // a finding about its primitives
            for place in mesh.primitives.indices {
                let kept = mesh.primitives[place].inputs.filter { input in
                    !mesh.streams.indices.contains(input.stream) || !mesh.streams[input.stream].semantic.isTexcoord
                }
                guard kept.count < mesh.primitives[place].inputs.count else { continue }
                geometries[index].mesh?.primitives[place].inputs = kept
                hasDropped = true
            }
            if hasDropped {
                report.add(.dropped, .unusedCoordinates, at: geometries[index].id ?? geometries[index].name)
            }
        }
    }
}
