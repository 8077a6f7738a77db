import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
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
        #expect(kinds == Set(DaeScene.Mesh.Primitive.Kind.allCases))
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

    @Test func theScenesHaveAllOfPhysics() {
        let physics = (0..<UInt64(200)).map { RandomScene(seed: $0).scene.physics }
        let bodies = physics.flatMap(\.models).flatMap(\.bodies)
        let shapes = bodies.flatMap(\.properties.shapes).map(\.form)
        let names = shapes.compactMap { form -> String? in
            switch form {
            case .primitive(let primitive): primitive.name
            case .geometry: "geometry"
            case .missing: nil
            }
        }
        #expect(
            Set(names) == [
                "plane", "box", "sphere", "cylinder", "capsule", "tapered_cylinder", "tapered_capsule", "geometry",
            ])
        let anchors = physics.flatMap(\.models).flatMap(\.constraints).flatMap {
            [$0.reference.anchor, $0.attachment.anchor]
        }
        #expect(anchors.contains(.world))
        #expect(anchors.contains { if case .node = $0 { true } else { false } })
        #expect(anchors.contains { if case .body = $0 { true } else { false } })
        #expect(physics.flatMap(\.models).count { !$0.instances.isEmpty } > 20)
        #expect(physics.flatMap(\.scenes).flatMap(\.instances).flatMap(\.bodies).count { $0.node != nil } > 20)
        #expect(physics.flatMap(\.scenes).flatMap(\.instances).count { !$0.constraints.isEmpty } > 20)
        #expect(physics.flatMap(\.materials).count { $0.id == nil } > 20)
        #expect(physics.count { !$0.active.isEmpty } > 20)
    }

    @Test func theScenesHaveAllOfKinematics() {
        let kinematics = (0..<UInt64(200)).map { RandomScene(seed: $0).scene.kinematics }
        let models = kinematics.flatMap(\.models)
        let attachments = models.flatMap(\.links).flatMap(\.attachments)
        #expect(attachments.count { $0.role == .closes } > 5)
        #expect(attachments.count { $0.role == .carries && $0.end != nil } > 5)
        #expect(attachments.count { $0.end == nil } > 20)
        #expect(models.flatMap(\.formulas).count { !$0.sources.isEmpty } > 20)
        #expect(models.flatMap(\.joints).contains { $0.axes.count > 1 })
        let systems = kinematics.flatMap(\.systems)
        #expect(systems.count { if case .motion = $0.kind { !$0.axes.isEmpty } else { false } } > 10)
        #expect(systems.count { if case .kinematics = $0.kind { !$0.axes.isEmpty } else { false } } > 10)
        #expect(kinematics.flatMap(\.active).flatMap(\.models).count { $0.instance != nil } > 10)
        #expect(kinematics.flatMap(\.active).flatMap(\.axes).count { $0.transform != nil && $0.value != nil } > 10)
    }

    /// Parts in other documents, which refer back and to each other.
    @Test(arguments: [2, 3])
    func inHowManyDocumentsItIsWrittenDoesNotMatter(documents: Int) throws {
        var compared = 0
        var moved: Set<String> = []
        for seed in Self.seeds {
            let random = RandomScene(seed: seed)
            let texts = ColladaWriter.write(random, documents: documents, seed: seed)
            let shelf = DocumentShelf(Dictionary(uniqueKeysWithValues: texts.map { ($0.path, $0.text) }))
            let (scene, linked, findings) = try shelf.scene(of: texts[0].path)
            // The scene's lists are in the order in which the documents are met; one that nothing leads to is not read.
            guard texts.count > 1, linked.paths == texts.map(\.path) else { continue }
            compared += 1
            let odd = firstOdd(of: findings)
            #expect(odd == nil, "seed \(seed): \(odd?.code.rawValue ?? "") \(odd?.message ?? "")")
            moved.formUnion(linked.document.partsElsewhere)
            var (found, expected) = (scene.withRoots(of: random.scene).normalised, random.scene.normalised)
            // Where a relative path starts is all that may differ.
            for index in found.images.indices { found.images[index].base = nil }
            expected.images = expected.images.map { image in
                var image = image
                image.base = nil
                return image
            }
            guard found != expected else { continue }
            Issue.record("seed \(seed): \(ValueDifference.first(found, expected, at: "scene") ?? "in no part")")
        }
        #expect(compared > Self.seeds.count / (documents == 2 ? 2 : 10))
        #expect(moved == ["geometry", "controller", "material", "image", "camera", "light", "node", "physics_model"])
    }

    // MARK: - Shared

    /// Channels and lookats are drawn at random: two may well move the same, and an up may be along its view.
    private func firstOdd(of findings: [Finding]) -> Finding? {
        findings.first {
            $0.severity >= .warning && ![.animationDuplicateTarget, .nodeLookatDegenerate].contains($0.code)
        }
    }

    private func check(_ seed: UInt64, style: UInt64, chunk: Int = 1 << 16) {
        let random = RandomScene(seed: seed)
        let text = ColladaWriter.write(random, seed: style)
        let outcome = Outcome(Array(text.utf8), chunk: chunk)
        #expect(outcome.failure == nil, "seed \(seed), style \(style)")
        let odd = firstOdd(of: outcome.findings)
        #expect(odd == nil, "seed \(seed), style \(style): \(odd?.code.rawValue ?? "") \(odd?.message ?? "")")
        let (found, expected) = (outcome.scene.withRoots(of: random.scene).normalised, random.scene.normalised)
        guard found != expected else { return }
        Issue.record(
            "seed \(seed), style \(style): \(ValueDifference.first(found, expected, at: "scene") ?? "in no part")")
    }
}

extension Scene {
    /// Without the skeletons that were put behind its roots, for they stood nowhere.
    fileprivate func withRoots(of other: Scene) -> Scene {
        var scene = self
        scene.roots = Array(roots.prefix(other.roots.count))
        return scene
    }
}

extension ColladaDocument {
    /// The elements of which some stand in another document than the first.
    fileprivate var partsElsewhere: Set<String> {
        let parts: [(String, [XMLPosition])] = [
            ("geometry", geometries.map(\.position)), ("controller", controllers.map(\.position)),
            ("material", materials.map(\.position)), ("image", images.map(\.position)),
            ("camera", cameras.map(\.position)), ("light", lights.map(\.position)), ("node", nodes.map(\.position)),
            ("physics_model", physicsModels.map(\.position)),
        ]
        return Set(parts.filter { $0.1.contains { $0.document > 0 } }.map(\.0))
    }
}
