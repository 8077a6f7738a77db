import DaeScene

/// Articulated systems, kinematics scenes, and what these move.
extension ColladaWriter {
    mutating func system(_ index: Int) -> String {
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

    func kinematicsScene(_ given: KinematicsScene) -> String {
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
