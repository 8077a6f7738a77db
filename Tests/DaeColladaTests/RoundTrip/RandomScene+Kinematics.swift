import DaeScene

extension RandomScene {
    /// Robots; only 1.5 has them.
    mutating func addKinematics() {
        switch version {
        case .v14: return
        case .v15: break
        }
        for _ in 0..<dice.int(0...2) {
            scene.kinematics.formulas.append(
                KinematicFormula(
                    id: newID("formula"), sid: nil, name: maybeName(), target: "part",
                    parameters: ["part", "whole", "other"],
                    symbols: ["whole", "other"]))
        }
        let shared = (0..<2).map { _ in joint(id: newID("joint")) }
        for _ in 0..<dice.int(0...3) { addModel(shared) }
        for _ in 0..<dice.int(0...3) { addSystem() }
        for _ in 0..<dice.int(0...2) { addKinematicsScene() }
        guard !scene.kinematics.scenes.isEmpty else { return }
        for _ in 0..<dice.int(0...2) { addActive() }
    }

    // MARK: - Models

    private mutating func joint(id: String?) -> KinematicJoint {
        KinematicJoint(
            id: id, sid: nil, name: maybeName(),
            axes: (0..<dice.pick([1, 1, 1, 3])).map { _ in
                JointAxis(
                    kind: dice.pick(JointAxis.Kind.allCases), sid: newID("axis"), name: maybeName(),
                    direction: dice.vector(), limits: dice.maybe(0.5) { $0.limits() })
            })
    }

    private mutating func addModel(_ shared: [KinematicJoint]) {
        var model = KinematicsModel(id: newID("robot"), name: maybeName())
        for _ in 0..<dice.int(1...4) {
            var joint = dice.chance(0.4) ? dice.pick(shared) : joint(id: maybeID("joint"))
            joint.sid = newID("joint")
            model.joints.append(joint)
        }
        let count = dice.int(1...6)
        // Each hangs on one on the way to the one before it, or on none.
        var path: [Int] = []
        var carriers = [Int?](repeating: nil, count: count)
        for index in 0..<count {
            model.links.append(KinematicLink(sid: newID("link"), name: maybeName(), matrix: frame()))
            path = Array(path.prefix(dice.int(0...path.count)))
            if let carrier = path.last {
                carriers[index] = carrier
                model.links[carrier].attachments.append(
                    LinkAttachment(
                        role: .carries, joint: SceneIndex(dice.int(0...model.joints.count - 1)),
                        link: SceneIndex(index), matrix: frame()))
            }
            path.append(index)
        }
        tie(&model, &carriers)
        model.roots = carriers.indices.filter { carriers[$0] == nil }.map { SceneIndex($0) }
        scene.kinematics.models.append(model)
        for _ in 0..<dice.int(0...2) { addFormula(to: SceneIndex(scene.kinematics.models.count - 1)) }
    }

    /// Links of two trees, by what is attached at two places.
    private mutating func tie(_ model: inout KinematicsModel, _ carriers: inout [Int?]) {
        func top(_ link: Int) -> Int {
            var here = link
            while let next = carriers[here] { here = next }
            return here
        }
        for joint in model.joints.indices where dice.chance(0.4) {
            let (start, end) = (dice.int(0...carriers.count - 1), dice.int(0...carriers.count - 1))
            // A circle is told of.
            guard top(start) != top(end) else { continue }
            let hangs = carriers[end] == nil
            if hangs { carriers[end] = start }
            model.links[start].attachments.append(
                LinkAttachment(
                    role: hangs ? .carries : .closes, joint: SceneIndex(joint), link: SceneIndex(end), matrix: frame(),
                    end: frame()))
        }
    }

    /// One of the library, or one that stands in the model.
    private mutating func addFormula(to model: SceneIndex<KinematicsModel>) {
        let joints = scene.kinematics.models[model.value].joints.indices.map { SceneIndex<KinematicJoint>($0) }
        let library = scene.kinematics.formulas.indices.filter { !scene.kinematics.formulas[$0].parameters.isEmpty }
        let joint = dice.pick(joints)
        if !library.isEmpty, dice.chance(0.5) {
            scene.kinematics.models[model.value].formulas.append(
                JointFormula(formula: SceneIndex(dice.pick(library)), joint: joint, sources: [dice.pick(joints)]))
        } else {
            let sources = Array(dice.shuffled(joints).prefix(dice.int(0...2)))
            scene.kinematics.formulas.append(
                KinematicFormula(
                    id: maybeID("formula"), sid: maybeID("sid"), name: maybeName(), target: address(joint, of: model),
                    parameters: [], symbols: sources.map { address($0, of: model) }))
            scene.kinematics.models[model.value].formulas.append(
                JointFormula(
                    formula: SceneIndex(scene.kinematics.formulas.count - 1), joint: joint, sources: sources))
        }
    }

    private func address(_ joint: SceneIndex<KinematicJoint>, of model: SceneIndex<KinematicsModel>) -> String {
        let model = scene.kinematics.models[model.value]
        return (model.id ?? "") + "/" + (model.joints[joint.value].sid ?? "")
    }
}

extension Dice {
    mutating func limits() -> JointLimits {
        let (one, other) = (number(), number())
        switch int(0...2) {
        case 0: return JointLimits(min: one, max: nil)
        case 1: return JointLimits(min: nil, max: other)
        default: return JointLimits(min: min(one, other), max: max(one, other))  // integers
        }
    }
}
