import SceneModel

/// What becomes of the normals and tangents of morph targets.
enum TargetDirections {
    /// Tells those that a primitive's targets have and the file does not.
    ///
    /// - Parameters:
    ///   - targets: In the morph's order; `nil` for one that is no mesh.
    ///   - packed: The base, as it is written.
    static func tell(
        _ targets: [Mesh?], _ packed: PackedPrimitive, _ report: inout FidelityReport, at place: String?
    ) {
        guard !targets.isEmpty else { return }
        let names = packed.attributes.map(\.name)
        // Without them in the base they have nothing to be added to.
        if names.contains("NORMAL"), packed.targetNormals.isEmpty {
            report.add(.dropped, .morphNormals, count: targets.count { $0?.has([.normal]) == true }, at: place)
        }
        if names.contains("TANGENT") {
            report.add(
                .dropped, .morphTangents, count: targets.count { $0?.has([.tangent, .textangent]) == true }, at: place)
        }
    }
}

extension Mesh {
    fileprivate func has(_ semantics: [Semantic]) -> Bool {
        primitives.contains { primitive in
            primitive.inputs.contains { input in
                streams.indices.contains(input.stream) && semantics.contains(streams[input.stream].semantic)
            }
        }
    }
}
