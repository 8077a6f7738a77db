import DaeDiagnostics
import DaeScene
import Testing

/// Two channels that move the same.
@Suite struct DuplicateTargetTests {
    private static let sources =
        "<source id='t'><float_array id='ta' count='2'>0 1</float_array></source><source id='v'><float_array id='va' count='2'>1 3</float_array></source><sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#v'/></sampler>"

    private static let library =
        "<library_effects><effect id='e'><profile_COMMON><technique sid='common'><phong><diffuse><color sid='paint'>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects><library_materials><material id='p'><instance_effect url='#e'/></material><material id='q'><instance_effect url='#e'/></material></library_materials><library_cameras><camera id='cam'/></library_cameras><library_lights><light id='lamp'><technique_common><point><color sid='tint'>1 1 1</color></point></technique_common></light></library_lights>"

    /// How many channels are told as moving what another moves.
    private func told(_ animations: [[String]], clips: String = "") -> Int {
        let elements = animations.enumerated().map { place, targets in
            let channels = targets.map { "<channel source='#s' target='\($0)'/>" }.joined()
            return "<animation id='a\(place)'>\(place == 0 ? Self.sources : "")\(channels)</animation>"
        }
        let outcome = Document().with(
            "\(Self.library)<library_animations>\(elements.joined())</library_animations>\(clips)",
            node:
                "<translate sid='t'>0 0 0</translate><rotate sid='r'>0 0 1 0</rotate><matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
        )
        #expect(!outcome.codes.contains(.animationTargetUnresolved), "\(outcome.findings)")
        let found = outcome.findings.filter { $0.code == .animationDuplicateTarget }
        #expect(found.allSatisfy { $0.severity == .warning })
        return found.count
    }

    @Test(arguments: [
        ["n/t.X", "n/t.X"], ["n/t.X", "n/t(0)"], ["n/t", "n/t"], ["n/t", "n/t.Y"], ["n/t.Y", "n/t"],
        ["n/r.ANGLE", "n/r(3)"], ["n/m(3)(0)", "n/m(3)"], ["p/diffuse.R", "p/diffuse(0)"],
        ["p/diffuse", "p/diffuse.G"],
        // Of an effect's materials one is moved already.
        ["p/diffuse", "e/common/paint"], ["e/common/paint", "q/diffuse.R"],
        ["cam/xfov", "cam/xfov"], ["lamp/tint.R", "lamp/color"],
    ])
    func oneTargetOfTwoChannelsIsTold(targets: [String]) {
        #expect(told([targets]) == 1)
        #expect(told(targets.map { [$0] }) == 1)
    }

    @Test(arguments: [
        ["n/t.X", "n/t.Y", "n/t.Z"], ["n/t", "n/r"], ["n/r.ANGLE", "n/r.X"], ["n/m(3)(0)", "n/m(0)(3)"],
        ["p/diffuse", "q/diffuse"], ["p/diffuse", "p/shininess"], ["cam/xfov", "cam/yfov"],
        ["lamp/tint.R", "lamp/tint.G"], ["e/common/paint"],
    ])
    func differentTargetsAreNot(targets: [String]) {
        #expect(told([targets]) == 0)
    }

    @Test func eachChannelButTheFirstIsTold() {
        #expect(told([["n/t.X", "n/t.X", "n/t.X"], ["n/t"]]) == 3)
    }

    @Test func withClipsOnlyChannelsOfOneAnimationPlayTogether() {
        let clips =
            "<library_animation_clips><animation_clip id='c'><instance_animation url='#a0'/></animation_clip></library_animation_clips>"
        #expect(told([["n/t.X"], ["n/t.X"]], clips: clips) == 0)
        #expect(told([["n/t.X", "n/t.X"], ["n/t.X"]], clips: clips) == 1)
    }
}
