import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// From a document's skins to joints, influences and findings.
@Suite struct SkinTests {
    /// A skin of the four positions of ``Mesh``, each with one influence, and two joints `A` and `B`.
    struct Parts {
        var bindShape = "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>"
        var joints = "<Name_array id='ja' count='2'>A B</Name_array>"
        var jointAccessor = "<accessor source='#ja' count='2'/>"
        var inverses = "<float_array id='ia' count='32'>\(unit) \(unit)</float_array>"
        var inverseAccessor = "<accessor source='#ia' count='2' stride='16'/>"
        var weights = "<float_array id='wa' count='3'>1 0.25 0.75</float_array>"
        var weightAccessor = "<accessor source='#wa' count='3'/>"
        var count = "4"
        var vcount = "1 1 1 2"
        var v = "0 0 1 0 -1 0 0 1 1 2"
        var skeleton = "<skeleton>#root</skeleton>"
        /// Within the node `n`, which holds the instance.
        var nodes = "<node id='root' sid='A'><node id='b' sid='B'/></node>"

        static let unit = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

        var outcome: Outcome { outcome(Document()) }

        var library: String {
            """
            <library_controllers><controller id='s'><skin source='#g'>\(bindShape)
            <source id='j'>\(joints)<technique_common>\(jointAccessor)</technique_common></source>
            <source id='i'>\(inverses)<technique_common>\(inverseAccessor)</technique_common></source>
            <source id='w'>\(weights)<technique_common>\(weightAccessor)</technique_common></source>
            <joints><input semantic='JOINT' source='#j'/><input semantic='INV_BIND_MATRIX' source='#i'/></joints>
            <vertex_weights count='\(count)'><input semantic='JOINT' source='#j' offset='0'/>
            <input semantic='WEIGHT' source='#w' offset='1'/><vcount>\(vcount)</vcount><v>\(v)</v></vertex_weights>
            </skin></controller></library_controllers>
            """
        }

        func outcome(_ document: Document) -> Outcome {
            document.with(
                Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>") + library,
                node: "\(nodes)<instance_controller url='#s'>\(skeleton)</instance_controller>")
        }
    }

    @Test func aSkinHasItsJointsInfluencesAndMatrices() throws {
        let outcome = Parts().outcome
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let skin = try #require(outcome.scene.skin)
        #expect(skin.joints == ["A", "B"])
        #expect(skin.inverseBinds == [.identity, .identity])
        #expect(skin.triples == ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.25", "3 1 0.75"])
        #expect(skin.influences.unnormalizedVertices(joints: 2) == 0)
        #expect(outcome.scene.joints == ["root", "b"])
        #expect(outcome.scene.controllers.first?.source == .geometry(SceneIndex(0)))
    }

    @Test func accessorsSayWhereJointsMatricesAndWeightsStand() throws {
        var parts = Parts()
        parts.joints = "<Name_array id='ja' count='5'>x A y B z</Name_array>"
        parts.jointAccessor = "<accessor source='#ja' count='2' offset='1' stride='2'/>"
        parts.inverses =
            "<float_array id='ia' count='35'>9 2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1 9 3 0 0 0 0 3 0 0 0 0 3 0 0 0 0 1 9</float_array>"
        parts.inverseAccessor = "<accessor source='#ia' count='2' offset='1' stride='17'/>"
        parts.weights = "<float_array id='wa' count='7'>7 7 1 7 0.25 7 0.75</float_array>"
        parts.weightAccessor =
            "<accessor source='#wa' count='3' offset='1' stride='2'><param/><param name='WEIGHT'/></accessor>"
        let outcome = parts.outcome
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let skin = try #require(outcome.scene.skin)
        #expect(skin.joints == ["A", "B"])
        #expect(skin.inverseBinds.map(\.columns.0.x) == [2, 3])
        #expect(skin.triples == ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.25", "3 1 0.75"])
    }

    /// A stride that is left out is 1, which no matrix can have.
    @Test func matricesWithoutAStrideStandOneBehindTheOther() throws {
        var parts = Parts()
        parts.inverseAccessor = "<accessor source='#ia' count='2'/>"
        let outcome = parts.outcome
        #expect(outcome.scene.skin?.inverseBinds == [.identity, .identity])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    @Test func anArrayMayStandInAnotherSourceOfTheSkin() throws {
        var parts = Parts()
        parts.weightAccessor = "<accessor source='#ia' count='16'/>"
        parts.v = "0 0 1 0 0 5 0 5 1 1"
        let skin = try #require(parts.outcome.scene.skin)
        #expect(skin.triples == ["0 0 1.0", "1 1 1.0", "2 0 1.0", "3 0 1.0", "3 1 0.0"])
    }

    // MARK: - What is odd

    private static let oddities: [(any WritableKeyPath<Parts, String> & Sendable, String, [FindingCode], [String])] = [
        (\.count, "5", [.skinVcountMismatch], ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.25", "3 1 0.75"]),
        (
            \.vcount, "1 1 1", [.skinVCount, .skinVcountMismatch, .skinVertexCountMismatch],
            ["0 0 1.0", "1 1 1.0", "2 - 1.0"]
        ),
        (
            \.vcount, "1 1 1 9", [.skinVCount, .skinTooManyInfluences],
            ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.25", "3 1 0.75"]
        ),
        (
            \.vcount, "-1 1 1 2", [.skinVCount, .skinVcountMismatch, .skinWeightsNotNormalized],
            ["1 0 1.0", "2 1 1.0", "3 - 1.0", "3 0 0.25"]
        ),
        (
            \.vcount, "2147483647 1 1 2", [.skinVCount, .skinTooManyInfluences],
            ["0 0 1.0", "0 1 1.0", "0 - 1.0", "0 0 0.25", "0 1 0.75"]
        ),
        (\.v, "0 0 1 0 -1 0 0 1", [.skinVCount], ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.25"]),
        (
            \.v, "2 0 -2 0 -1 0 0 1 1 2", [.skinJointIndexOutOfBounds],
            ["2 - 1.0", "3 0 0.25", "3 1 0.75"]
        ),
        (
            \.v, "0 0 1 3 -1 -1 0 1 1 2", [.skinWeightIndexOutOfBounds, .skinWeightsNotNormalized],
            ["0 0 1.0", "3 0 0.25", "3 1 0.75"]
        ),
        (
            \.weights, "<float_array id='wa' count='3'>1 -0.5 1.5</float_array>", [.skinWeightsNegative],
            ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 -0.5", "3 1 1.5"]
        ),
        (
            \.weights, "<float_array id='wa' count='3'>1 0.5 0.75</float_array>", [.skinWeightsNotNormalized],
            ["0 0 1.0", "1 1 1.0", "2 - 1.0", "3 0 0.5", "3 1 0.75"]
        ),
        (
            \.weights, "<float_array id='wa' count='3'>0 0.25 0.75</float_array>", [.skinWeightsNotNormalized],
            ["0 0 0.0", "1 1 0.0", "2 - 0.0", "3 0 0.25", "3 1 0.75"]
        ),
    ]

    @Test(arguments: oddities.indices)
    func oddInfluencesAreToldAndTheOthersStay(index: Int) throws {
        let (path, text, codes, triples) = Self.oddities[index]
        var parts = Parts()
        parts[keyPath: path] = text
        let outcome = parts.outcome
        #expect(Set(outcome.codes) == Set(codes), "\(outcome.findings.map(\.message))")
        #expect(outcome.scene.skin?.triples == triples)
        var options = ColladaOptions()
        options.retention = .figures
        let figures = Outcome(Array(textOf(parts).utf8), options: options)
        #expect(figures.codes == outcome.codes)
        #expect(figures.scene.skin?.joints == ["A", "B"])
        #expect(figures.scene.skin?.triples == triples)
    }

    private func textOf(_ parts: Parts) -> String {
        var document = Document()
        document.body = Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>") + parts.library
        document.node = "\(parts.nodes)<instance_controller url='#s'>\(parts.skeleton)</instance_controller>"
        return document.text
    }

    @Test func matricesThatAreMissingOrFlatAreTold() throws {
        var parts = Parts()
        parts.inverses = "<float_array id='ia' count='16'>0 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array>"
        let outcome = parts.outcome
        #expect(Set(outcome.codes) == [.skinInverseBindCount, .skinInverseBindNonInvertible])
        let matrices = try #require(outcome.scene.skin?.inverseBinds)
        #expect(matrices.map(\.columns.0.x) == [0, 1])
        parts.inverses = "<float_array id='ia' count='32'>NaN 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 \(Parts.unit)</float_array>"
        #expect(parts.outcome.scene.skin?.inverseBinds == [.identity, .identity])
        #expect(parts.outcome.codes == [.numberNonFinite, .skinInverseBindNonInvertible])
    }

    @Test func aBindShapeThatIsMissingIsTheIdentity() {
        var parts = Parts()
        parts.bindShape = ""
        #expect(parts.outcome.codes == [.skinBindShapeMissing])
        #expect(parts.outcome.first(.skinBindShapeMissing)?.severity == .info)
        #expect(parts.outcome.scene.skin?.bindShape == .identity)
    }

    // MARK: - Chains

    @Test func aSkinOnASkinIsTold() {
        let outcome = Document().with(
            Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
                + Parts().library.replacing("source='#g'", with: "source='#t'")
                + Parts().library.replacing("id='s'", with: "id='t'"))
        #expect(outcome.codes.filter { $0 == .controllerChainUnsupported }.count == 1)
        #expect(outcome.first(.controllerChainUnsupported)?.place.elementID == "s")
        #expect(outcome.scene.chain(from: SceneIndex(0)) == [SceneIndex(0), SceneIndex(1)])
    }
}

extension Scene {
    /// Of the first controller.
    var skin: Skin? {
        guard case .skin(let skin)? = controllers.first?.kind else { return nil }
        return skin
    }

    /// The skeleton of the first instance of a controller.
    var skeleton: Skeleton? {
        for case .controller(_, let skeleton, materials: _) in nodes.flatMap(\.instances) { return skeleton }
        return nil
    }

    /// The ids of its joints' nodes; a dash for one that was not found.
    var joints: [String]? { skeleton?.joints.map { $0.map { nodes[$0].id ?? "?" } ?? "-" } }
}

extension Skin {
    /// Each influence as vertex, joint and weight; a dash for the bind shape.
    var triples: [String] {
        var triples: [String] = []
        influences.forEach(joints: joints.count) { vertex, joint, weight in
            switch joint {
            case .joint(let index): triples.append("\(vertex) \(index) \(weight)")
            case .bindShape: triples.append("\(vertex) - \(weight)")
            }
        }
        return triples
    }
}
