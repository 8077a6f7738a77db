import SceneModel

/// What becomes of what morph targets have beside positions.
enum TargetLosses {
    /// Tells what a primitive's targets have and the file does not.
    ///
    /// - Parameters:
    ///   - targets: In the morph's order.
    ///   - packed: The base, as it is written.
    static func tell(
        _ targets: [ShapeTarget], _ packed: PackedPrimitive, _ report: inout FidelityReport, at place: String?
    ) {
        guard !targets.isEmpty else { return }
        let names = packed.attributes.map(\.name)
        // Without them in the base they have nothing to be added to.
        if names.contains("NORMAL"), !packed.targetAttributes.contains(where: { $0.name == "NORMAL" }) {
            report.add(.dropped, .morphNormals, count: targets.count { $0.mesh?.has([.normal]) == true }, at: place)
        }
        if names.contains("TANGENT") {
            report.add(
                .dropped, .morphTangents, count: targets.count { $0.mesh?.has([.tangent, .textangent]) == true },
                at: place)
        }
        report.add(.dropped, .morphColors, count: packed.targetsWithoutTwin, at: place)
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
