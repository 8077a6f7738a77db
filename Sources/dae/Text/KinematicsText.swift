import DaeCore
import Daedalus

/// A document's robots as lines: each model's links as a tree, with the joints between them and what they move.
struct KinematicsText {
    private let scene: Scene
    private let kinematics: Kinematics
    private let style: Style
    /// Levels of links that are drawn; a root is 1.
    private let depth: Int
    private let axes: AxisFacts
    /// Nodes that are named for one axis; the rest are counted.
    private static let nodeLimit = 3

    init(_ scene: Scene, depth: Int, style: Style) {
        self.scene = scene
        kinematics = scene.kinematics
        self.depth = depth
        self.style = style
        axes = AxisFacts(scene.kinematics)
    }

    private struct Line {
        let link: SceneIndex<KinematicLink>
        /// By which it hangs on the link above; `nil` for a root.
        let attachment: LinkAttachment?
        let level: Int
        let prefix: String
        let isLast: Bool
    }

    var text: String {
        var lines: [String] = []
        if kinematics.isEmpty { lines.append("no kinematics in this document") }
        for index in kinematics.models.indices { draw(SceneIndex(index), into: &lines) }
        for system in kinematics.systems { lines += describe(system) }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Models

    private func draw(_ index: SceneIndex<KinematicsModel>, into lines: inout [String]) {
        let model = kinematics.models[index]
        let counts = [Figures.count(model.links.count, "link"), Figures.count(model.joints.count, "joint")]
        var head =
            style(.bold, label(model.name, model.id)) + style(.dim, "   model, " + counts.joined(separator: ", "))
        for node in axes.nodes(of: index) {
            head += style.marks("   ▸ ") + "node " + label(scene.nodes[node].name, scene.nodes[node].id)
        }
        lines.append(head)
        var attached: Set<SceneIndex<KinematicJoint>> = []
        // An explicit stack: robots nest as deep as the budget lets them.
        var stack = model.roots.indices.reversed().map {
            Line(link: model.roots[$0], attachment: nil, level: 1, prefix: "", isLast: $0 == model.roots.count - 1)
        }
        while let line = stack.popLast() {
            let link = model.links[line.link]
            if let joint = line.attachment?.joint { attached.insert(joint) }
            let below = TreeBranch.below(line.prefix, isLast: line.isLast, level: line.level, style)
            lines.append(
                line.prefix + style.marks(line.isLast ? "└─ " : "├─ ") + describe(line.attachment, in: index)
                    + label(link.name, link.sid) + nodes(line.attachment, in: index))
            let carried = link.attachments.filter { $0.role == .carries }
            for loop in link.attachments where loop.role == .closes {
                if let joint = loop.joint { attached.insert(joint) }
                let other = model.links[loop.link]
                lines.append(
                    below + (carried.isEmpty ? "   " : style.marks("│  ")) + describe(loop, in: index)
                        + label(other.name, other.sid) + style(.dim, "   (closes a loop)"))
            }
            guard line.level < depth || carried.isEmpty else {
                lines.append(
                    below + style.marks("└─ ") + style(.dim, "\(Figures.count(carried.count, "link")) not drawn"))
                continue
            }
            stack += carried.indices.reversed().map {
                Line(
                    link: carried[$0].link, attachment: carried[$0], level: line.level + 1, prefix: below,
                    isLast: $0 == carried.count - 1)
            }
        }
        if depth == .max { lines += loose(model, index, beside: attached) }
        lines += model.formulas.map { "   " + describe($0, in: model) }
        if !model.noncolliding.isEmpty {
            let names = model.noncolliding.map { label(model.links[$0].name, model.links[$0].sid) }
            lines.append("   collide with nothing: " + names.joined(separator: ", "))
        }
    }

    private func loose(
        _ model: KinematicsModel, _ index: SceneIndex<KinematicsModel>,
        beside attached: Set<SceneIndex<KinematicJoint>>
    ) -> [String] {
        model.joints.indices.map { SceneIndex<KinematicJoint>($0) }.filter { !attached.contains($0) }.map {
            "   holds no links: " + describe($0, in: index)
        }
    }

    private func describe(_ formula: JointFormula, in model: KinematicsModel) -> String {
        let name = formula.joint.map { self.name(of: model.joints[$0]) } ?? "an unknown joint"
        let sources = formula.sources.map { self.name(of: model.joints[$0]) }
        let law = kinematics.formulas[formula.formula]
        return "\(name) follows \(sources.isEmpty ? "no joint" : sources.joined(separator: ", "))"
            + style(.dim, " by formula \(label(law.name, law.sid ?? law.id))")
    }

    // MARK: - Joints

    /// `—joint (revolute, axis z, -180…180°, at 0°)→ `.
    private func describe(_ attachment: LinkAttachment?, in model: SceneIndex<KinematicsModel>) -> String {
        guard let attachment else { return "" }
        guard let joint = attachment.joint else {
            return style.marks("—") + style(.red, "missing joint") + style.marks("→ ")
        }
        return style.marks("—") + describe(joint, in: model) + style.marks("→ ")
    }

    private func describe(_ joint: SceneIndex<KinematicJoint>, in model: SceneIndex<KinematicsModel>) -> String {
        let given = kinematics.models[model].joints[joint]
        let parts = given.axes.indices.map { place in
            describe(given.axes[place], .init(model: model, joint: joint, axis: SceneIndex(place)))
        }
        let kinds = parts.isEmpty ? style(.red, "missing") : parts.joined(separator: "; ")
        return "\(name(of: given)) (\(kinds))"
    }

    private func describe(_ axis: JointAxis, _ reference: JointAxisReference) -> String {
        let facts = axes[reference]
        let limits = facts.limits ?? axis.limits
        var parts = [axis.kind.rawValue, "axis " + direction(axis.direction)]
        if let limits { parts.append(range(limits) + unit(axis)) }
        if let value = facts.value { parts.append("at \(Figures.significant(value))\(unit(axis))") }
        if let speed = facts.speed { parts.append("\(Figures.significant(speed))\(unit(axis))/s") }
        if facts.isLocked == true { parts.append("locked") }
        if facts.isActive == false { parts.append("passive") }
        return parts.joined(separator: ", ")
    }

    private func range(_ limits: JointLimits) -> String {
        if limits.isFixed, let value = limits.min { return "fixed at " + Figures.significant(value) }
        return [limits.min, limits.max].map { $0.map(Figures.significant) ?? "" }.joined(separator: style.marks("…"))
    }

    private func unit(_ axis: JointAxis) -> String {
        switch axis.kind {
        case .revolute: style.marks("°")
        case .prismatic: " units"
        }
    }

    private func direction(_ axis: SIMD3<Double>) -> String {
        let names: [SIMD3<Double>: String] = [
            [1, 0, 0]: "x", [0, 1, 0]: "y", [0, 0, 1]: "z", [-1, 0, 0]: "-x", [0, -1, 0]: "-y", [0, 0, -1]: "-z",
        ]
        return names[axis] ?? [axis.x, axis.y, axis.z].map(Figures.significant).joined(separator: " ")
    }

    /// The nodes that a joint's axes move.
    private func nodes(_ attachment: LinkAttachment?, in model: SceneIndex<KinematicsModel>) -> String {
        guard let joint = attachment?.joint else { return "" }
        let count = kinematics.models[model].joints[joint].axes.count
        let moved = (0..<count).flatMap { axes[.init(model: model, joint: joint, axis: SceneIndex($0))].nodes }
        guard !moved.isEmpty else { return "" }
        let names = moved.prefix(Self.nodeLimit).map { label(scene.nodes[$0].name, scene.nodes[$0].id) }
        let more = moved.count > names.count ? " and \(Figures.count(moved.count - names.count, "other"))" : ""
        return style(.dim, style.marks("   ▸ ")) + "node " + names.joined(separator: ", ") + more
    }

    // MARK: - Systems

    private func describe(_ system: ArticulatedSystem) -> [String] {
        let of: String
        switch system.kind {
        case .kinematics(let models, frames: _):
            of =
                "kinematics of "
                + models.map {
                    $0.model.map { label(kinematics.models[$0].name, kinematics.models[$0].id) } ?? "nothing"
                }
                .joined(separator: ", ")
        case .motion(let other, effector: _):
            of =
                "motion of "
                + (other.map { label(kinematics.systems[$0].name, kinematics.systems[$0].id) } ?? "nothing")
        case .empty: of = "empty"
        }
        let interface = system.interface.map { ", driven by \($0.withoutControls)" } ?? ""
        return [style(.bold, label(system.name, system.id)) + style(.dim, "   articulated system, \(of)\(interface)")]
            + system.manipulators.map { style.marks("   ▸ ") + describe($0) }
    }

    private func describe(_ manipulator: Manipulator) -> String {
        func name(_ link: LinkReference?) -> String {
            guard let link else { return "a missing link" }
            let found = kinematics.models[link.model].links[link.link]
            return label(found.name, found.sid)
        }
        let grips = manipulator.gripperJoints.map { self.name(of: kinematics.models[$0.model].joints[$0.joint]) }
        return "manipulator \(label(manipulator.name, nil)), \(name(manipulator.origin)) to \(name(manipulator.tip))"
            + (grips.isEmpty ? "" : ", gripping by \(grips.joined(separator: ", "))")
    }

    private func name(of joint: KinematicJoint) -> String { label(joint.name, joint.sid ?? joint.id) }

    private func label(_ name: String?, _ id: String?) -> String { (name ?? id ?? "unnamed").withoutControls }
}
