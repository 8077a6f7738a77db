import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

@Suite struct NodeTests {
    @Test func transformsApplyInTheirOrder() throws {
        let outcome = Document().with(
            "",
            node: """
                <translate sid='t'>1 2 3</translate><rotate sid='r'>0 0 1 90</rotate><scale>2 2 2</scale>
                <matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><skew>45 0 1 0 1 0 0</skew><lookat>0 0 1 0 0 0 0 1 0</lookat>
                """)
        let node = try #require(outcome.scene.nodes.first)
        let move = try #require(Matrix4(rows: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
        #expect(
            node.transforms == [
                .translate([1, 2, 3]), .rotate(axis: [0, 0, 1], degrees: 90), .scale([2, 2, 2]), .matrix(move),
                .skew(degrees: 45, from: [0, 1, 0], along: [1, 0, 0]),
                .lookat(eye: [0, 0, 1], interest: .zero, up: [0, 1, 0]),
            ])
        // (0,1,0) → lookat (0,1,1) → skew (1,1,1) → +5 (6,1,1) → ×2 (12,2,2) → turned (−2,12,2) → moved.
        let point = node.matrix.transform(point: [0, 1, 0])
        #expect((0..<3).allSatisfy { abs(point[$0] - [-1, 14, 5][$0]) < 1e-12 })
        #expect(outcome.document.nodes.first?.transformSIDs == ["t", "r", nil, nil, nil, nil])
        #expect(outcome.findings.isEmpty)
    }

    @Test func whatIsWithinANodeIsInTheFilesOrder() throws {
        let bind = """
            <bind_material><technique_common><instance_material symbol='a' target='#m1'/>
            <instance_material symbol='b' target='#m2'/></technique_common></bind_material>
            """
        let outcome = Document().with(
            "",
            node: """
                <instance_camera url='#c'/><instance_controller url='#k'><skeleton>#s1</skeleton><skeleton>#s2</skeleton>
                \(bind)</instance_controller><instance_geometry url='#g'>\(bind)</instance_geometry>
                <instance_light url='#l'/><instance_node url='#o'/><node id='first'/><node id='second'/>
                """)
        let node = try #require(outcome.document.nodes.last)
        let kinds: [ContentKind] = [
            .instanceCamera, .instanceController, .instanceGeometry, .instanceLight, .instanceNode, .node, .node,
        ]
        #expect(node.contents.map(ContentKind.init) == kinds)
        #expect(node.children.map { outcome.document.nodes[$0].id } == ["first", "second"])
        var references: [String] = []
        node.forEachReference { references.append($0.text) }
        #expect(references.sorted() == ["#c", "#g", "#k", "#l", "#m1", "#m1", "#m2", "#m2", "#o", "#s1", "#s2"])
    }

    private static let faults: [(String, FindingCode)] = [
        ("<rotate>0 0 0 30</rotate>", .nodeRotateAxisZero),
        ("<lookat>1 1 1 1 1 1 0 1 0</lookat>", .nodeLookatDegenerate),
        ("<lookat>0 0 0 0 0 -1 0 0 5</lookat>", .nodeLookatDegenerate),
        ("<skew>90 0 1 0 1 0 0</skew>", .nodeTransformNonAffine),
        ("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1</matrix>", .nodeTransformNonAffine),
        ("<matrix>1 2 3</matrix>", .schemaListLength),
        ("<translate>1 2</translate>", .schemaListLength), ("<translate>1 NaN 2</translate>", .numberNonFinite),
        ("<scale>1 x 2</scale>", .schemaInvalidNumber), ("<rotate/>", .schemaListLength),
        ("<translate>1,5 0 0</translate>", .numberDecimalComma),
    ]

    @Test(arguments: faults.indices)
    func aTransformThatCannotBeUsedIsToldAndTheOthersApply(index: Int) {
        let (text, code) = Self.faults[index]
        let outcome = Document().with("", node: "<translate>1 0 0</translate>\n\(text)<translate>0 1 0</translate>")
        #expect(outcome.codes.contains(code), "\(text): \(outcome.findings)")
        #expect(outcome.first(code)?.place.line != nil)
        let moved = outcome.scene.nodes.first?.matrix.transform(point: .zero)
        #expect(text.contains("1,5") || text.contains("1 2 3 1") || moved == [1, 1, 0], "\(text)")
    }

    @Test func theKindOfANodeIsReadAndOthersAreTold() {
        let outcome = Document().with("", node: "<node type='JOINT' sid='j'/><node type='BONE'/><node type='NODE'/>")
        #expect(outcome.document.nodes.map(\.kind) == [.joint, .node, .node, .node])
        #expect(outcome.codes == [.schemaInvalidEnum])
    }

    // MARK: - Instances

    private func withNodes(_ nodes: String, node: String) -> Outcome {
        Document().with(
            Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
                + "<library_nodes>\(nodes)</library_nodes>", node: node)
    }

    @Test func anInstancedNodeIsCountedEachTimeAndHeldOnce() {
        let outcome = withNodes(
            "<node id='a'>\(Mesh.instance)<translate>1 0 0</translate></node><node id='b'><instance_node url='#a'/><instance_node url='#a'/></node>",
            node: "<instance_node url='#b'/><node><instance_node url='#b'/></node>")
        let census = SceneCensus(of: outcome.scene)
        #expect(census.nodes == 8)
        #expect(census.depth == 4)
        #expect(census.instances == 4)
        #expect(outcome.scene.nodes.count == 4)
        #expect(outcome.findings.isEmpty)
    }

    @Test func materialsAreBoundToSymbols() {
        let outcome = Document().with(
            Mesh.geometry("") + "<library_materials><material id='m'/></library_materials>",
            node: """
                <instance_geometry url='#g'><bind_material><technique_common><instance_material symbol='s' target='#m'/>
                <instance_material symbol='t' target='#none'/><instance_material symbol='u' target='#g'/></technique_common></bind_material></instance_geometry>
                """)
        let bindings = [
            MaterialBinding(symbol: "s", material: SceneIndex(0)), MaterialBinding(symbol: "t", material: nil),
            MaterialBinding(symbol: "u", material: nil),
        ]
        #expect(outcome.scene.nodes.first?.instances == [.geometry(SceneIndex(0), materials: bindings)])
        #expect(
            outcome.codes == [.materialTargetUnresolved, .refWrongType]
                + Array(repeating: .materialSymbolUnused, count: 3))
    }

    private static let cycles: [(nodes: String, node: String, reached: Int)] = [
        ("", "<instance_node url='#n'/>", 1),
        ("<node id='a'><instance_node url='#a'/></node>", "<instance_node url='#a'/>", 2),
        (
            "<node id='a'><instance_node url='#b'/></node><node id='b'><instance_node url='#a'/></node>",
            "<instance_node url='#a'/>", 3
        ),
        // The inner node stays where it stands: what is cut is its instance of the outer one.
        ("", "<node id='in'><instance_node url='#n'/>\(Mesh.instance)</node>", 2),
        ("<node id='a'><node id='b'><instance_node url='#a'/></node></node>", "<instance_node url='#a'/>", 3),
        (
            "<node id='a'><instance_node url='#a'/><instance_node url='#a'/><node/><instance_node url='#a'/><node/></node>",
            "<instance_node url='#a'/>", 4
        ),
        // In a library that the scene does not reach.
        ("<node id='a'><node id='b'><instance_node url='#a'/></node></node>", "", 1),
    ]

    @Test(arguments: cycles.indices)
    func aCycleIsCutAndTold(index: Int) {
        let (nodes, node, reached) = Self.cycles[index]
        let outcome = withNodes(nodes, node: node)
        #expect(outcome.failure == nil)
        #expect(outcome.codes.contains(.refCycle))
        let census = SceneCensus(of: outcome.scene)
        #expect(census.nodes == reached)
        #expect(census.instances == (node.contains("instance_geometry") ? 1 : 0))
        let edges = outcome.scene.nodes.flatMap(\.children).count
        let contained =
            nodes.components(of: "<node/>")
            + nodes.components(of: "<node id='b'><instance_node url='#a'/></node></node>")
        #expect(edges >= contained)
    }

    @Test func manySelfInstancesAreCutInOneGo() {
        let many = String(repeating: "<instance_node url='#n'/>", count: 50_000)
        let outcome = Document().with("", node: many)
        #expect(SceneCensus(of: outcome.scene).nodes == 1)
        #expect(outcome.findings.count { $0.code == .refCycle } == 100)
    }

    @Test func aGraphThatWouldUnfoldWithoutEndIsRefused() {
        let nodes = (0..<100).map {
            "<node id='a\($0)'><instance_node url='#a\($0 + 1)'/><instance_node url='#a\($0 + 1)'/></node>"
        }
        let outcome = withNodes(nodes.joined() + "<node id='a100'/>", node: "<instance_node url='#a0'/>")
        #expect(outcome.failure?.code == .sceneNodeCountExceeded)
    }

    @Test func theBudgetOfNodesIsExact() {
        for (limit, fits) in [(3, true), (2, false)] {
            var options = ColladaOptions()
            options.nodeLimit = limit
            let outcome = Outcome(Document(node: "<node/><node/>").text, options: options)
            #expect(outcome.failure?.code == (fits ? nil : .sceneNodeCountExceeded))
        }
    }

    @Test func instancesAreHeldToTheBudgetToo() {
        for (limit, fits) in [(4, true), (3, false)] {
            var options = ColladaOptions()
            options.nodeLimit = limit
            let body = Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
            let leaf = "<library_nodes><node id='a'>\(Mesh.instance)\(Mesh.instance)</node></library_nodes>"
            let node = "<instance_node url='#a'/><instance_node url='#a'/>"
            let outcome = Outcome(Document(body: body + leaf, node: node).text, options: options)
            #expect(outcome.failure?.code == (fits ? nil : .sceneNodeCountExceeded))
            #expect(outcome.failure?.message.contains("instances") != fits)
        }
    }

    /// Few bytes, few enough nodes, and 10⁸ instances.
    @Test func aLeafOfManyInstancesIsRefused() {
        let levels = (0..<5).map { level in
            "<node id='a\(level)'>\(String(repeating: "<instance_node url='#a\(level + 1)'/>", count: 9))</node>"
        }
        for (instance, isRefused) in [(Mesh.instance, true), ("<instance_camera url='#c'/>", false)] {
            let leaf = "<node id='a5'>\(Mesh.instance)\(String(repeating: instance, count: 2000))</node>"
            let body =
                Mesh.geometry("<triangles count='1'>\(Mesh.input)<p>0 1 2</p></triangles>")
                + "<library_cameras><camera id='c'/></library_cameras>"
                + "<library_nodes>\(levels.joined())\(leaf)</library_nodes>"
            let outcome = Document().with(body, node: "<instance_node url='#a0'/>")
            #expect(outcome.failure?.code == (isRefused ? .sceneNodeCountExceeded : nil))
            // Cameras have no box; that they are many must not be felt.
            if !isRefused { #expect(SceneBounds(of: outcome.scene).box == Bounds(min: .zero, max: [1, 1, 0])) }
        }
    }

    // MARK: - Scenes

    @Test func withoutASceneTheFirstVisualSceneIsUsed() {
        let scenes =
            "<library_visual_scenes><visual_scene id='a' name='A'><node/></visual_scene><visual_scene id='b'><node/><node/></visual_scene></library_visual_scenes>"
        let missing = Document().with(scenes, node: nil)
        #expect(missing.codes == [.sceneMissing])
        #expect(missing.scene.name == "A")
        for (url, roots, codes) in [
            ("#b", 2, []), ("#x", 1, [.sceneInstanceUnresolved]),
            ("other.dae#b", 1, [.refExternalUnresolved]),
            ("b", 2, [.refMissingHash]),
        ] as [(String, Int, [FindingCode])] {
            let outcome = Document().with(scenes + "<scene><instance_visual_scene url='\(url)'/></scene>", node: nil)
            #expect(outcome.scene.roots.count == roots, "\(url)")
            #expect(outcome.codes == codes, "\(url)")
        }
        let empty = Document().with("", node: nil)
        #expect(empty.failure == nil)
        #expect(empty.scene.roots.isEmpty)
    }

    @Test func aDocumentMayCallItselfByName() {
        var options = ColladaOptions()
        options.documentPath = "my model.dae"
        for prefix in ["my%20model.dae", "./my model.dae", ""] {
            let outcome = Outcome(
                Document(body: Mesh.geometry(""), node: "<instance_geometry url='\(prefix)#g'/>").text, options: options
            )
            #expect(outcome.findings.isEmpty)
            #expect(outcome.scene.nodes.first?.instances.count == 1)
        }
    }

    @Test func theSceneOf13HoldsItsNodes() {
        let text = """
            <COLLADA version='1.3.1'><asset><authoring_tool>T</authoring_tool><unit/><up_axis>Y_UP</up_axis></asset>
            <library type='GEOMETRY'><geometry id='g'><mesh><source id='p'><float_array id='pa' count='9'>0 0 0 1 0 0 0 1 0</float_array>
            <technique profile='COMMON'><accessor source='#pa' count='3' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor></technique></source>
            <vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'><input semantic='VERTEX' source='#v' idx='0'/><p>0 1 2</p></triangles>
            </mesh></geometry></library>
            <scene id='s' name='S'><node id='n'><translate>1 0 0</translate><instance url='#g'/></node></scene></COLLADA>
            """
        let outcome = Outcome(text)
        #expect(outcome.failure == nil)
        #expect(
            Set(outcome.codes).isSubset(of: [.docVersionUnsupported, .docNamespaceUnexpected]), "\(outcome.findings)")
        #expect(outcome.scene.name == "S")
        #expect(SceneCensus(of: outcome.scene).triangles == 1)
        #expect(SceneBounds(of: outcome.scene).box == Bounds(min: [1, 0, 0], max: [2, 1, 0]))
        #expect(outcome.document.asset?.contributors.map(\.authoringTool) == ["T"])
    }

    @Test func anIDThatStandsTwiceLeadsToWhatIsAskedFor() {
        let outcome = Document().with(
            "<library_effects><effect id='x'/></library_effects><library_materials><material id='x'><instance_effect url='#x'/></material></library_materials>"
                + "<library_nodes><node id='x'/></library_nodes>" + Mesh.geometry(""),
            node:
                "<instance_node url='#x'/><instance_geometry url='#g'><bind_material><technique_common><instance_material symbol='s' target='#x'/></technique_common></bind_material></instance_geometry>"
        )
        #expect(outcome.codes == [.idDuplicate, .idDuplicate, .materialSymbolUnused])
        #expect(outcome.scene.materials.first?.effectID == "x")
        #expect(SceneCensus(of: outcome.scene).nodes == 2)
        #expect(SceneCensus(of: outcome.scene).materials == [SceneIndex(0)])
    }

    @Test(arguments: [SchemaChecking.off, .lenient, .strict])
    func anIDThatStandsTwiceIsToldWhereverItStands(schema: SchemaChecking) {
        var options = ColladaOptions()
        options.schema = schema
        let mesh =
            "<geometry id='g'><mesh><source id='s'><float_array id='a' count='3'>0 0 0</float_array></source>\n<source id='s'><float_array id='a' count='3'>0 0 0</float_array></source>\n<vertices id='a'><input semantic='POSITION' source='#s'/></vertices><extra id='g'/></mesh></geometry>"
        var document = Document()
        document.body = "<library_geometries>\(mesh)</library_geometries>"
        let outcome = Outcome(document.text, options: options)
        let told = outcome.findings.filter { $0.code == .idDuplicate }
        #expect(told.map { $0.arguments.first?.value } == ["s", "a", "a", "g"])
        #expect(told.map(\.place.line) == [4, 4, 5, 5])
        #expect(told.map { $0.related.first?.line } == [3, 3, 3, 3])
        #expect(told.map(\.place.elementID) == ["s", "a", "a", "g"])
        switch schema {
        case .off, .lenient:
            #expect(told.map(\.severity) == [.error, .error, .info, .info])
            #expect(told.first?.place.path?.hasSuffix("/geometry[@id='g']/mesh/source[@id='s']") == true)
        case .strict: #expect(told.allSatisfy { $0.severity == .error })
        }
    }

    @Test func anEmptyIDIsNone() {
        let outcome = Document().with(
            "<library_nodes><node id=''/><node id=''/></library_nodes>", node: "<instance_node url=''/>")
        #expect(outcome.codes == [.refUnresolved])
        #expect(SceneCensus(of: outcome.scene).nodes == 1)
    }
}

extension String {
    /// How often `other` stands in it.
    func components(of other: String) -> Int {
        let bytes = Array(utf8)
        let wanted = Array(other.utf8)
        return bytes.indices.count { bytes[$0...].starts(with: wanted) }
    }
}

/// Which case a content of a node is.
enum ContentKind {
    case node, instanceNode, instanceGeometry, instanceController, instanceCamera, instanceLight, instance

    init(_ content: ColladaDocument.Node.Content) {
        self =
            switch content {
            case .node: .node
            case .instanceNode: .instanceNode
            case .instanceGeometry: .instanceGeometry
            case .instanceController: .instanceController
            case .instanceCamera: .instanceCamera
            case .instanceLight: .instanceLight
            case .instance: .instance
            }
    }
}
