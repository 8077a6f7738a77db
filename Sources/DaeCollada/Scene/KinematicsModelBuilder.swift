// Links, joints and formulas of models.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds kinematics models, and the formulas by which their joints follow one another.
struct KinematicsModelBuilder {
    private(set) var models: [KinematicsModel] = []
    private(set) var formulas: [KinematicFormula] = []

    mutating func addModel(_ index: Int, in context: inout KinematicsContext) {
        let given = context.document.kinematicsModels[index]
        var model = KinematicsModel(
            id: given.id, name: given.name,
            joints: zip(given.joints, context.targets.joints[index]).map { Self.joint($0, $1, in: &context) })
        model.links = given.links.map { KinematicLink(sid: $0.sid, name: $0.name, matrix: $0.transforms.matrix) }
        let places = Dictionary(
            context.targets.joints[index].enumerated().compactMap { place, target in target.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        var tree = LinkTree(count: given.links.count)
        var starts: [Int: [LinkEnd]] = [:]
        var ends: [Int: [LinkEnd]] = [:]
        for (place, link) in given.links.enumerated() {
            for attachment in link.attachments {
                let joint = Self.joint(of: attachment, in: index, places, &context)
                let end = LinkEnd(link: place, matrix: attachment.transforms.matrix, joint: attachment.joint)
                switch attachment.kind {
                case .full(link: let carried?):
                    tree.hang(carried, on: place)
                    model.links[place].attachments.append(
                        .init(
                            role: .carries, joint: joint.map { SceneIndex($0) }, link: SceneIndex(carried),
                            matrix: end.matrix))
                case .full(link: nil):
                    context.references.log.add(
                        .schemaMissingElement, at: Place(attachment.joint.position), "<attachment_full> has no <link>")
                case .start: if let joint { starts[joint, default: []].append(end) }
                case .end: if let joint { ends[joint, default: []].append(end) }
                }
            }
        }
        Self.join(starts, ends, in: &model, &tree, &context.references.log)
        let change = context.systems.change(at: given.position)
        for link in model.links.indices { model.links[link].convert(by: change) }
        model.roots = given.links.indices.filter { tree.isRoot($0) }.map { SceneIndex($0) }
        models.append(model)
        for text in given.openRAVE.noncolliding {
            if let link = context.link(text, from: context.scopes.models[index]), link.model.value == index {
                models[index].noncolliding.append(link.link)
            }
        }
    }

    private static func joint(
        _ joint: ColladaDocument.ModelJoint, _ target: Int?, in context: inout KinematicsContext
    ) -> KinematicJoint {
        let source = target.map { context.document.joints[$0] }
        var axes: [JointAxis] = []
        if let source {
            let change = context.systems.change(at: source.position)
            axes = source.axes.map { $0.converted(by: change) }
        }
        switch joint {
        case .own: return KinematicJoint(id: source?.id, sid: source?.sid, name: source?.name, axes: axes)
        case .instance(let sid, let name, _):
            return KinematicJoint(id: source?.id, sid: sid, name: name ?? source?.name, axes: axes)
        }
    }

    /// The joint of an attachment, among its own model's; reported where it is not.
    ///
    /// - Parameter places: Of the joints that the model instances.
    private static func joint(
        of attachment: ColladaDocument.Attachment, in model: Int, _ places: [Int: Int],
        _ context: inout KinematicsContext
    ) -> Int? {
        let text = attachment.joint.text
        if let found = context.sids.resolve(text, from: context.scopes.models[model]) {
            switch context.sids.entity(found) {
            case .joint(let joint) where joint.model.value == model: return joint.joint.value
            case .sharedJoint(let target):
                // Named by its own id, not by the instance.
                if let place = places[target] { return place }
            case .joint, .scene, .model, .system, .axis, .link, .formula, .axisInfo, .parameter, .instance: break
            }
        }
        // Often only the model's id is written wrong: then the sid behind it still says which joint is meant.
        if let sid = text.split(separator: "/").last, sid.count < text.count,
            let found = context.sids.resolve("./\(sid)", from: context.scopes.models[model]),
            case .joint(let joint) = context.sids.entity(found),
            joint.model.value == model
        {
            context.references.log.add(
                .kinematicsJointUnresolved, at: Place(attachment.joint.position),
                "\(text.quoted()) leads to nothing; the model's own joint \(sid.quoted()) is taken",
                arguments: [.init("reference", text), .init("joint", String(sid))])
            return joint.joint.value
        }
        context.references.report(.kinematicsJointUnresolved, attachment.joint, expected: "joint of the model")
        return nil
    }

    // MARK: - Starts and ends

    private struct LinkEnd {
        let link: Int
        let matrix: Matrix4
        let joint: ColladaDocument.Reference
    }

    /// Joins what is attached in two places; what would close a circle is kept beside the tree.
    private static func join(
        _ starts: [Int: [LinkEnd]], _ ends: [Int: [LinkEnd]], in model: inout KinematicsModel, _ tree: inout LinkTree,
        _ log: inout FindingLog
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
                    log.add(
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
                log.add(
                    .kinematicsJointUnresolved, at: Place(lone.joint.position),
                    "\(lone.joint.text.quoted()) is attached at one end only",
                    arguments: [.init("joint", lone.joint.text)])
            }
        }
    }

    // MARK: - Formulas

    mutating func addFormulas(in context: inout KinematicsContext) {
        for formula in context.document.formulas {
            var target: String?
            if case .parameter(let reference)? = formula.target { target = reference.text }
            formulas.append(
                KinematicFormula(
                    id: formula.id, sid: formula.sid, name: formula.name, target: target,
                    parameters: formula.parameters.map(\.sid), symbols: formula.symbols))
            context.references.log.add(.formulaUnsupported, at: formula.place, "the formula is kept but not evaluated")
            let (system, main) = (context.systems.system(at: formula.position), context.systems.main)
            if system != main {
                context.references.log.reportSystem(
                    system, ofThe: "formula", expected: main, at: formula.place,
                    "the formula is written in \(system), the scene in \(main); its numbers stay as they are")
            }
        }
    }

    /// Adds a formula at work to the model whose joint it moves.
    ///
    /// - Parameter axis: What it moves unless it says so itself.
    mutating func add(
        _ use: ColladaDocument.FormulaUse, from scope: Int, axis: JointAxisReference? = nil,
        in context: inout KinematicsContext
    ) {
        let index: Int
        var names: [String: String] = [:]
        switch use {
        case .own(let own): index = own
        case .instance(sid: _, name: _, let reference, let settings):
            guard let found = context.references.find(reference, .formula) else { return }
            index = found
            names = self.names(set: settings, of: index, from: scope, in: &context)
        }
        let formula = formulas[index]
        let own = Set(formula.parameters)
        let target = formula.target.map { names[$0] ?? $0 }
        let moved =
            target.flatMap { context.joint($0, from: scope) } ?? axis.map { .init(model: $0.model, joint: $0.joint) }
        if let target = formula.target, names[target] == nil, !own.contains(target) {
            Self.reportUnlessKnown(target, of: index, from: scope, in: &context)
        }
        var sources: [JointReference] = []
        var known: Set<JointReference> = []
        for symbol in formula.symbols {
            guard let source = context.joint(names[symbol] ?? symbol, from: scope) else {
                if names[symbol] == nil, !own.contains(symbol) {
                    Self.reportUnlessKnown(symbol, of: index, from: scope, in: &context)
                }
                continue
            }
            if known.insert(source).inserted { sources.append(source) }
        }
        guard let model = (moved ?? sources.first)?.model else { return }
        models[model.value].formulas.append(
            JointFormula(
                formula: SceneIndex(index), joint: moved?.joint,
                sources: sources.filter { $0.model == model }.map(\.joint)))
    }

    /// What the parameters of a formula are set to; reported where there is no such parameter, and what leads to nothing.
    private func names(
        set settings: [ColladaDocument.SetParameter], of formula: Int, from scope: Int,
        in context: inout KinematicsContext
    ) -> [String: String] {
        var names: [String: String] = [:]
        let own = Set(formulas[formula].parameters)
        for setting in settings {
            if !own.contains(setting.reference.text) {
                context.references.report(
                    .kinematicsBindUnresolved, setting.reference, expected: "parameter of the formula")
            }
            switch setting.value {
            case .connected(let other), .sidref(let other):
                names[setting.reference.text] = other.text
                if context.sids.resolve(other.text, from: scope) == nil {
                    context.references.report(.kinematicsBindUnresolved, other, expected: "joint or parameter")
                }
            case .real, .integer, .bool, .empty: break
            }
        }
        return names
    }

    private static func reportUnlessKnown(
        _ name: String, of formula: Int, from scope: Int, in context: inout KinematicsContext
    ) {
        guard context.sids.resolve(name, from: scope) == nil else { return }
        let reference = ColladaDocument.Reference(text: name, position: context.document.formulas[formula].position)
        context.references.report(.kinematicsBindUnresolved, reference, expected: "joint or parameter")
    }
}

/// Which link hangs on which, so far.
private struct LinkTree {
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
