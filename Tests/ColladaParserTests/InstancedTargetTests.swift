import Diagnostics
import SceneModel
import Testing

/// Channels whose addresses lead through instances of nodes.
@Suite struct InstancedTargetTests {
    private static let library =
        "<library_nodes><node id='lamp' sid='lamp'><translate sid='t'>0 0 0</translate><node sid='arm'><translate sid='t'>0 0 0</translate><rotate sid='r'>0 0 1 0</rotate><node sid='bulb' id='bulb'><translate sid='up'>0 0 0</translate></node></node></node><node id='desk'><node sid='top'><translate sid='high'>0 0 0</translate></node><instance_node sid='on' url='#torch'/></node><node id='torch'><node sid='flame'><translate sid='up'>0 0 0</translate></node></node></library_nodes>"

    private func read(_ target: String, node: String) -> Outcome {
        let animation =
            "<library_animations><animation><source id='t'><float_array id='ta' count='2'>0 1</float_array></source><source id='v'><float_array id='va' count='2'>1 3</float_array></source><sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#v'/></sampler><channel source='#s' target='\(target)'/></animation></library_animations>"
        return Document().with(Self.library + animation, node: node)
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

    @Test(arguments: [("n/i/arm/t.X", "arm"), ("n/i/up.Z", "bulb"), ("n/i/t.X", "lamp"), ("n/i/bulb/up.Z", "bulb")])
    func aStepThatIsNoNodesSidIsTakenForAnInstancesAndTold(target: String, sid: String) {
        let outcome = read(target, node: Self.one)
        #expect(moved(outcome)?.sid == sid)
        #expect(told(outcome) == [.refByName])
        #expect(outcome.first(.refByName)?.severity == .info)
    }

    @Test func ofSeveralInstancesThatCouldBeMeantTheFirstIsTakenWithAWarning() {
        let outcome = read(
            "n/i/up.Z", node: Self.one + "<instance_node url='#desk'/>")
        #expect(moved(outcome)?.sid == "bulb")
        #expect(outcome.first(.refByName)?.severity == .warning)
        // Only one of them has a top.
        let clear = read("n/i/top/high.Z", node: Self.one + "<instance_node url='#desk'/>")
        #expect(moved(clear)?.sid == "top")
        #expect(clear.first(.refByName)?.severity == .info)
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
