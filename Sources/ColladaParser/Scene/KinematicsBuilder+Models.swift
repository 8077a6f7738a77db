// Links, joints and formulas of models.

import Diagnostics
import SceneModel
import XMLReader

extension KinematicsBuilder {
    mutating func addModel(_ index: Int) {
        let given = document.kinematicsModels[index]
        var model = KinematicsModel(
            id: given.id, name: given.name, joints: zip(given.joints, targets.joints[index]).map { joint($0, $1) })
        model.links = given.links.map { KinematicLink(sid: $0.sid, name: $0.name, matrix: $0.transforms.matrix) }
        let places = Dictionary(
            targets.joints[index].enumerated().compactMap { place, target in target.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        var tree = LinkTree(count: given.links.count)
        var starts: [Int: [LinkEnd]] = [:]
        var ends: [Int: [LinkEnd]] = [:]
        for (place, link) in given.links.enumerated() {
            for attachment in link.attachments {
                let joint = self.joint(of: attachment, in: index, places)
                let end = LinkEnd(link: place, matrix: attachment.transforms.matrix, joint: attachment.joint)
                switch attachment.kind {
                case .full(link: let carried?):
                    tree.hang(carried, on: place)
                    model.links[place].attachments.append(
                        .init(
                            role: .carries, joint: joint.map { SceneIndex($0) }, link: SceneIndex(carried),
                            matrix: end.matrix))
                case .full(link: nil):
                    references.log.add(
                        .schemaMissingElement, at: Place(attachment.joint.position), "<attachment_full> has no <link>")
                case .start: if let joint { starts[joint, default: []].append(end) }
                case .end: if let joint { ends[joint, default: []].append(end) }
                }
            }
        }
        join(starts, ends, in: &model, &tree)
        let change = systems.change(at: given.position)
        for link in model.links.indices { model.links[link].convert(by: change) }
        model.roots = given.links.indices.filter { tree.isRoot($0) }.map { SceneIndex($0) }
        kinematics.models.append(model)
        for text in given.openRAVE.noncolliding {
            if let link = link(text, from: scopes.models[index]), link.model.value == index {
                kinematics.models[index].noncolliding.append(link.link)
            }
        }
    }

    private func joint(_ joint: ColladaDocument.ModelJoint, _ target: Int?) -> KinematicJoint {
        let source = target.map { document.joints[$0] }
        var axes: [JointAxis] = []
        if let source {
            let change = systems.change(at: source.position)
            axes = source.axes.map { $0.converted(by: change) }
        }
        switch joint {
        case .own: return KinematicJoint(id: source?.id, sid: source?.sid, name: source?.name, axes: axes)
        case .instance(let sid, let name, _):
            return KinematicJoint(id: source?.id, sid: sid, name: name ?? source?.name, axes: axes)
        }
    }

    /// The joint of an attachment, among its own model's; told where it is not.
    ///
    /// - Parameter places: Of the joints that the model instances.
    private mutating func joint(
        of attachment: ColladaDocument.Attachment, in model: Int, _ places: [Int: Int]
    ) -> Int? {
        let text = attachment.joint.text
        if let found = sids.resolve(text, from: scopes.models[model]) {
            switch sids.entity(found) {
            case .joint(let joint) where joint.model.value == model: return joint.joint.value
            case .sharedJoint(let target):
                // Named by its own id, not by the instance.
                if let place = places[target] { return place }
            case .joint, .scene, .model, .system, .axis, .link, .formula, .axisInfo, .parameter, .instance: break
            }
        }
        // Often only the model's id is written wrong: then the sid behind it still says which joint is meant.
        if let sid = text.split(separator: "/").last, sid.count < text.count,
            let found = sids.resolve("./\(sid)", from: scopes.models[model]),
            case .joint(let joint) = sids.entity(found),
            joint.model.value == model
        {
            references.log.add(
                .kinematicsJointUnresolved, at: Place(attachment.joint.position),
                "\(text.quoted()) leads to nothing; the model's own joint \(sid.quoted()) is taken",
                arguments: [.init("reference", text), .init("joint", String(sid))])
            return joint.joint.value
        }
        references.tell(.kinematicsJointUnresolved, attachment.joint, expected: "joint of the model")
        return nil
    }

    // MARK: - Starts and ends

    struct LinkEnd {
        let link: Int
        let matrix: Matrix4
        let joint: ColladaDocument.Reference
    }

    /// Joins what is attached in two places; what would close a circle is kept beside the tree.
    private mutating func join(
        _ starts: [Int: [LinkEnd]], _ ends: [Int: [LinkEnd]], in model: inout KinematicsModel, _ tree: inout LinkTree
    ) {
        for joint in Set(starts.keys).union(ends.keys).sorted() {
            let left = starts[joint] ?? []
            let right = ends[joint] ?? []
            for (start, end) in zip(left, right) {
                let role: LinkAttachment.Role
                switch tree.join(end.link, to: start.link) {
                case .hung: role = .carries
                case .tied: role = .closes
                case .circle:
                    role = .closes
                    references.log.add(
                        .kinematicsLinkCycle, at: Place(start.joint.position),
                        "the attachments of \(start.joint.text.quoted()) close a circle of links; it is kept beside the tree",
                        arguments: [.init("joint", start.joint.text)])
                }
                model.links[start.link].attachments.append(
                    .init(
                        role: role, joint: SceneIndex(joint), link: SceneIndex(end.link), matrix: start.matrix,
                        end: end.matrix))
            }
            for lone in left.dropFirst(right.count) + right.dropFirst(left.count) {
                references.log.add(
                    .kinematicsJointUnresolved, at: Place(lone.joint.position),
                    "\(lone.joint.text.quoted()) is attached at one end only",
                    arguments: [.init("joint", lone.joint.text)])
            }
        }
    }
}

/// Which link hangs on which, so far.
struct LinkTree {
    enum Joined {
        /// It had hung on none, and hangs on the other now.
        case hung
        /// It hangs in another tree already.
        case tied
        /// Both are in one tree already.
        case circle
    }
    private var carriers: [Int?]
    /// Links of one tree lead to the same one; shortened while they are walked.
    private var leaders: [Int]

    init(count: Int) {
        carriers = Array(repeating: nil, count: count)
        leaders = Array(0..<count)
    }

    func isRoot(_ link: Int) -> Bool { carriers[link] == nil }

    mutating func hang(_ link: Int, on carrier: Int) {
        carriers[link] = carrier
        leaders[leader(of: link)] = leader(of: carrier)
    }

    mutating func join(_ link: Int, to carrier: Int) -> Joined {
        guard leader(of: link) != leader(of: carrier) else { return .circle }
        guard isRoot(link) else { return .tied }
        hang(link, on: carrier)
        return .hung
    }

    private mutating func leader(of link: Int) -> Int {
        var here = link
        while leaders[here] != here {
            leaders[here] = leaders[leaders[here]]
            here = leaders[here]
        }
        return here
    }
}
