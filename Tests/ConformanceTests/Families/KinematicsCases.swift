import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct KinematicsCases {
    @Test(arguments: kinematicsFamily.joined()) func jointsModelsAndFormulas(_ row: ConformanceCase) throws {
        try row.run()
    }
}

private let joints = "1_5/collada/library_joints/joint"
private let model = "1_5/collada/library_kinematics_model/kinematics_model"
private let scene = "1_5/collada/library_kinematics_scene/kinematics_scene"

let kinematicsFamily: ConformanceFamily = [
    // MARK: Joints
    only("\(joints)/compound_joint", "a joint of three axes, used twice") {
        let model = try $0.greifer
        #expect(model.joints.map(\.sid) == ["j2", "j3"] && model.links.count == 3)
        for joint in model.joints {
            #expect(joint.axes.map(\.sid) == ["axis1", "axis2", "axis3"])
            #expect(joint.axes.allSatisfy { $0.kind == .revolute && $0.limits == nil })
            expect(joint.axes.flatMap(\.direction.list), [0, 0, 1, 0, 1, 0, 1, 0, 0])
        }
    },
    only("\(joints)/id/id_dash", "a joint's id with a dash; it slides from −500 to 0 along x") {
        #expect($0.document.joints.map(\.id) == ["prismatic-joint"])
        let axis = try #require(try $0.greifer.joints.first?.axes.first)
        #expect(axis.kind == .prismatic && axis.limits == JointLimits(min: -500, max: 0))
        expect(axis.direction.list, [1, 0, 0])
    },
    only("\(joints)/prismatic/no_limit", "a sliding joint without limits") {
        let axis = try #require(try $0.greifer.joints.first?.axes.first)
        #expect(axis.kind == .prismatic && axis.limits == nil)
    },
    only("\(joints)/revolute/no_limit", "a turning joint without limits, used twice") {
        let axes = try $0.greifer.joints.map(\.axes)
        #expect(axes.count == 2 && axes.joined().allSatisfy { $0.kind == .revolute && $0.limits == nil })
    },

    // MARK: Models
    only(
        "\(model)/technique_common/link/attachment_full", "links carry links: moved and turned, moved, and as they are"
    ) {
        let model = try $0.greifer
        try $0.expectGripper()
        let half = 0.5.squareRoot()
        expect(model.attachment(0)?.matrix.rows, [half, 0, half, 525, 0, 1, 0, 0, -half, 0, half, 0, 0, 0, 0, 1])
        expect(model.attachment(1)?.matrix.origin.list, [525, 0, 0])
        expect(model.attachment(2)?.matrix.rows, Matrix4.identity.rows)
    },
    only(
        "\(model)/technique_common/instance_joint/joint_in_kinematics",
        "joints that stand in the model are instanced there"
    ) {
        #expect($0.document.joints.map(\.id) == ["revolute_joint", "prismatic_joint"])
        let model = try $0.greifer
        #expect(model.joints.compactMap(\.sid) == ["j1", "j2", "j3"] && model.links.count == 4)
    },
    only("\(model)/technique_common/joint/prismatic/no_limit", "a joint without limits that stands in the model") {
        let joint = try #require(try $0.greifer.joints.first { $0.sid == "j1" })
        #expect(joint.axes.first?.kind == .prismatic && joint.axes.first?.limits == nil)
    },
    only("\(model)/id/id_dash", "a model's id with a dash") {
        try #expect($0.greifer.id == "KIN-GREIFER")
        try $0.expectGripper()
        // The second finger is turned about x by half.
        expect(try $0.greifer.attachment(2)?.matrix.rows, [1, 0, 0, 525, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1])
    },

    // MARK: Scenes
    only(
        "\(scene)/id/id_dash", "a scene's id with a dash; its model misspells the id before one joint",
        finds: [.kinematicsJointUnresolved]
    ) {
        #expect($0.scene.kinematics.scenes.map(\.id) == ["KIN-SCENE"])
        try $0.expectInstance()
    },
    only("\(scene)/instance_kinematics_model/newparam/float", "parameters of numbers and of addresses") {
        try $0.expectInstance()
        let parameters = try #require($0.document.kinematicsScenes.first?.models.first?.newParameters)
        #expect(parameters.map(\.sid) == ["param.model", "param.j1.axis", "param.j1.axis.value"])
        #expect(parameters.last?.value == .real(0))
        guard case .sidref(let address)? = parameters.dropFirst().first?.value else {
            Issue.record("no address: \(parameters)")
            return
        }
        #expect(address.text == "KIN_SCENE/inst_kin_greifer/j1/axis")
    },

    // MARK: Formulas
    only("1_5/collada/library_formulas/formula/one_formula", "the root of the sum of two squares") {
        let formula = try #require($0.scene.kinematics.formulas.first)
        #expect(formula.id == "pythagorean" && formula.target == "hypotenuse")
        #expect(formula.parameters == ["hypotenuse", "side1", "side2"] && formula.symbols == ["side1", "side2"])
        let math = try #require($0.document.formulas.first?.math)
        #expect(math.first("apply")?.children.map(\.name) == ["math:root", "math:degree", "math:apply"])
    },
]

extension ConformanceReading {
    /// The only model of these cases: a gripper.
    fileprivate var greifer: KinematicsModel {
        get throws { try #require(scene.kinematics.models.first) }
    }

    /// That it has an arm on a slide and two fingers that turn by 15° to each side.
    fileprivate func expectGripper(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let model = try greifer
        #expect(model.joints.map(\.sid) == ["j1", "j2", "j3"], sourceLocation: sourceLocation)
        let limits = model.joints.map { $0.axes.first?.limits }
        let finger = JointLimits(min: -15, max: 15)
        #expect(limits == [JointLimits(min: -500, max: 0), finger, finger], sourceLocation: sourceLocation)
        #expect(model.links.map(\.attachments.count) == [1, 2, 0, 0], sourceLocation: sourceLocation)
        let joints = model.links.flatMap(\.attachments).map { $0.joint?.value }
        #expect(joints == [0, 1, 2], sourceLocation: sourceLocation)
    }

    fileprivate func expectInstance(sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard case .model(let instance)? = scene.kinematics.scenes.first?.instances.first else {
            Issue.record("the scene instances no model", sourceLocation: sourceLocation)
            return
        }
        #expect(instance.sid == "inst_kin_greifer" && instance.model?.value == 0, sourceLocation: sourceLocation)
    }
}

extension KinematicsModel {
    /// Of all its links, in their order.
    fileprivate func attachment(_ index: Int) -> LinkAttachment? {
        let all = links.flatMap(\.attachments)
        return all.indices.contains(index) ? all[index] : nil
    }
}
