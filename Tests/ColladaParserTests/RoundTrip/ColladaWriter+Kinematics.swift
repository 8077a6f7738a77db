import SceneModel

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

    // MARK: - Systems

    private mutating func system(_ index: Int) -> String {
        let system = scene.kinematics.systems[index]
        let axes = system.axes.indices.map { axisInfo($0, of: index) }.joined()
        let content: String
        switch system.kind {
        case .kinematics(let models, let frames):
            let instances = models.map { instance($0) }
            let frames = frames.map { frame in
                Markup.element(
                    frame.role.rawValue, ["link": frame.link.map { address(of: $0) }], placement(frame.matrix))
            }
            content = Markup.element(
                "kinematics", [:],
                instances.joined() + Markup.element("technique_common", [:], axes + frames.joined()))
        case .motion(let other, let effector):
            let instance = Markup.element(
                "instance_articulated_system",
                ["sid": newID(), "url": other.flatMap { scene.kinematics.systems[$0.value].id }.map { "#" + $0 }])
            content = Markup.element(
                "motion", [:],
                instance
                    + Markup.element("technique_common", [:], axes + (effector.map { self.effector($0) } ?? "")))
        case .empty: content = ""
        }
        return Markup.element("articulated_system", ["id": system.id, "name": system.name], content)
    }

    private func instance(_ instance: KinematicsModelInstance) -> String {
        Markup.element(
            "instance_kinematics_model",
            [
                "sid": instance.sid, "name": instance.name,
                "url": instance.model.flatMap { scene.kinematics.models[$0.value].id }.map { "#" + $0 },
            ])
    }

    private static func infoSID(_ place: Int) -> String { "info.\(place)" }

    private mutating func axisInfo(_ place: Int, of index: Int) -> String {
        let setting = scene.kinematics.systems[index].axes[place]
        var parameters = ""
        var content = ""
        func add(_ name: String, _ kind: String, _ value: String?) {
            guard let value else { return }
            content += Markup.element(name, [:], self.value(kind, value, &parameters))
        }
        add("active", "bool", setting.isActive?.description)
        add("locked", "bool", setting.isLocked?.description)
        if let limits = setting.limits {
            let before = content
            content = ""
            add("min", "float", limits.min?.description)
            add("max", "float", limits.max?.description)
            content = before + Markup.element("limits", [:], content)
        }
        add("speed", "float", setting.speed?.description)
        add("acceleration", "float", setting.acceleration?.description)
        add("deceleration", "float", setting.deceleration?.description)
        add("jerk", "float", setting.jerk?.description)
        return Markup.element(
            "axis_info", ["sid": Self.infoSID(place), "axis": address(of: setting.axis, in: index)],
            parameters + content)
    }

    /// In place, or of a new parameter.
    private mutating func value(_ kind: String, _ value: String, _ parameters: inout String) -> String {
        let written = Markup.element(kind, [:], value)
        guard dice.chance(0.3) else { return written }
        let sid = newID()
        parameters += Markup.element("newparam", ["sid": sid], written)
        return Markup.element("param", [:], sid)
    }

    private func effector(_ speeds: EffectorSpeeds) -> String {
        func pair(_ name: String, _ value: SIMD2<Double>?) -> String {
            value.map { Markup.element(name, [:], Markup.element("float2", [:], Markup.numbers($0.array))) } ?? ""
        }
        return Markup.element(
            "effector_info", [:],
            pair("speed", speeds.speed) + pair("acceleration", speeds.acceleration)
                + pair("deceleration", speeds.deceleration) + pair("jerk", speeds.jerk))
    }

    // MARK: - Addresses

    private func address(of link: LinkReference) -> String {
        let model = scene.kinematics.models[link.model.value]
        return (model.id ?? "") + "/" + (model.links[link.link.value].sid ?? "")
    }

    private func path(of axis: JointAxisReference) -> String {
        let joint = scene.kinematics.models[axis.model.value].joints[axis.joint.value]
        return (joint.sid ?? "") + "/" + (joint.axes[axis.axis.value].sid ?? "")
    }

    private func address(of axis: JointAxisReference) -> String {
        (scene.kinematics.models[axis.model.value].id ?? "") + "/" + path(of: axis)
    }

    /// Straight, by an instance of the model, or by what the system that is moved says of the axis.
    private mutating func address(of axis: JointAxisReference, in index: Int) -> String {
        let system = scene.kinematics.systems[index]
        var ways = [address(of: axis)]
        switch system.kind {
        case .kinematics(let models, frames: _):
            for instance in models where instance.model == axis.model {
                guard let sid = instance.sid else { continue }
                ways += [(system.id ?? "") + "/" + sid + "/" + path(of: axis), sid + "/" + path(of: axis)]
            }
        case .motion(let other?, effector: _):
            let moved = scene.kinematics.systems[other.value]
            for (place, setting) in moved.axes.enumerated() where setting.axis == axis {
                ways.append((moved.id ?? "") + "/" + Self.infoSID(place))
            }
        case .motion(nil, effector: _), .empty: break
        }
        return dice.pick(ways)
    }

    // MARK: - Scenes

    private func kinematicsScene(_ given: KinematicsScene) -> String {
        let instances = given.instances.map { instance in
            switch instance {
            case .model(let model): self.instance(model)
            case .system(let sid, let name, let system):
                Markup.element(
                    "instance_articulated_system",
                    [
                        "sid": sid, "name": name,
                        "url": system.flatMap { scene.kinematics.systems[$0.value].id }.map { "#" + $0 },
                    ])
            }
        }
        return Markup.element("kinematics_scene", ["id": given.id, "name": given.name], instances.joined())
    }

    mutating func instance(_ active: KinematicsSceneInstance) -> String {
        guard let index = active.scene else { return "" }
        let given = scene.kinematics.scenes[index.value]
        var parameters = ""
        var content = ""
        func start(_ place: Int?) -> String? {
            place.map { (given.id ?? "") + "/" + (given.instances[$0].sid ?? "") }
        }
        for binding in active.models {
            let address = start(binding.instance) ?? scene.kinematics.models[binding.model.value].id ?? ""
            content += Markup.element(
                "bind_kinematics_model", ["node": scene.nodes[binding.node].id],
                value("SIDREF", address, &parameters))
        }
        for binding in active.axes {
            let address = start(binding.instance).map { $0 + "/" + path(of: binding.axis) } ?? address(of: binding.axis)
            var inner = Markup.element("axis", [:], value("SIDREF", address, &parameters))
            if let value = binding.value {
                inner += Markup.element("value", [:], self.value("float", value.description, &parameters))
            }
            content += Markup.element("bind_joint_axis", ["target": target(of: binding)], inner)
        }
        return Markup.element(
            "instance_kinematics_scene", ["url": given.id.map { "#" + $0 }], parameters + content)
    }

    private func target(of binding: KinematicsSceneInstance.AxisBinding) -> String? {
        guard let node = binding.node.map({ scene.nodes[$0] }), let id = node.id else { return nil }
        guard let place = binding.transform else { return id }
        return id + "/" + (node.transformSIDs[place] ?? "")
    }
}

extension KinematicsScene.Instance {
    fileprivate var sid: String? {
        switch self {
        case .model(let model): model.sid
        case .system(let sid, name: _, _): sid
        }
    }
}
