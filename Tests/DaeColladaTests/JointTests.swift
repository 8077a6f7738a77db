import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Which nodes the joints of a skin's instance are.
@Suite struct JointTests {
    private static func parts(
        _ joints: String, count: Int = 2, nodes: String, skeleton: String = "<skeleton>#root</skeleton>"
    ) -> SkinTests.Parts {
        var parts = SkinTests.Parts()
        parts.joints = joints
        parts.jointAccessor = "<accessor source='#ja' count='\(count)'/>"
        let matrices = Array(repeating: SkinTests.Parts.unit, count: count).joined(separator: " ")
        parts.inverses = "<float_array id='ia' count='\(count * 16)'>\(matrices)</float_array>"
        parts.inverseAccessor = "<accessor source='#ia' count='\(count)' stride='16'/>"
        parts.nodes = nodes
        parts.skeleton = skeleton
        return parts
    }

    private static func names(_ text: String, _ count: Int = 2) -> String {
        "<Name_array id='ja' count='\(count)'>\(text)</Name_array>"
    }

    @Test func theNearestNodeOfASidIsMeant() {
        // Breadth first: `near` stands below `deep` in the file, but above it in the tree.
        let nodes =
            "<node id='other' sid='B'/><node id='root' sid='A'><node id='x'><node id='deep' sid='B'/></node><node id='near' sid='B'/></node>"
        let outcome = Self.parts(Self.names("A B"), nodes: nodes).outcome
        #expect(outcome.scene.joints == ["root", "near"])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    @Test func rootsAreTriedInTheirOrder() {
        let nodes =
            "<node id='p'><node id='pa' sid='A'/></node><node id='q'><node id='qa' sid='A'/><node id='qb' sid='B'/></node>"
        let first = Self.parts(
            Self.names("A B"), nodes: nodes, skeleton: "<skeleton>#p</skeleton><skeleton>#q</skeleton>"
        ).outcome
        #expect(first.scene.joints == ["pa", "qb"])
        #expect(first.scene.skeleton?.roots.map(\.reference) == ["#p", "#q"])
        let second = Self.parts(
            Self.names("A B"), nodes: nodes, skeleton: "<skeleton>#q</skeleton><skeleton>#p</skeleton>"
        ).outcome
        #expect(second.scene.joints == ["qa", "qb"])
        #expect(first.findings.isEmpty && second.findings.isEmpty)
    }

    @Test func instancedNodesAreBelowTheSkeletonToo() {
        var document = Document()
        document.asset += "<library_nodes><node id='arm' sid='B'/></library_nodes>"
        let outcome = Self.parts(Self.names("A B"), nodes: "<node id='root' sid='A'><instance_node url='#arm'/></node>")
            .outcome(document)
        #expect(outcome.scene.joints == ["root", "arm"])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    @Test func withoutASkeletonTheWholeSceneIsSearched() {
        let nodes = "<node id='root' sid='A'/><node><node id='b' sid='B'/></node>"
        let outcome = Self.parts(Self.names("A B"), nodes: nodes, skeleton: "").outcome
        #expect(outcome.scene.joints == ["root", "b"])
        #expect(outcome.codes == [.skinNoSkeletonRoot])
        #expect(outcome.findings.first?.severity == .info)
        let broken = Self.parts(Self.names("A B"), nodes: nodes, skeleton: "<skeleton>#nowhere</skeleton>").outcome
        #expect(broken.scene.joints == ["root", "b"])
        #expect(Set(broken.codes) == [.refUnresolved, .skinNoSkeletonRoot])
        #expect(broken.scene.skeleton?.roots == [.init(reference: "#nowhere", node: nil)])
    }

    private static let fallbacks: [(String, String, Severity)] = [
        ("<node id='B'/>", "B", .info), ("<node id='b' name='B'/>", "b", .warning),
    ]

    @Test(arguments: fallbacks.indices)
    func aJointMayBeFoundByAnotherName(index: Int) {
        let (node, id, severity) = Self.fallbacks[index]
        let outcome = Self.parts(Self.names("A B"), nodes: "<node id='root' sid='A'>\(node)</node>").outcome
        #expect(outcome.scene.joints == ["root", id])
        #expect(outcome.codes == [.refByName])
        #expect(outcome.findings.first?.severity == severity)
    }

    @Test func aJointOutsideOfItsSkeletonIsFoundAndTold() {
        let outcome = Self.parts(
            Self.names("A B"), nodes: "<node id='root' sid='A'/><node id='b' sid='B'/>"
        ).outcome
        #expect(outcome.scene.joints == ["root", "b"])
        #expect(outcome.codes == [.refByName])
        #expect(outcome.findings.first?.message.contains("outside of its skeleton") == true)
    }

    @Test func aJointThatIsNowhereIsToldByNameAndPlace() {
        let outcome = Self.parts(Self.names("A B"), nodes: "<node id='root' sid='A'/>").outcome
        #expect(outcome.scene.joints == ["root", "-"])
        let finding = outcome.first(.skinJointUnresolved)
        #expect(finding?.arguments == [.init("joint", "B")])
        #expect(finding?.place.elementID == "n")
        #expect(finding?.place.line != nil)
        #expect(outcome.codes == [.skinJointUnresolved])
    }

    @Test func idsAreNoSids() {
        let joints = "<IDREF_array id='ja' count='2'>root b</IDREF_array>"
        let outcome = Self.parts(joints, nodes: "<node id='root' sid='b'/><node id='b' sid='root'/>").outcome
        #expect(outcome.scene.joints == ["root", "b"])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        let bySid = Self.parts(
            "<IDREF_array id='ja' count='2'>root B</IDREF_array>",
            nodes: "<node id='root'><node id='b' sid='B'/></node>"
        ).outcome
        #expect(bySid.scene.joints == ["root", "b"])
        #expect(bySid.codes == [.refByName])
    }

    @Test func sidPathsLeadDown() {
        let joints = "<SIDREF_array id='ja' count='3'>root/a root/a/b ./a</SIDREF_array>"
        let outcome = Self.parts(
            joints, count: 3,
            nodes:
                "<node id='root' sid='a'><node id='a' sid='a'><node id='b' sid='b'/></node><node id='c' sid='b'/></node>"
        ).outcome(.version15)
        #expect(outcome.scene.joints == ["a", "b", "root"])
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
    }

    @Test func namesWithSpacesArePutTogether() {
        let nodes = "<node id='root' sid='Bip01'><node id='l' sid='Bip01 L Foot'/><node id='r' sid='Bip01 R'/></node>"
        let outcome = Self.parts(Self.names("Bip01 Bip01 L Foot Bip01 R", 3), count: 3, nodes: nodes).outcome
        #expect(outcome.scene.skin?.joints == ["Bip01", "Bip01 L Foot", "Bip01 R"])
        #expect(outcome.scene.joints == ["root", "l", "r"])
        #expect(outcome.codes == [.skinJointNameSpaces])
        let ids = Self.parts(
            "<IDREF_array id='ja' count='2'>my root my bone</IDREF_array>",
            nodes: "<node id='my root'><node id='my bone'/></node>", skeleton: "<skeleton>#my root</skeleton>"
        ).outcome
        #expect(ids.scene.joints == ["my root", "my bone"])
        #expect(ids.codes == [.skinJointNameSpaces])
    }

    @Test func everyInstanceHasItsOwnJoints() {
        let nodes =
            "<node id='p' sid='A'><node id='pb' sid='B'/></node><node id='q' sid='A'><node id='qb' sid='B'/></node>"
        let outcome = Self.parts(
            Self.names("A B"),
            nodes: nodes + "<instance_controller url='#s'><skeleton>#q</skeleton></instance_controller>",
            skeleton: "<skeleton>#p</skeleton>"
        ).outcome
        var joints: [[String?]] = []
        for case .controller(_, let skeleton, materials: _) in outcome.scene.nodes.flatMap(\.instances) {
            joints.append(skeleton.joints.map { $0.flatMap { outcome.scene.nodes[$0].id } })
        }
        #expect(joints == [["q", "qb"], ["p", "pb"]])
    }

    // MARK: - Hostile

    /// Searched one by one, these would be 10⁹ steps.
    @Test func manyJointsInADeepTreeAreFoundInOneWalk() {
        let count = 30_000
        let names = (0..<count).map { "j\($0)" }
        var nodes = ""
        // Chains of 200, as deep as the budget lets them be.
        for start in stride(from: 0, to: count, by: 200) {
            nodes += names[start..<start + 200].map { "<node id='\($0)' sid='\($0)'>" }.joined()
            nodes += String(repeating: "</node>", count: 200)
        }
        let outcome = Self.parts(
            Self.names(names.reversed().joined(separator: " "), count), count: count,
            nodes: "<node id='root'>\(nodes)</node>"
        ).outcome
        #expect(outcome.scene.joints == names.reversed())
        #expect(outcome.findings.isEmpty, "\(outcome.findings.prefix(3))")
    }

    @Test func manyInstancesOfOneSkinShareTheirJoints() {
        let count = 2_000
        let joints = (0..<count).map { "m\($0)" }
        let instances = String(
            repeating: "<instance_controller url='#s'><skeleton>#root</skeleton></instance_controller>", count: 5_000)
        let outcome = Self.parts(
            Self.names(joints.joined(separator: " "), count), count: count, nodes: "<node id='root'/>\(instances)"
        ).outcome
        // One for each joint, not for each of ten million.
        let missing = outcome.findings.count { $0.code == .skinJointUnresolved }
        #expect(missing == 100)
        #expect(outcome.scene.joints?.count == count)
    }

    /// Every node is a root of its own: subtrees overlap, and the walks over them have a bound.
    @Test func skeletonsWithinSkeletonsEnd() {
        let depth = 200
        let chains = 100
        var nodes = ""
        var instances = ""
        for chain in 0..<chains {
            nodes += (0..<depth).map { "<node id='c\(chain)d\($0)' sid='d\($0)'>" }.joined()
            nodes += String(repeating: "</node>", count: depth)
            instances += (0..<depth).map {
                "<instance_controller url='#s'><skeleton>#c\(chain)d\($0)</skeleton></instance_controller>"
            }.joined()
        }
        let outcome = Self.parts(Self.names("d199 A"), nodes: nodes + instances, skeleton: "<skeleton>#c0d0</skeleton>")
            .outcome
        #expect(outcome.failure == nil)
        #expect(outcome.scene.joints?.first == "c0d199")
    }
}
