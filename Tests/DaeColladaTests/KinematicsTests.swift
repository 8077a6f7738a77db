import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import TestSupport
import Testing

@Suite struct KinematicsTests {
    private static func robot() throws -> String {
        String(decoding: try Repository.fixture("documents/two-joint-robot.dae"), as: UTF8.self)
    }

    private static let shoulder = JointAxisReference(model: SceneIndex(0), joint: SceneIndex(0), axis: SceneIndex(0))
    private static let reach = JointAxisReference(model: SceneIndex(0), joint: SceneIndex(1), axis: SceneIndex(0))

    @Test func aModelIsATreeOfLinksAndJoints() throws {
        let outcome = Outcome(try Self.robot())
        #expect(
            outcome.codes == [
                .kinematicsExtension, .kinematicsExtension, .kinematicsExtension, .formulaUnsupported,
            ], "\(outcome.findings)")
        let model = try #require(outcome.scene.kinematics.models.first)
        #expect(model.joints.map(\.sid) == ["shoulder", "reach", "finger"])
        #expect(model.joints.map(\.name) == ["Turn", nil, "finger"])
        #expect(model.joints[0].axes.first?.limits == JointLimits(min: -180, max: 180))
        #expect(model.joints[0].axes.first?.kind == .revolute)
        #expect(
            model.joints[1].axes.first
                == JointAxis(kind: .prismatic, sid: "axis", name: nil, direction: [1, 0, 0], limits: nil))
        #expect(model.joints[2].axes.first?.direction == [0, -1, 0])
        #expect(model.links.map(\.name) == ["base", "upper", "lower", "tip"])
        #expect(model.roots == [SceneIndex(0)])
        #expect(model.links[0].matrix.columns.3 == [0, 0, 0.5, 1])
        #expect(model.links[0].attachments.map { $0.link.value } == [1])
        #expect(model.links[0].attachments.first?.matrix.columns.3 == [0, 0, 1, 1])
        #expect(model.links[1].attachments.map { $0.joint?.value } == [1, 2])
        #expect(model.links[1].attachments.map { $0.link.value } == [2, 3])
        #expect(model.links[1].attachments.first?.matrix.columns.0 == [0, 0, -1, 0])
        #expect(model.noncolliding == [SceneIndex(0)])
    }

    @Test func aFormulaSaysWhichJointFollowsWhich() throws {
        let outcome = Outcome(try Self.robot())
        let model = try #require(outcome.scene.kinematics.models.first)
        #expect(
            model.formulas == [
                JointFormula(formula: SceneIndex(0), joint: SceneIndex(2), sources: [SceneIndex(1)])
            ])
        #expect(
            outcome.scene.kinematics.formulas == [
                KinematicFormula(
                    id: "half", sid: nil, name: nil, target: "part", parameters: ["whole", "part"], symbols: ["whole"])
            ])
        let math = try #require(outcome.document.formulas.first?.math)
        #expect(math.first("apply")?.children.map(\.name) == ["divide", "csymbol", "cn"])
    }

    @Test func systemsSayHowFarAndHowFast() throws {
        let kinematics = Outcome(try Self.robot()).scene.kinematics
        #expect(kinematics.systems.map(\.id) == ["moving", "standing"])
        let motion = kinematics.systems[0]
        guard case .motion(of: let other, let effector) = motion.kind else {
            Issue.record("no motion")
            return
        }
        #expect(other == SceneIndex(1))
        #expect(effector?.speed == [2, 30])
        #expect(motion.interface == "GenericRobot")
        #expect(motion.axes.map(\.axis) == [Self.shoulder])
        #expect(motion.axes.first?.speed == 90 && motion.axes.first?.acceleration == 45)
        let hand = try #require(motion.manipulators.first)
        #expect(hand.name == "hand" && hand.origin?.link == SceneIndex(0) && hand.tip?.link == SceneIndex(2))
        #expect(hand.tool.columns.3 == [0, 0, 0.25, 1] && hand.direction == [0, 0, 1])
        #expect(hand.gripperJoints == [JointReference(model: SceneIndex(0), joint: SceneIndex(2))])
        let standing = kinematics.systems[1]
        #expect(standing.axes.map(\.axis) == [Self.shoulder, Self.reach])
        #expect(standing.axes[0].isActive == true && standing.axes[0].isLocked == false)
        #expect(standing.axes[1].limits == JointLimits(min: -0.5, max: 1.5), "the least is a parameter's")
        guard case .kinematics(let models, let frames) = standing.kind else {
            Issue.record("no kinematics")
            return
        }
        #expect(models == [KinematicsModelInstance(sid: "arm-instance", name: nil, model: SceneIndex(0))])
        #expect(frames.map(\.role) == [.origin, .tip])
        #expect(frames[1].link == LinkReference(model: SceneIndex(0), link: SceneIndex(3)))
        #expect(frames[1].matrix.columns.3 == [0, 0, 0.1, 1])
    }

    @Test func parametersLeadToAxesThroughEverySystem() throws {
        let outcome = Outcome(try Self.robot())
        let active = try #require(outcome.scene.kinematics.active.first)
        let names = outcome.scene.nodes.map(\.id)
        #expect(active.scene == SceneIndex(0))
        #expect(active.models.map(\.model) == [SceneIndex(0)])
        #expect(active.models.map { names[$0.node.value] } == ["Robot"])
        #expect(active.models.first?.instance == 0)
        #expect(active.axes.map(\.axis) == [Self.shoulder, Self.reach])
        #expect(active.axes.map(\.value) == [30, 0.25])
        #expect(active.axes.map { $0.node.flatMap { names[$0.value] } } == ["Upper", "Lower"])
        #expect(active.axes.map(\.transform) == [1, 0])
        #expect(active.axes.map(\.instance) == [0, nil])
    }

    @Test func figuresAloneKeepTheSameMeaning() throws {
        var options = ColladaOptions()
        options.retention = .figures
        let text = try Self.robot()
        let figures = Outcome(text, options: options)
        #expect(figures.scene.kinematics == Outcome(text).scene.kinematics)
        #expect(figures.document.formulas.first?.math == nil)
        #expect(figures.document.articulatedSystems.allSatisfy { $0.extras.isEmpty })
    }

    @Test(arguments: [
        ["sid=\"shoulder\" url=\"#turn\"", "sid=\"shoulder\" url=\"#none\"", "KINEMATICS_JOINT_UNRESOLVED"],
        ["joint=\"arm/reach\"", "joint=\"arm/none\"", "KINEMATICS_JOINT_UNRESOLVED"],
        ["sid=\"follow\" url=\"#half\"", "sid=\"follow\" url=\"#none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["url=\"#standing\"", "url=\"#none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["url=\"#standing\"", "url=\"#moving\"", "REF_CYCLE"],
        ["url=\"#arm\"", "url=\"#half\"", "REF_WRONG_TYPE"],
        ["axis=\"arm/shoulder/axis\"", "axis=\"arm/shoulder/none\"", "KINEMATICS_JOINT_UNRESOLVED"],
        ["axis=\"standing/shoulder-info\"", "axis=\"moving/none\"", "KINEMATICS_JOINT_UNRESOLVED"],
        ["<param>least</param>", "<param>none</param>", "KINEMATICS_BIND_UNRESOLVED"],
        ["frame_tip link=\"arm/tip\"", "frame_tip link=\"arm/none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["sid=\"robot\" url=\"#moving\"", "sid=\"robot\" url=\"#none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["node=\"Robot\"", "node=\"none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["target=\"Robot/shoulder-turn\"", "target=\"Robot/none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["<param>robot-shoulder</param>", "<param>none</param>", "KINEMATICS_BIND_UNRESOLVED"],
        ["<param>robot-model</param>", "<param>none</param>", "KINEMATICS_BIND_UNRESOLVED"],
        [
            "<SIDREF>standing/standing-shoulder</SIDREF>", "<SIDREF>moving/moving-shoulder</SIDREF>",
            "KINEMATICS_BIND_UNRESOLVED",
        ],
        [
            "instance_kinematics_scene url=\"#moves\"", "instance_kinematics_scene url=\"#none\"",
            "KINEMATICS_BIND_UNRESOLVED",
        ],
        ["<min>-180</min>", "<min>190</min>", "KINEMATICS_LIMITS_INVERTED"],
        ["<float>1.5</float>", "<float>-1.5</float>", "KINEMATICS_LIMITS_INVERTED"],
        ["<axis>0 0 1</axis>", "<axis>0 0</axis>", "SCHEMA_LIST_LENGTH"],
        ["<connect_param ref=\"arm/reach\"", "<connect_param ref=\"arm/none\"", "KINEMATICS_BIND_UNRESOLVED"],
        ["<setparam ref=\"whole\">", "<setparam ref=\"none\">", "KINEMATICS_BIND_UNRESOLVED"],
        ["\"COLLADA\">whole<", "\"COLLADA\">none<", "KINEMATICS_BIND_UNRESOLVED"],
        ["<param>part</param>", "<param>none</param>", "KINEMATICS_BIND_UNRESOLVED"],
        ["<newparam sid=\"part\"/>", "<newparam sid=\"none\"/>", "KINEMATICS_BIND_UNRESOLVED"],
        ["<newparam sid=\"least\">", "<newparam>", "SCHEMA_MISSING_ATTRIBUTE"],
        [
            "<SIDREF>standing/standing-shoulder-value</SIDREF>", "<SIDREF>standing/none</SIDREF>",
            "KINEMATICS_BIND_UNRESOLVED",
        ],
    ])
    func aBrokenPartIsToldAndTheRestStays(edit: [String]) throws {
        let text = try Self.robot()
        let broken = text.replacing(edit[0], with: edit[1])
        try #require(broken != text, "\(edit[0]) is not in the document")
        let outcome = Outcome(broken)
        #expect(outcome.codes.map(\.rawValue).contains(edit[2]), "\(edit): \(outcome.codes)")
        let kinematics = outcome.scene.kinematics
        #expect(kinematics.models.first?.links.count == 4)
        #expect(kinematics.models.first?.joints.count == 3)
        #expect(kinematics.systems.count == 2 && kinematics.scenes.count == 1 && kinematics.active.count == 1)
        #expect(outcome.scene.nodes.count == 3)
        #expect(kinematics.active.first?.axes.contains { $0.axis == Self.reach && $0.value == 0.25 } == true)
    }

    // MARK: - Links

    private func model(_ content: String) -> Outcome {
        Document.version15.with(
            "<library_kinematics_models><kinematics_model id='m'><technique_common>\(content)</technique_common></kinematics_model></library_kinematics_models>"
        )
    }

    private static func joints(_ names: String...) -> String {
        names.map { "<joint sid='\($0)'><revolute sid='a'><axis>0 0 1</axis></revolute></joint>" }.joined()
    }

    @Test func flatLinksAreJoinedByStartsAndEnds() throws {
        let outcome = model(
            Self.joints("j", "k")
                + "<link sid='a'><attachment_start joint='m/j'><translate>1 0 0</translate></attachment_start></link>"
                + "<link sid='b'><attachment_end joint='m/j'><translate>2 0 0</translate></attachment_end><attachment_start joint='m/k'/></link>"
                + "<link sid='c'><attachment_end joint='k'/></link>")
        #expect(outcome.codes == [])
        let model = try #require(outcome.scene.kinematics.models.first)
        #expect(model.roots == [SceneIndex(0)])
        let first = try #require(model.links[0].attachments.first)
        #expect(first.role == .carries && first.link == SceneIndex(1) && first.joint == SceneIndex(0))
        #expect(first.matrix.columns.3 == [1, 0, 0, 1] && first.end?.columns.3 == [2, 0, 0, 1])
        #expect(model.links[1].attachments.map { $0.link.value } == [2])
    }

    @Test func aCircleOfLinksIsCutAndTold() throws {
        let outcome = model(
            Self.joints("j", "k")
                + "<link sid='a'><attachment_full joint='m/j'><link sid='b'><attachment_start joint='m/k'/></link></attachment_full><attachment_end joint='m/k'/></link>"
        )
        #expect(outcome.codes == [.kinematicsLinkCycle])
        let model = try #require(outcome.scene.kinematics.models.first)
        #expect(model.roots == [SceneIndex(0)])
        #expect(model.links[0].attachments.map(\.role) == [.carries])
        #expect(model.links[1].attachments.map(\.role) == [.closes])
        #expect(model.links[1].attachments.map { $0.link.value } == [0])
    }

    @Test func aJointIsFoundByItsSidWhereTheModelIsNamedWrong() {
        let outcome = model(
            Self.joints("j") + "<link><attachment_full joint='model/j'><link/></attachment_full></link>")
        #expect(outcome.codes == [.kinematicsJointUnresolved])
        #expect(outcome.scene.kinematics.models.first?.links.first?.attachments.first?.joint == SceneIndex(0))
    }

    @Test func anAttachmentWithOneEndIsTold() {
        let outcome = model(Self.joints("j") + "<link><attachment_start joint='m/j'/></link><link/>")
        #expect(outcome.codes == [.kinematicsJointUnresolved])
        #expect(outcome.scene.kinematics.models.first?.roots.count == 2)
    }

    @Test func linksNestAsDeepAsElementsMay() throws {
        // COLLADA, library, model, technique and the first link, then two elements a link.
        let depth = (ColladaOptions().limits.depth - 5) / 2
        var text = "<link sid='l0'>"
        for index in 1...depth { text += "<attachment_full joint='m/j'><link sid='l\(index)'>" }
        for _ in 1...depth { text += "</link></attachment_full>" }
        let outcome = model(Self.joints("j") + text + "</link>")
        #expect(outcome.failure == nil)
        let model = try #require(outcome.scene.kinematics.models.first)
        #expect(model.links.count == depth + 1)
        #expect(model.links.dropLast().enumerated().allSatisfy { $1.attachments.first?.link.value == $0 + 1 })
        #expect(outcome.codes == [])
    }

    @Test func aJointHasAllItsAxesInOrder() throws {
        let outcome = Document.version15.with(
            "<library_joints><joint id='j' name='J'><revolute sid='r'><axis>1 0 0</axis><limits><max>INF</max></limits></revolute><prismatic sid='p'><axis>0 1 0</axis><limits><min>-1</min></limits></prismatic></joint></library_joints>"
        )
        #expect(outcome.codes == [], "\(outcome.findings)")
        let joint = try #require(outcome.document.joints.first)
        #expect(joint.axes.map(\.kind) == [.revolute, .prismatic])
        #expect(joint.axes.map(\.limits) == [nil, JointLimits(min: -1, max: nil)])
    }

    @Test func parametersThatNameEachOtherEnd() {
        let outcome = Document.version15.with(
            "<library_kinematics_scenes><kinematics_scene id='k'><instance_kinematics_model url='#m' sid='i'>"
                + "<newparam sid='a'><SIDREF>k/b</SIDREF></newparam><newparam sid='b'><SIDREF>k/a</SIDREF></newparam>"
                + "</instance_kinematics_model></kinematics_scene></library_kinematics_scenes><library_kinematics_models><kinematics_model id='m'/></library_kinematics_models>",
            node: nil)
        #expect(outcome.failure == nil)
        let text = Document(
            version: Document.version15.version, namespace: Document.version15.namespace,
            body: "<library_kinematics_scenes><kinematics_scene id='k'><instance_kinematics_model url='#k' sid='i'>"
                + "<newparam sid='a'><SIDREF>k/b</SIDREF></newparam><newparam sid='b'><SIDREF>k/a</SIDREF></newparam>"
                + "</instance_kinematics_model></kinematics_scene></library_kinematics_scenes>"
                + "<scene><instance_kinematics_scene url='#k'><bind_joint_axis><axis><param>a</param></axis></bind_joint_axis></instance_kinematics_scene></scene>",
            node: nil
        ).text
        #expect(Outcome(text).codes == [.refWrongType, .kinematicsBindUnresolved])
    }

    @Test func aFormulaMayMoveTheJointOfALaterModel() {
        let formula =
            "<formula sid='f'><target><param>later/j</param></target><technique_common><math xmlns='http://www.w3.org/1998/Math/MathML'><ci>j</ci></math></technique_common></formula>"
        let outcome = Document.version15.with(
            "<library_kinematics_models>"
                + [("m", formula), ("later", "")].map {
                    "<kinematics_model id='\($0)'><technique_common>\(Self.joints("j"))<link/>\($1)</technique_common></kinematics_model>"
                }.joined() + "</library_kinematics_models>")
        #expect(outcome.codes == [.formulaUnsupported])
        #expect(outcome.scene.kinematics.models.map(\.formulas.count) == [0, 1])
        #expect(outcome.scene.kinematics.models.last?.formulas.first?.joint == SceneIndex(0))
    }

    @Test func whatAFormulaBindsItselfIsNoReference() {
        let outcome = model(
            Self.joints("j")
                + "<link/><formula sid='f'><target><param>m/j</param></target><technique_common><math xmlns='http://www.w3.org/1998/Math/MathML'><lambda><bvar><ci>x</ci></bvar><apply><plus/><ci>x</ci><ci>m/j</ci></apply></lambda></math></technique_common></formula>"
        )
        #expect(outcome.codes == [.formulaUnsupported], "\(outcome.findings)")
        #expect(outcome.scene.kinematics.formulas.first?.symbols == ["m/j"])
    }

    // MARK: - Axes set by instances

    /// The value would else be lost without a word, and a parameter that nothing asks for would not be looked at.
    @Test(arguments: [
        ("<setparam ref='v'>", "<setparam ref='w'>"), ("<setparam ref='k/one/v'>", "<setparam ref='k/one/w'>"),
        ("<SIDREF>k/one/j/a</SIDREF>", "<SIDREF>k/one/none</SIDREF>"),
    ])
    func whatIsSetButDoesNotExistIsTold(text: String, broken: String) {
        let body =
            "<library_kinematics_models><kinematics_model id='m'><technique_common>\(Self.joints("j"))<link/></technique_common></kinematics_model></library_kinematics_models>"
            + "<library_kinematics_scenes><kinematics_scene id='k'><instance_kinematics_model url='#m' sid='one'><newparam sid='v'><float>1</float></newparam><newparam sid='idle'><SIDREF>k/one/j/a</SIDREF></newparam></instance_kinematics_model></kinematics_scene></library_kinematics_scenes>"
            + "<scene><instance_kinematics_scene url='#k'><setparam ref='v'><float>1</float></setparam><setparam ref='k/one/v'><float>2</float></setparam></instance_kinematics_scene></scene>"
        var document = Document.version15
        document.node = nil
        document.body = body
        #expect(Outcome(document.text).codes == [])
        document.body = body.replacing(text, with: broken)
        #expect(document.body != body)
        #expect(Outcome(document.text).codes == [.kinematicsBindUnresolved])
    }

    @Test func whatAnInstanceSetsIsNearerThanWhatIsDeclared() {
        let text = Document(
            version: Document.version15.version, namespace: Document.version15.namespace,
            body:
                "<library_kinematics_models><kinematics_model id='m'><technique_common>\(Self.joints("j"))<link/></technique_common></kinematics_model></library_kinematics_models>"
                + "<library_kinematics_scenes><kinematics_scene id='k'>"
                + ["one", "two"].map {
                    "<instance_kinematics_model url='#m' sid='\($0)'><newparam sid='v'><float>1</float></newparam><newparam sid='\($0)-axis'><SIDREF>k/\($0)/j/a</SIDREF></newparam></instance_kinematics_model>"
                }.joined() + "</kinematics_scene></library_kinematics_scenes>"
                + "<scene><instance_kinematics_scene url='#k'><newparam sid='w'><int>7</int></newparam><setparam ref='v'><connect_param ref='w'/></setparam>"
                + "<bind_joint_axis><axis><param>two-axis</param></axis><value><param>v</param></value></bind_joint_axis></instance_kinematics_scene></scene>",
            node: nil
        ).text
        let outcome = Outcome(text)
        #expect(outcome.codes == [], "\(outcome.findings)")
        let axis = outcome.scene.kinematics.active.first?.axes.first
        #expect(axis?.value == 7)
        #expect(axis?.instance == 1)
        #expect(axis?.node == nil)
    }
}
