import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Few bytes may ask for much: what a conversion may use is bounded as a whole.
@Suite struct BudgetTests {
    private static func failure(
        _ document: SmallDocument, as format: ExportFormat = .glb,
        _ limit: (inout ConversionBudget.Limits) -> Void
    ) throws -> SceneExportError? {
        var limits = ConversionBudget.Limits()
        limit(&limits)
        let scene = try Conversion.scene(of: document.bytes)
        let folder = try TemporaryFolder()
        do throws(SceneExportError) {
            _ = try format.write(
                scene, to: "\(folder.path)/out.\(format.ending)", budget: ConversionBudget(limits))
            return nil
        } catch {
            #expect(try Repository.files(below: folder.path).isEmpty, "nothing is left behind")
            return error
        }
    }

    // MARK: - Output

    /// `doublings` nodes, each of which shows the next one twice, and a leaf with a name of a hundred letters.
    private static func doubled(_ doublings: Int, name: Int = 100) -> SmallDocument {
        var document = SmallDocument()
        let nodes = (0..<doublings).map { level in
            let next = level + 1 < doublings ? "d\(level + 1)" : "leaf"
            return "<node id=\"d\(level)\"><instance_node url=\"#\(next)\"/><instance_node url=\"#\(next)\"/></node>"
        }
        let long = String(repeating: "n", count: name)
        document.libraries = """
            <library_nodes>\(nodes.joined())<node id="leaf" name="\(long)"><instance_geometry url="#square"/></node>
            </library_nodes>
            """
        document.nodes = "<node><instance_node url=\"#d0\"/></node>"
        return document
    }

    // In USD a name is written once.
    @Test(arguments: [ExportFormat.glb, .gltf])
    func namesTimesInstancesEndAtTheBytesThatMayBeWritten(format: ExportFormat) throws {
        let document = Self.doubled(15, name: 10_000)
        let error = try #require(try Self.failure(document, as: format) { $0.output = 1_000_000 })
        #expect(error.code == .outputTooLarge && error.code.isBudget)
        #expect(try Self.failure(Self.doubled(3), as: format) { $0.output = 1_000_000 } == nil)
    }

    @Test func theTextThatIsNotSpooledCountsToo() throws {
        #expect(try Self.failure(SmallDocument()) { $0.output = 100 }?.code == .outputTooLarge)
    }

    @Test func moreMayBeWrittenOfLargerSources() {
        #expect(ConversionBudget.outputLimit(read: 0) == 256 << 20)
        #expect(ConversionBudget.outputLimit(read: 1 << 20) == 256 << 20 + 64 << 20)
        #expect(ConversionBudget.outputLimit(read: .max) == 4 << 30)
        #expect(ConversionBudget.outputLimit(read: -1) == 256 << 20)
    }

    // MARK: - Animations

    private static func curve(_ id: String, _ target: [String], times: [Double], values: [Double]) -> String {
        let animation = SmallDocument.animation(id, target[0], times: times, values: values, "LINEAR")
        let more = target.dropFirst().map { "<channel source=\"#\(id)-s\" target=\"\($0)\"/>" }.joined()
        return animation.replacing("</animation>", with: more + "</animation>")
    }

    private static func moved(_ nodes: String, _ animations: String) -> SmallDocument {
        var document = SmallDocument()
        document.libraries = "<library_animations>\(animations)</library_animations>"
        document.nodes = nodes
        return document
    }

    @Test(arguments: [1e9, 1e300, -1e18])
    func turnsWithoutEndAreNotFollowed(degrees: Double) throws {
        let document = Self.moved(
            """
            <node id="N"><rotate sid="r">1 0 0 0</rotate><rotate sid="q">0 1 0 0</rotate>
            <instance_geometry url="#square"/></node>
            """, Self.curve("A", ["N/r.ANGLE", "N/q.ANGLE"], times: [0, 1e6], values: [0, degrees]))
        let error = try #require(try Self.failure(document) { $0.evaluations = 20_000 })
        #expect(error.code == .convertWorkExceeded && error.message.contains("--fps"))
    }

    @Test func twoTurnsOfADayAreFollowed() throws {
        let document = Self.moved(
            """
            <node id="N"><rotate sid="r">1 0 0 0</rotate><rotate sid="q">0 1 0 0</rotate>
            <instance_geometry url="#square"/></node>
            """, Self.curve("A", ["N/r.ANGLE", "N/q.ANGLE"], times: [0, 10], values: [0, 1000]))
        #expect(try Self.failure(document) { $0.evaluations = 60_000 } == nil)
    }

    @Test func tangentsBeyondMeasureAreNotFollowed() throws {
        let huge = [1e300, 1e300, 1e300, 1e300, 1e300, 1e300]
        let document = Self.moved(
            "<node id=\"N\"><rotate sid=\"r\">1 0 0 0</rotate><instance_geometry url=\"#square\"/></node>",
            SmallDocument.animation(
                "A", "N/r.ANGLE", times: [0, 1e-300, 1], values: [0, 1e300, -1e300], "BEZIER",
                tangents: (incoming: huge, outgoing: huge.map { -$0 })))
        let error = try #require(try Self.failure(document) { $0.evaluations = 20_000 })
        #expect(error.code == .convertWorkExceeded)
    }

    @Test func oneOfManyChannelsOfOneNumberCounts() throws {
        let channels = [String](repeating: "N/t.X", count: 20_000)
        let document = Self.moved(
            "<node id=\"N\"><translate sid=\"t\">0 0 0</translate><instance_geometry url=\"#square\"/></node>",
            Self.curve("A", channels, times: [0, 1, 2], values: [0, 5, 1])
                + Self.curve("B", ["N/t.X"], times: [0, 1], values: [0, 2]))
        let checker = try Conversion(document.bytes).checker
        let file = try #require(checker.file)
        let animation = try #require(file.list("animations").first)
        #expect(animation["channels"]?.elements.count == 1)
        let output = try #require(animation["samplers"]?.elements.first?["output"]?.int)
        let places = try #require(checker.accessors[output])
        // The last one says where the node is; the others only how long it is played.
        #expect((0..<places.count).map { places.row($0).first } == [0, 2, 2])
    }

    @Test func keysOfAllNodesTogetherAreBounded() throws {
        let times = (0..<100).map { Double($0) }
        let targets = (0..<40).map { "N\($0)/t.X" }
        let document = Self.moved(
            (0..<40).map { "<node id=\"N\($0)\"><translate sid=\"t\">0 0 0</translate></node>" }.joined()
                + "<node><instance_geometry url=\"#square\"/></node>",
            Self.curve("A", targets, times: times, values: times.map { ($0 * 1.7).truncatingRemainder(dividingBy: 3) }))
        #expect(try Self.failure(document) { $0.keys = 3000 }?.code == .convertWorkExceeded)
        #expect(try Self.failure(document) { $0.keys = 5000 } == nil)
    }

    // MARK: - Morphs

    private static func morphed(_ targets: Int) -> SmallDocument {
        var document = SmallDocument()
        document.geometries = SmallDocument.square("square") + SmallDocument.square("raised", raised: 2)
        let ids = [String](repeating: "raised", count: targets).joined(separator: " ")
        document.libraries = """
            <library_controllers><controller id="C"><morph source="#square">
            <source id="C-t"><IDREF_array id="C-t-a" count="\(targets)">\(ids)</IDREF_array><technique_common>
            <accessor source="#C-t-a" count="\(targets)"><param type="IDREF"/></accessor></technique_common></source>
            \(SmallDocument.source("C-w", [Double](repeating: 0.5, count: targets), "W"))
            <targets><input semantic="MORPH_TARGET" source="#C-t"/><input semantic="MORPH_WEIGHT" source="#C-w"/>
            </targets></morph></controller></library_controllers>
            """
        document.nodes = "<node id=\"N\"><instance_controller url=\"#C\"/></node>"
        return document
    }

    @Test func verticesOfAllTargetsTogetherAreBounded() throws {
        #expect(try Self.failure(Self.morphed(300)) { $0.targetVertices = 1000 }?.code == .convertWorkExceeded)
        // Four vertices with a place and a normal.
        #expect(try Self.failure(Self.morphed(125)) { $0.targetVertices = 1000 } == nil)
    }

    /// Three positions in many corners: what targets cost hangs on these, and on what they may change.
    @Test func workOnTargetsIsBounded() throws {
        // Six corners of three attributes, which take 6 steps each, and 2,048 for each of those and for the target.
        let cost = 100 * (6 * 6 + 3 * 2048 + 2048)
        #expect(try Self.failure(Self.morphed(100)) { $0.targetWork = cost - 1 }?.code == .convertWorkExceeded)
        #expect(try Self.failure(Self.morphed(100)) { $0.targetWork = cost } == nil)
        let corners = [String](repeating: "0 1 2", count: 1000).joined(separator: " ")
        var document = Self.morphed(100)
        document.geometries =
            SmallDocument.square(
                "square",
                primitive: """
                    <triangles count="1000"><input semantic="VERTEX" source="#square-v" offset="0"/><p>\(corners)</p>
                    </triangles>
                    """) + SmallDocument.square("raised", raised: 2)
        let more = 100 * (3000 + 2 * 2048)
        #expect(try Self.failure(document) { $0.targetWork = more - 1 }?.code == .convertWorkExceeded)
        // Nothing stands in the same order there, and no primitive has as many corners.
        #expect(try Self.failure(document) { $0.targetWork = more + 2 * 2048 } == nil)
    }

    /// Names of targets are told by their number, before one of them is in memory.
    @Test func namesOfTargetsAreBounded() throws {
        let scene = try Conversion.scene(of: Self.morphed(300_000).bytes)
        let folder = try TemporaryFolder()
        #expect {
            _ = try ExportFormat.glb.write(scene, to: folder.path + "/out.glb")
        } throws: { ($0 as? SceneExportError)?.code == .convertWorkExceeded }
    }

    /// What targets have beside positions is in memory, too.
    @Test func numbersOfAllAttributesOfTargetsCount() throws {
        var document = Self.morphed(100)
        document.geometries =
            SmallDocument.square("square") + SmallDocument.square("raised", raised: 2, normal: [0, 0.6, 0.8])
        // Four vertices with a place and a normal.
        #expect(try Self.failure(document) { $0.targetVertices = 799 }?.code == .convertWorkExceeded)
        #expect(try Self.failure(document) { $0.targetVertices = 800 } == nil)
    }

    // MARK: - Lights

    /// Each stands at a distance of its own, so each is written by itself.
    @Test func lightsTimesTheirNamesEndAtTheBytesThatMayBeWritten() throws {
        func document(_ doublings: Int) -> SmallDocument {
            var document = Self.doubled(doublings)
            let name = String(repeating: "n", count: 10_000)
            document.libraries = document.libraries.replacing(
                "<instance_geometry url=\"#square\"/></node>", with: "<instance_light url=\"#L\"/></node>")
            for level in 0..<doublings {
                document.libraries = document.libraries.replacing(
                    "<node id=\"d\(level)\">",
                    with: "<node id=\"d\(level)\"><translate>\(level % 2 == 0 ? 1 : 3) \(level) 0</translate>"
                ).replacing(
                    "/><instance_node url=\"#d\(level + 1)\"/>",
                    with:
                        "/><node><translate>\(1 << level) 0 0</translate><instance_node url=\"#d\(level + 1)\"/></node>"
                )
            }
            document.libraries += """
                <library_lights><light id="L" name="\(name)"><technique_common><point><color>1 1 1</color></point>
                </technique_common></light></library_lights>
                """
            document.nodes += "<node><instance_geometry url=\"#square\"/></node>"
            return document
        }
        #expect(try Self.failure(document(10)) { $0.output = 1_000_000 }?.code == .outputTooLarge)
        #expect(try Self.failure(document(3)) { $0.output = 1_000_000 } == nil)
    }

    // MARK: - Joints

    @Test func jointsOfAllInstancesAreBounded() throws {
        var document = SkinDocument()
        document.nodes =
            SkinDocument.joint() + "<node>\(SkinDocument.instance())</node><node>\(SkinDocument.instance())</node>"
        let scene = try Conversion.scene(of: document.bytes)
        let folder = try TemporaryFolder()
        func write(_ joints: Int) throws {
            var limits = ConversionBudget.Limits()
            limits.joints = joints
            _ = try ExportFormat.glb.write(scene, to: folder.path + "/out.glb", budget: ConversionBudget(limits))
        }
        try write(2)
        #expect { try write(1) } throws: { ($0 as? SceneExportError)?.code == .convertWorkExceeded }
    }
}
