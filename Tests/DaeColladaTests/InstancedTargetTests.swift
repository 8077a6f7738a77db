import DaeDiagnostics
import DaeScene
import Testing

/// Channels whose addresses lead through instances of nodes.
@Suite struct InstancedTargetTests {
    private static let library =
        "<library_nodes><node id='lamp' sid='lamp'><translate sid='t'>0 0 0</translate><node sid='arm'><translate sid='t'>0 0 0</translate><rotate sid='r'>0 0 1 0</rotate><node sid='bulb' id='bulb'><translate sid='up'>0 0 0</translate></node></node></node><node id='desk'><node sid='top'><translate sid='high'>0 0 0</translate></node><instance_node sid='on' url='#torch'/></node><node id='torch'><node sid='flame'><translate sid='up'>0 0 0</translate></node></node></library_nodes>"

    private func read(_ target: String, node: String, library: String = "") -> Outcome {
        let animation =
            "<library_animations><animation><source id='t'><float_array id='ta' count='2'>0 1</float_array></source><source id='v'><float_array id='va' count='2'>1 3</float_array></source><sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#v'/></sampler><channel source='#s' target='\(target)'/></animation></library_animations>"
        return Document().with(Self.library + library + animation, node: node)
    }

    /// The node that is moved, by its sid.
    private func moved(_ outcome: Outcome) -> (sid: String?, transform: String?)? {
        guard case .transform(let node, at: let place, _)? = outcome.scene.channels.first?.target else { return nil }
        return (outcome.scene.nodes[node].sid, outcome.scene.nodes[node].transformSIDs[place])
    }

    private func told(_ outcome: Outcome) -> [FindingCode] {
        outcome.codes.filter {
            [.animationTargetUnresolved, .animationTargetMemberInvalid, .animationTargetShared, .refByName].contains($0)
        }
    }

    private static let one = "<instance_node sid='i' url='#lamp'/>"

    private static let addresses: [(target: String, sid: String, transform: String)] = [
        ("n/arm/r.ANGLE", "arm", "r"), ("n/r.ANGLE", "arm", "r"), ("n/lamp/arm/t.X", "arm", "t"),
        ("n/lamp/t.X", "lamp", "t"), ("n/t.X", "lamp", "t"), ("n/lamp/up.Z", "bulb", "up"),
        ("n/bulb/up(2)", "bulb", "up"),
    ]

    @Test(arguments: addresses.indices)
    func whatAnInstanceLeadsToCountsAsBelowIt(index: Int) throws {
        let (target, sid, transform) = Self.addresses[index]
        let outcome = read(target, node: Self.one)
        let found = try #require(moved(outcome), "\(outcome.findings)")
        #expect(found == (sid, transform))
        #expect(told(outcome) == [])
    }

    @Test func theNearestWinsWhetherOrNotAnInstanceLeadsToIt() {
        let near =
            "<node sid='x'><node sid='y'><node sid='deep'><translate sid='t'>0 0 0</translate></node></node></node>"
        // The lamp is one level down, the node of the document three.
        #expect(moved(read("n/t.X", node: Self.one + near))?.sid == "lamp")
        let close = "<node sid='close'><translate sid='t'>0 0 0</translate></node>"
        #expect(moved(read("n/t.X", node: close + Self.one))?.sid == "close")
        #expect(moved(read("n/t.X", node: "<translate sid='t'>0 0 0</translate>" + Self.one))?.sid == nil)
    }

    // MARK: - Instances' own sids

    @Test(arguments: [
        ("n/i/arm/t.X", "arm"), ("n/i/up.Z", "bulb"), ("n/i/t.X", "lamp"), ("n/i/bulb/up.Z", "bulb"),
        ("n/i/lamp/t.X", nil),
    ])
    func anInstancesSidLeadsOnToItsTarget(target: String, sid: String?) {
        let outcome = read(target, node: Self.one)
        #expect(moved(outcome)?.sid == sid)
        // The lamp stands for the instance, so it is not below it.
        #expect(told(outcome) == (sid == nil ? [.animationTargetUnresolved] : []))
    }

    @Test(arguments: [("n/a/up.Z", "bulb"), ("n/b/up.Z", "flame"), ("n/b/flame/up.Z", "flame")])
    func eachSidMeansItsOwnInstance(target: String, sid: String) {
        let outcome = read(
            target, node: "<instance_node sid='a' url='#lamp'/><instance_node sid='b' url='#torch'/>")
        #expect(moved(outcome)?.sid == sid)
        // The torch stands in the desk too.
        #expect(told(outcome) == (sid == "flame" ? [.animationTargetShared] : []))
    }

    @Test(arguments: ["n/a/arm/r.ANGLE", "n/b/arm/r.ANGLE"])
    func twoInstancesOfOneNodeAreToldApartByTheirSidsAndMoveTogether(target: String) {
        let outcome = read(
            target, node: "<instance_node sid='a' url='#lamp'/><instance_node sid='b' url='#lamp'/>")
        #expect(moved(outcome)?.sid == "arm")
        #expect(told(outcome) == [.animationTargetShared])
    }

    @Test func sidsAtTwoLevelsAreFollowed() {
        let outcome = read("n/outer/on/flame/up.Z", node: "<instance_node sid='outer' url='#desk'/>")
        #expect(moved(outcome)?.sid == "flame")
        #expect(told(outcome) == [])
        // An inner instance's sid is found from above too.
        let above = read("n/on/up.Z", node: "<node sid='x'><instance_node sid='outer' url='#desk'/></node>")
        #expect(moved(above)?.sid == "flame")
        #expect(told(above) == [])
    }

    @Test func theNearestOfANodesAndAnInstancesSidIsMeantAndAtOneDepthTheFirst() {
        let node = "<node sid='i'><translate sid='t'>0 0 0</translate></node>"
        let instance = "<instance_node sid='i' url='#torch'/>"
        #expect(moved(read("n/i/t.X", node: node + instance))?.sid == "i")
        #expect(moved(read("n/i/up.Z", node: instance + node))?.sid == "flame")
        #expect(moved(read("n/i/up.Z", node: "<node>\(node)</node>" + instance))?.sid == "flame")
        #expect(moved(read("n/i/t.X", node: "<node>\(instance)</node>" + node))?.sid == "i")
        // Found first, it counts, though what follows is only below the other.
        #expect(told(read("n/i/up.Z", node: node + instance)) == [.animationTargetUnresolved])
    }

    @Test func anInstanceThatLeadsNowhereIsMeantAllTheSame() {
        let outcome = read(
            "n/i/up.Z", node: "<instance_node sid='i' url='#nobody'/><node><node sid='i'>\(Self.one)</node></node>")
        #expect(told(outcome) == [.animationTargetUnresolved])
    }

    @Test func theSidsOfOtherInstancesLeadNowhereAndAreNotTakenForANodes() {
        let body = "<instance_geometry sid='i' url='#none'/><instance_node url='#lamp'/>"
        #expect(told(read("n/i/arm/r.ANGLE", node: body)) == [.animationTargetUnresolved])
    }

    @Test func camerasAndLightsAreReachedBySid() {
        let library =
            "<library_cameras><camera id='eye'><optics><technique_common><perspective><xfov sid='fov'>40</xfov><znear>1</znear><zfar>9</zfar></perspective></technique_common></optics></camera></library_cameras><library_lights><light id='sun'><technique_common><point><color sid='tint'>1 1 1</color></point></technique_common></light></library_lights>"
        let nodes =
            "<node sid='x'><instance_camera sid='c' url='#eye'/><instance_light sid='l' url='#sun'/></node>"
        for (address, expected) in [
            ("n/c/fov", AnimationTarget.camera(SceneIndex(0), .xfov)),
            ("n/x/l/tint.G", .light(SceneIndex(0), .color, .named(.green))),
        ] {
            let outcome = read(address, node: nodes, library: library)
            #expect(outcome.scene.channels.first?.target == expected, "\(outcome.findings)")
            #expect(told(outcome) == [])
        }
        #expect(told(read("n/c/c/fov", node: nodes, library: library)) == [.animationTargetUnresolved])
        #expect(told(read("n/c/none", node: nodes, library: library)) == [.animationTargetUnresolved])
    }

    @Test(arguments: ["n/j/arm/t.X", "n/j/t.X", "n/I/up.Z"])
    func aMistypedSidIsNotTakenForThatOfAnInstanceWithAnother(target: String) {
        #expect(told(read(target, node: Self.one)) == [.animationTargetUnresolved])
    }

    // MARK: - Instances without a sid

    private static let nameless = "<instance_node url='#lamp'/>"

    @Test(arguments: [("n/i/arm/t.X", "arm"), ("n/i/up.Z", "bulb"), ("n/i/t.X", "lamp"), ("n/i/bulb/up.Z", "bulb")])
    func aStepThatIsTheSidOfNothingIsTakenForAnInstancesAndTold(target: String, sid: String) {
        let outcome = read(target, node: Self.nameless)
        #expect(moved(outcome)?.sid == sid)
        #expect(told(outcome) == [.refByName])
        #expect(outcome.first(.refByName)?.severity == .info)
    }

    @Test func ofSeveralInstancesThatCouldBeMeantTheFirstIsTakenWithAWarning() {
        let outcome = read("n/i/up.Z", node: Self.nameless + "<instance_node url='#desk'/>")
        #expect(moved(outcome)?.sid == "bulb")
        #expect(outcome.first(.refByName)?.severity == .warning)
        // Only one of them has a top.
        let clear = read("n/i/top/high.Z", node: Self.nameless + "<instance_node url='#desk'/>")
        #expect(moved(clear)?.sid == "top")
        #expect(clear.first(.refByName)?.severity == .info)
        // One with another sid is not meant.
        let named = read("n/i/up.Z", node: "<instance_node sid='k' url='#desk'/>" + Self.nameless)
        #expect(moved(named)?.sid == "bulb")
        #expect(named.first(.refByName)?.severity == .info)
    }

    @Test func instancesWithinInstancesAreFollowed() {
        let outcome = read("n/top/high.Z", node: "<instance_node url='#desk'/>")
        #expect(moved(outcome)?.sid == "top")
        #expect(moved(read("n/flame/up.Z", node: "<instance_node url='#desk'/>"))?.sid == "flame")
    }

    @Test func aNodeOfSeveralPlacesMovesInAllOfThemAndThatIsTold() {
        let twice = "<node id='left'>\(Self.one)</node><node id='right'>\(Self.one)</node>"
        let byPath = read("left/arm/r.ANGLE", node: twice)
        #expect(moved(byPath)?.sid == "arm")
        #expect(told(byPath) == [.animationTargetShared])
        // By its id it means all of them.
        let byID = read("bulb/up.Z", node: twice)
        #expect(moved(byID)?.sid == "bulb")
        #expect(told(byID) == [])
    }

    @Test(arguments: ["n/none/far.X", "n/i/none/t.X", "n/arm/none.X", "n/i"])
    func whatIsNotThereIsStillTold(target: String) {
        let outcome = read(target, node: Self.one)
        #expect(outcome.scene.channels.isEmpty)
        #expect(told(outcome) == [.animationTargetUnresolved], "\(outcome.findings)")
    }

    @Test func aPartThatTheInstancedTransformDoesNotHaveIsTold() {
        #expect(told(read("n/arm/r.R", node: Self.one)) == [.animationTargetMemberInvalid])
    }

    @Test func aNodeThatInstancesItselfIsSearchedOnce() {
        let outcome = read("n/none/t.X", node: "<node id='loop'><instance_node url='#loop'/></node>")
        #expect(told(outcome) == [.animationTargetUnresolved])
    }
}
