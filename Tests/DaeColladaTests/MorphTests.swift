import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// From a document's morphs to targets, weights and findings.
@Suite struct MorphTests {
    private static func geometry(_ id: String, _ values: String) -> String {
        let count = values.split(separator: " ").count
        // Targets need no faces.
        let faces =
            id == "base"
            ? "<triangles count='1'><input semantic='VERTEX' source='#\(id)v' offset='0'/><p>0 1 2</p></triangles>" : ""
        return """
            <geometry id='\(id)'><mesh><source id='\(id)p'><float_array id='\(id)a' count='\(count)'>\(values)</float_array>
            <technique_common><accessor source='#\(id)a' count='\(count / 3)' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor></technique_common></source>
            <vertices id='\(id)v'><input semantic='POSITION' source='#\(id)p'/></vertices>
            \(faces)</mesh></geometry>
            """
    }

    static func document(
        method: String = " method='RELATIVE'", targets: String = "one two", weights: String = "0.5 0.25",
        count: Int = 2,
        more: String = "", instance: String = "<instance_controller url='#m'/>"
    ) -> Outcome {
        Document().with(
            """
            <library_geometries>\(geometry("base", "0 0 0 1 0 0 0 1 0"))\(geometry("one", "0 0 1 0 0 1 0 0 1"))\(geometry("two", "4 0 0 4 0 0 4 0 0"))
            \(geometry("short", "1 1 1"))</library_geometries>
            <library_controllers><controller id='m'><morph source='#base'\(method)>
            <source id='t'><IDREF_array id='ta' count='\(count)'>\(targets)</IDREF_array><technique_common><accessor source='#ta' count='\(count)'/></technique_common></source>
            <source id='w'><float_array id='wa' count='\(weights.split(separator: " ").count)'>\(weights)</float_array></source>
            <targets><input semantic='MORPH_TARGET' source='#t'/><input semantic='MORPH_WEIGHT' source='#w'/></targets>
            </morph></controller>\(more)</library_controllers>
            """, node: instance)
    }

    private func morph(_ outcome: Outcome) throws -> Morph {
        var morphs: [Morph] = []
        for case .morph(let morph)? in outcome.scene.controllers.map(\.kind) { morphs.append(morph) }
        return try #require(morphs.first)
    }

    private func positions(_ outcome: Outcome) throws -> [Double] {
        let pose = PoseEvaluator(scene: outcome.scene, channels: [])
        let deformer = Deformer(scene: outcome.scene, pose: pose)
        let instance = try #require(outcome.scene.nodes.last?.instances.first)
        return try #require(deformer.positions(of: instance, placedBy: .identity))
    }

    @Test func aMorphHasItsTargetsAndWeights() throws {
        let outcome = Self.document()
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let morph = try morph(outcome)
        #expect(morph.method == .relative)
        #expect(morph.targets.map(\.geometry) == [SceneIndex(1), SceneIndex(2)])
        #expect(morph.weights == [0.5, 0.25])
    }

    @Test func relativeAddsAndNormalizedBlends() throws {
        #expect(try positions(Self.document()) == [1, 0, 0.5, 2, 0, 0.5, 1, 1, 0.5])
        // A quarter of the base is left.
        #expect(try positions(Self.document(method: "")) == [1, 0, 0.5, 1.25, 0, 0.5, 1, 0.25, 0.5])
    }

    @Test func whatDoesNotFitIsTold() throws {
        let short = Self.document(targets: "one short")
        #expect(short.codes == [.morphVertexCountMismatch])
        #expect(try morph(short).targets.map(\.geometry) == [SceneIndex(1), SceneIndex(3)])
        let missing = Self.document(targets: "one nowhere")
        #expect(missing.codes.contains(.morphTargetUnresolved))
        #expect(
            try morph(missing).targets == [
                .init(reference: "one", geometry: SceneIndex(1)), .init(reference: "nowhere", geometry: nil),
            ])
        #expect(try positions(missing) == [0, 0, 0.5, 1, 0, 0.5, 0, 1, 0.5])
        let few = Self.document(weights: "0.5")
        #expect(few.codes.contains(.morphWeightCountMismatch))
        #expect(try morph(few).weights == [0.5, 0])
        let much = Self.document(method: " method='NORMALIZED'", weights: "0.75 0.75")
        #expect(much.codes.contains(.morphWeightRange))
        #expect(!Self.document(weights: "0.75 0.75").codes.contains(.morphWeightRange))
    }

    @Test func aTargetThatIsAControllerStandsForItsMesh() throws {
        let outcome = Self.document(
            targets: "one c", more: "<controller id='c'><morph source='#two'/></controller>")
        #expect(outcome.codes.contains(.morphTargetUnresolved))
        #expect(try morph(outcome).targets.map(\.geometry) == [SceneIndex(1), SceneIndex(2)])
    }

    @Test func idsWithSpacesArePutTogether() throws {
        let outcome = Document().with(
            """
            <library_geometries>\(Self.geometry("base", "0 0 0 1 0 0 0 1 0"))\(Self.geometry("my shape", "0 0 1 0 0 1 0 0 1"))</library_geometries>
            <library_controllers><controller id='m'><morph source='#base'><source id='t'><IDREF_array id='ta' count='1'>my shape</IDREF_array>
            <technique_common><accessor source='#ta' count='1'/></technique_common></source>
            <targets><input semantic='MORPH_TARGET' source='#t'/></targets></morph></controller></library_controllers>
            """, node: "<instance_controller url='#m'/>")
        #expect(try morph(outcome).targets == [.init(reference: "my shape", geometry: SceneIndex(1))])
        #expect(outcome.codes == [.skinJointNameSpaces])
    }
}
