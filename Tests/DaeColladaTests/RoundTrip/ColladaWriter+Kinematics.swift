import DaeScene

/// Where a value or an address may stand in place or be a parameter's, the seed decides.
extension ColladaWriter {
    mutating func kinematics() -> [String] {
        let joints = sharedJoints()
        let formulas = scene.kinematics.formulas.filter { !$0.parameters.isEmpty }.map { formula($0) }
        return [
            library("library_joints", joints), library("library_formulas", formulas),
            library("library_kinematics_models", scene.kinematics.models.map { model($0) }),
            library("library_articulated_systems", scene.kinematics.systems.indices.map { system($0) }),
            library("library_kinematics_scenes", scene.kinematics.scenes.map { kinematicsScene($0) }),
        ]
    }

    // MARK: - Joints

    /// Those that several models have, and of the others with an id some.
    private mutating func sharedJoints() -> [String] {
        let all = scene.kinematics.models.flatMap(\.joints)
        var written: [String] = []
        for joint in all {
            guard let id = joint.id, !jointsInLibrary.contains(id) else { continue }
            guard all.count(where: { $0.id == id }) > 1 || dice.chance(0.5) else { continue }
            jointsInLibrary.insert(id)
            var shared = joint
            shared.sid = nil
            written.append(self.joint(shared))
        }
        return written
    }

    private func joint(_ joint: KinematicJoint) -> String {
        let axes = joint.axes.map { axis in
            var content = Markup.element("axis", ["name": axis.name], Markup.numbers(axis.direction.array))
            if let limits = axis.limits {
                func end(_ name: String, _ value: Double?) -> String {
                    value.map { Markup.element(name, [:], $0.description) } ?? ""
                }
                content += Markup.element("limits", [:], end("min", limits.min) + end("max", limits.max))
            }
            return Markup.element(axis.kind.rawValue, ["sid": axis.sid], content)
        }
        return Markup.element("joint", ["id": joint.id, "sid": joint.sid, "name": joint.name], axes.joined())
    }

    // MARK: - Models

    private mutating func model(_ model: KinematicsModel) -> String {
        var content = ""
        for joint in model.joints {
            if let id = joint.id, jointsInLibrary.contains(id) {
                let name = joint.name != nil && dice.chance(0.5) ? joint.name : nil
                content += Markup.element("instance_joint", ["sid": joint.sid, "name": name, "url": "#" + id])
            } else {
                content += self.joint(joint)
            }
        }
        var carried: Set<Int> = []
        var ends: [Int: String] = [:]
        for attachment in model.links.flatMap(\.attachments) {
            if let end = attachment.end {
                ends[attachment.link.value, default: ""] += self.attachment(
                    "attachment_end", attachment.joint, of: model, placement(end))
            } else {
                carried.insert(attachment.link.value)
            }
        }
        for index in model.links.indices where !carried.contains(index) { content += link(index, of: model, ends) }
        for formula in model.formulas { content += self.formula(formula, of: model) }
        return Markup.element(
            "kinematics_model", ["id": model.id, "name": model.name], Markup.element("technique_common", [:], content))
    }

    private mutating func link(_ index: Int, of model: KinematicsModel, _ ends: [Int: String]) -> String {
        let link = model.links[index]
        var content = placement(link.matrix)
        for attachment in link.attachments {
            let inner = attachment.end == nil ? self.link(attachment.link.value, of: model, ends) : ""
            content += self.attachment(
                attachment.end == nil ? "attachment_full" : "attachment_start", attachment.joint, of: model,
                placement(attachment.matrix) + inner)
        }
        return Markup.element("link", ["sid": link.sid, "name": link.name], content + (ends[index] ?? ""))
    }

    private mutating func attachment(
        _ name: String, _ joint: SceneIndex<KinematicJoint>?, of model: KinematicsModel, _ content: String
    ) -> String {
        let sid = joint.flatMap { model.joints[$0.value].sid } ?? ""
        let address = dice.pick([sid, "./" + sid, (model.id ?? "") + "/" + sid])
        return Markup.element(name, ["joint": address], content)
    }

    // MARK: - Formulas

    private func formula(_ formula: KinematicFormula) -> String {
        let names = formula.symbols.map { Markup.element("ci", [:], Markup.escaped($0)) }
        let math = Markup.element("math", ["xmlns": "http://www.w3.org/1998/Math/MathML"], names.joined())
        let target = formula.target.map {
            Markup.element("target", [:], Markup.element("param", [:], Markup.escaped($0)))
        }
        return Markup.element(
            "formula", ["id": formula.id, "sid": formula.sid, "name": formula.name],
            formula.parameters.map { Markup.element("newparam", ["sid": $0]) }.joined() + (target ?? "")
                + Markup.element("technique_common", [:], math))
    }

    private mutating func formula(_ use: JointFormula, of model: KinematicsModel) -> String {
        let formula = scene.kinematics.formulas[use.formula.value]
        guard !formula.parameters.isEmpty else { return self.formula(formula) }
        func set(_ name: String, _ joint: SceneIndex<KinematicJoint>?, _ dice: inout Dice) -> String {
            let address = (model.id ?? "") + "/" + (joint.flatMap { model.joints[$0.value].sid } ?? "")
            let value =
                dice.chance(0.5)
                ? Markup.element("SIDREF", [:], address) : Markup.element("connect_param", ["ref": address])
            return Markup.element("setparam", ["ref": name], value)
        }
        return Markup.element(
            "instance_formula", ["url": formula.id.map { "#" + $0 }],
            set("part", use.joint, &dice) + set("whole", use.sources.first, &dice))
    }
}
