import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Documents whose references multiply: what they cost stays in proportion to their bytes, and nothing is lost by it.
@Suite struct HostileReferenceTests {
    private static func animation(_ targets: [String]) -> String {
        func source(_ id: String) -> String {
            "<source id='\(id)'><float_array id='\(id)a' count='2'>0 1</float_array></source>"
        }
        let channels = targets.map { "<channel source='#s' target='\($0)'/>" }.joined()
        return "<library_animations><animation>\(source("t"))\(source("v"))"
            + "<source id='w'><Name_array id='wa' count='2'>LINEAR LINEAR</Name_array></source>"
            + "<sampler id='s'><input semantic='INPUT' source='#t'/><input semantic='OUTPUT' source='#v'/><input semantic='INTERPOLATION' source='#w'/></sampler>"
            + "\(channels)</animation></library_animations>"
    }

    private static func targets(_ outcome: Outcome) -> [AnimationTarget] {
        outcome.scene.animations.first?.channels.map(\.target) ?? []
    }

    @Test func manyTargetsThatLeadNowhereCostNoOtherItsMeaning() {
        let count = 5000
        let nodes = (0..<count).map { "<node><translate sid='t\($0)'>0 0 0</translate></node>" }.joined()
        let wrong = (0..<count).map { "n/wrong\($0)" }
        let outcome = Document().with(Self.animation(wrong + ["n/t\(count - 1).X"]), node: nodes)
        let moved = Self.targets(outcome)
        #expect(moved.count == 1)
        guard case .transform(let node, at: 0, .named(.x))? = moved.first else {
            Issue.record("not a transform: \(moved)")
            return
        }
        #expect(outcome.scene.nodes[node].transformSIDs == ["t\(count - 1)"])
    }

    @Test func theNearestSidCountsAndOfTwoTheFirst() {
        let nodes = """
            <node><node name='deep'><translate sid='t'>0 0 0</translate></node></node>
            <node name='near' sid='s'><scale>1 1 1</scale><translate sid='t'>0 0 0</translate></node>
            <node name='later' sid='s'><translate sid='t'>0 0 0</translate><translate sid='own'>0 0 0</translate></node>
            """
        let outcome = Document().with(Self.animation(["n/t.X", "n/s/t.Y", "n/own.Z", "n/s/own.Z"]), node: nodes)
        let names: [String] = Self.targets(outcome).compactMap {
            guard case .transform(let node, let at, _) = $0 else { return nil }
            return "\(outcome.scene.nodes[node].name ?? "") \(at)"
        }
        #expect(names == ["near 1", "near 1", "later 1"])
        #expect(outcome.codes.count { $0 == .animationTargetUnresolved } == 1)
    }

    @Test func anEffectOfManyMaterialsMovedByManyChannelsIsBounded() {
        let effect =
            "<library_effects><effect id='e'><profile_COMMON><technique sid='c'><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>"
        let materials = (0..<1100).map { "<material id='m\($0)'><instance_effect url='#e'/></material>" }.joined()
        var document = Document()
        document.body =
            effect + "<library_materials>\(materials)</library_materials>"
            + Self.animation(Array(repeating: "e/diffuse.R", count: 1100))
        // 909 channels of 1100, one of 100, and 190 for the first material alone.
        #expect(Self.targets(Outcome(document.text)).count == 1_000_190)
    }

    @Test func parametersThatNameOthersSeveralTimesAreFollowedOnce() {
        var parameters = "<newparam sid='p0'><SIDREF>k</SIDREF></newparam>"
        for level in 1..<24 {
            let steps = Array(repeating: "p\(level - 1)", count: 8).joined(separator: "/")
            parameters += "<newparam sid='p\(level)'><SIDREF>k/\(steps)</SIDREF></newparam>"
        }
        let outcome = Document.version15.with(
            """
            <library_kinematics_models><kinematics_model id='k'><technique_common>\(parameters)
            <joint sid='j'><revolute sid='a'><axis>0 0 1</axis></revolute></joint>
            <link sid='l'><attachment_full joint='k/p23/j'><link sid='m'/></attachment_full></link>
            </technique_common></kinematics_model></library_kinematics_models>
            """)
        let attachment = outcome.scene.kinematics.models.first?.links.lazy.flatMap(\.attachments).first
        #expect(attachment?.joint == SceneIndex(0))
        #expect(!outcome.codes.contains(.kinematicsJointUnresolved))
    }

    @Test func aParameterThatNamesItselfLeadsNowhere() {
        let outcome = Document.version15.with(
            """
            <library_kinematics_models><kinematics_model id='k'><technique_common>
            <newparam sid='p'><SIDREF>k/q</SIDREF></newparam><newparam sid='q'><SIDREF>k/p</SIDREF></newparam>
            <joint sid='j'><revolute sid='a'><axis>0 0 1</axis></revolute></joint>
            <link sid='l'><attachment_full joint='k/p'><link sid='m'/></attachment_full></link>
            </technique_common></kinematics_model></library_kinematics_models>
            """)
        #expect(outcome.codes.contains(.kinematicsJointUnresolved))
        #expect(outcome.scene.kinematics.models.first?.links.count == 2)
    }

    @Test func waysToElementsOfExtrasAreBounded() {
        let names = (0..<60).map { String(repeating: "a", count: 500) + "\($0)" }
        let extra =
            "<extra><technique profile='X'><short>1</short>" + names.map { "<\($0)>" }.joined()
            + String(repeating: "<b/>", count: 2000) + names.reversed().map { "</\($0)>" }.joined()
            + "</technique></extra>"
        let outcome = Document().with(
            "<library_effects><effect id='e'><profile_COMMON><technique sid='c'><lambert/></technique></profile_COMMON>\(extra)</effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"
        )
        let kept = outcome.scene.materials.first?.extras ?? []
        #expect(kept.map(\.path) == ["short"])
    }

    @Test func theExtrasOfAnEffectAreLentToManyMaterialsWithinALimit() {
        let extras = "<extra><technique profile='X'>\(String(repeating: "<a>1</a>", count: 5000))</technique></extra>"
        let own = "<extra><technique profile='X'><mine/></technique></extra>"
        let materials = (0..<600).map {
            "<material id='m\($0)'><instance_effect url='#e'/>\($0 % 2 == 0 ? own : "")</material>"
        }
        let outcome = Document().with(
            "<library_effects><effect id='e'><profile_COMMON><technique sid='c'><lambert/></technique></profile_COMMON>\(extras)</effect></library_effects><library_materials>\(materials.joined())</library_materials>"
        )
        let counts = outcome.scene.materials.map(\.extras.count)
        #expect(counts.first == 5001)
        // Those without extras of their own share the effect's.
        #expect(counts.enumerated().allSatisfy { $0.offset % 2 == 0 || $0.element == 5000 })
        #expect(counts.enumerated().count { $0.offset % 2 == 0 && $0.element == 5001 } == 200)
        #expect(counts[598] == 1)
    }

    @Test(arguments: [256, 257, 302])
    func aTexturesExtrasBeyondSenseAreNotReadForEachMaterial(_ count: Int) {
        let many = String(repeating: "<odd>1</odd>", count: count - 2) + "<repeatU>7</repeatU>"
        let texture =
            "<texture texture='im' texcoord='UV'><extra><technique profile='MAYA'><repeatV>3</repeatV>\(many)</technique></extra></texture>"
        let outcome = Document().with(
            "<library_images><image id='im'><init_from>a.png</init_from></image></library_images><library_effects><effect id='e'><profile_COMMON><technique sid='c'><lambert><diffuse>\(texture)</diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"
        )
        let isCut = count > 256
        #expect(outcome.scene.materials.first?.textures.first?.transform?.repetition == SIMD2(isCut ? 1 : 7, 3))
        #expect(outcome.codes.contains(.workLimitExceeded) == isCut)
    }
}
