// Joints, links and the formulas between them.

import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodeJoint(_ view: ElementView) -> ColladaDocument.Joint {
        var axes: [JointAxis] = []
        for child in view.children {
            if let kind = JointAxis.Kind(rawValue: child.name.rawValue) { axes.append(decodeAxis(child, kind)) }
        }
        if axes.isEmpty {
            log.add(.schemaMissingElement, at: view.place, "<joint> has neither <prismatic> nor <revolute>")
        }
        return ColladaDocument.Joint(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            axes: axes, extras: view.extras)
    }

    private mutating func decodeAxis(_ view: ElementView, _ kind: JointAxis.Kind) -> JointAxis {
        let axis = needed(.axis, in: view)
        let limits = view.first(.limits).map {
            JointLimits(min: limit(in: $0.first(.min)), max: limit(in: $0.first(.max)))
        }
        if let limits, limits.isInverted, let min = limits.min, let max = limits.max {
            log.add(
                .kinematicsLimitsInverted, at: view.place, "the least value is \(min), the greatest is \(max)",
                arguments: [.init("min", "\(min)"), .init("max", "\(max)")])
        }
        return JointAxis(
            kind: kind, sid: view.attribute(.sid), name: axis?.attribute(.name),
            direction: vector(in: axis) ?? [0, 0, 1],
            limits: limits.flatMap { $0 == JointLimits(min: nil, max: nil) ? nil : $0 })
    }

    /// Infinite is the same as free.
    private mutating func limit(in view: ElementView?) -> Double? { real(in: view).flatMap { $0.isFinite ? $0 : nil } }

    // MARK: - Models

    mutating func decodeKinematicsModel(_ view: ElementView) -> ColladaDocument.KinematicsModel {
        let common = view.first(.techniqueCommon)
        var model = ColladaDocument.KinematicsModel(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            parameters: common.map { newParameters(of: $0) } ?? [], joints: [], links: [], roots: [],
            formulas: common.map { formulas(of: $0) } ?? [], openRAVE: decodeOpenRAVE(view), extras: kept(view.extras))
        for child in common?.children.map({ $0 }) ?? [] {
            if child.name == .instanceJoint {
                model.joints.append(
                    .instance(
                        sid: child.attribute(.sid), name: child.attribute(.name), requiredReference(child, .url)))
            } else if child.name == .joint {
                model.joints += child.units.map { .own(Int($0)) }
            } else if child.name == .link {
                model.roots.append(model.links.count)
                decodeLinks(child, into: &model.links)
            }
        }
        return model
    }

    /// A link and all that it carries, each behind the one that carries it.
    private mutating func decodeLinks(_ root: ElementView, into links: inout [ColladaDocument.Link]) {
        // An explicit stack: robots nest as deep as the budget for elements lets them.
        var stack: [(view: ElementView, owner: (link: Int, attachment: Int)?)] = [(root, nil)]
        while let (view, owner) = stack.popLast() {
            let place = links.count
            if let owner { links[owner.link].attachments[owner.attachment].kind = .full(link: place) }
            var link = ColladaDocument.Link(
                sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
                transforms: placement(in: view), attachments: [])
            var carried: [(ElementView, (Int, Int)?)] = []
            for child in view.children {
                guard let kind = kind(ofAttachment: child) else { continue }
                if let next = child.first(.link) { carried.append((next, (place, link.attachments.count))) }
                link.attachments.append(
                    .init(kind: kind, joint: requiredReference(child, .joint), transforms: placement(in: child)))
            }
            links.append(link)
            stack += carried.reversed().map { (view: $0.0, owner: $0.1.map { (link: $0.0, attachment: $0.1) }) }
        }
    }

    private mutating func kind(ofAttachment view: ElementView) -> ColladaDocument.Attachment.Kind? {
        switch view.name {
        case .attachmentFull: .full(link: nil)
        case .attachmentStart: .start
        case .attachmentEnd: .end
        default: nil  // element names: the others within a link are its transforms
        }
    }

    // MARK: - Formulas

    mutating func decodeFormula(_ view: ElementView) -> ColladaDocument.Formula {
        let math = view.first(.techniqueCommon)?.raws.first { $0.name.split(separator: ":").last == "math" }
        return ColladaDocument.Formula(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            parameters: newParameters(of: view),
            target: view.first(.target).flatMap { operand($0, .float) { $0.real(in: $1) } },
            math: options.retention == .everything ? math : nil, symbols: math?.mathSymbols ?? [],
            extras: kept(view.extras))
    }

    /// The formulas that stand or are instanced directly within.
    mutating func formulas(of view: ElementView) -> [ColladaDocument.FormulaUse] {
        view.children.flatMap { child -> [ColladaDocument.FormulaUse] in
            if child.name == .formula { return child.units.map { .own(Int($0)) } }
            guard child.name == .instanceFormula else { return [] }
            return [
                .instance(
                    sid: child.attribute(.sid), name: child.attribute(.name), requiredReference(child, .url),
                    setParameters(of: child))
            ]
        }
    }

    /// Extras that were kept only because they have a meaning here are given back where figures are all that is asked.
    mutating func kept(_ extras: [ColladaDocument.Extra]) -> [ColladaDocument.Extra] {
        switch options.retention {
        case .everything: extras
        case .figures: []
        }
    }
}
