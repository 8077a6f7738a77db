import ColladaParser
import Diagnostics
import SceneModel
import TestSupport
import Testing

/// A random scene, written as COLLADA and read back, is the same scene.
@Suite struct RoundTripTests {
    private static let seeds = 0..<UInt64(Repository.environment("DAE_TEST_FULL") == nil ? 200 : 5000)

    @Test func aSceneThatIsWrittenAndReadBackIsTheSame() {
        for seed in Self.seeds { check(seed, style: seed &+ 1_000_000) }
    }

    /// Nodes in other places, arrays shared or not, libraries in another order.
    @Test func howItIsWrittenDoesNotMatter() {
        for style in 0..<UInt64(30) { check(7, style: style) }
    }

    @Test(arguments: [1, 7, 1 << 16])
    func theChunksDoNotMatter(size: Int) {
        for seed in UInt64(0)..<6 { check(seed, style: seed, chunk: size) }
    }

    /// That the scenes have what they are to test.
    @Test func theScenesHaveEverything() {
        let scenes = (0..<UInt64(200)).map { RandomScene(seed: $0).scene }
        let kinds = Set(scenes.flatMap(\.geometries).flatMap { $0.mesh?.primitives ?? [] }.map(\.kind))
        #expect(kinds == Set(SceneModel.Mesh.Primitive.Kind.allCases))
        #expect(
            scenes.contains {
                $0.geometries.contains { $0.mesh?.primitives.contains { !$0.holeCounts.isEmpty } == true }
            })
        #expect(Set(scenes.flatMap(\.materials).compactMap(\.shading)) == Set(Shading.allCases))
        #expect(Set(scenes.flatMap(\.materials).flatMap(\.properties.keys)) == Set(Material.Property.allCases))
        #expect(Set(scenes.flatMap(\.materials).flatMap(\.details.keys)) == Set(Material.Detail.allCases))
        #expect(Set(scenes.flatMap(\.lights).compactMap(\.kind)) == Set(Light.Kind.allCases))
        let curves = scenes.flatMap(\.animations).flatMap(\.channels).map(\.curve)
        #expect(curves.contains { $0.width == 16 })
        for kind in AnimationInterpolation.allCases { #expect(curves.contains { $0.interpolations == .all(kind) }) }
        let instances = scenes.flatMap(\.nodes).flatMap(\.instances)
        let skeletons = instances.compactMap { instance -> Skeleton? in
            switch instance {
            case .controller(_, let skeleton, materials: _): skeleton
            case .geometry, .camera, .light: nil
            }
        }
        #expect(skeletons.count { !$0.joints.isEmpty } > 20)
        #expect(skeletons.allSatisfy { $0.joints.allSatisfy { $0 != nil } })
        #expect(scenes.count { $0.edges.contains { $0 > 1 } } > 20)
        #expect(scenes.count { !$0.clips.isEmpty } > 20)
        #expect(scenes.flatMap(\.materials).count { $0.textures.count > 1 } > 20)
    }

    // MARK: - Shared

    private func check(_ seed: UInt64, style: UInt64, chunk: Int = 1 << 16) {
        let random = RandomScene(seed: seed)
        let text = ColladaWriter.write(random.scene, random.version, seed: style)
        let outcome = Outcome(Array(text.utf8), chunk: chunk)
        #expect(outcome.failure == nil, "seed \(seed), style \(style)")
        let odd = outcome.findings.first { $0.severity >= .warning }
        #expect(odd == nil, "seed \(seed), style \(style): \(odd?.code.rawValue ?? "") \(odd?.message ?? "")")
        let (found, expected) = (outcome.scene.normalised, random.scene.normalised)
        guard found != expected else { return }
        Issue.record(
            "seed \(seed), style \(style): \(ValueDifference.first(found, expected, at: "scene") ?? "in no part")")
    }
}
