import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema

/// Reads joints, formulas, kinematics models, articulated systems and kinematics scenes.
enum KinematicsReader {
    typealias Document = ColladaDocument
    typealias Operand = ColladaDocument.Operand

    // MARK: - Joints

    static func joint(_ view: ElementView, _ context: inout ReadingContext) -> Document.Joint {
        var axes: [JointAxis] = []
        for child in view.children {
            if let kind = JointAxis.Kind(rawValue: child.name.rawValue) {
                axes.append(axis(child, kind, &context))
            }
        }
        if axes.isEmpty {
            context.log.add(.schemaMissingElement, at: view.place, "<joint> has neither <prismatic> nor <revolute>")
        }
        return Document.Joint(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            axes: axes, extras: view.extras)
    }

    private static func axis(_ view: ElementView, _ kind: JointAxis.Kind, _ context: inout ReadingContext)
        -> JointAxis
    {
        let axis = context.needed(.axis, in: view)
        let limits = view.first(.limits).map {
            JointLimits(min: limit(in: $0.first(.min), &context), max: limit(in: $0.first(.max), &context))
        }
        if let limits, limits.isInverted, let min = limits.min, let max = limits.max {
            context.log.add(
                .kinematicsLimitsInverted, at: view.place, "the least value is \(min), the greatest is \(max)",
                arguments: [.init("min", "\(min)"), .init("max", "\(max)")])
        }
        return JointAxis(
            kind: kind, sid: view.attribute(.sid), name: axis?.attribute(.name),
            direction: context.vector(in: axis) ?? [0, 0, 1],
            limits: limits.flatMap { $0 == JointLimits(min: nil, max: nil) ? nil : $0 })
    }

    /// Infinite is the same as free.
    private static func limit(in view: ElementView?, _ context: inout ReadingContext) -> Double? {
        context.real(in: view).flatMap { $0.isFinite ? $0 : nil }
    }

    // MARK: - Models

    static func kinematicsModel(_ view: ElementView, _ context: inout ReadingContext) -> Document.KinematicsModel {
        let common = view.first(.techniqueCommon)
        var model = Document.KinematicsModel(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            parameters: common.map { newParameters(of: $0, &context) } ?? [], joints: [], links: [], roots: [],
            formulas: common.map { formulas(of: $0, &context) } ?? [],
            openRAVE: OpenRAVEReader.openRAVE(view, &context), extras: context.kept(view.extras))
        for child in common?.children.map({ $0 }) ?? [] {
            if child.name == .instanceJoint {
                model.joints.append(
                    .instance(
                        sid: child.attribute(.sid), name: child.attribute(.name), context.requiredReference(child, .url)
                    ))
            } else if child.name == .joint {
                model.joints += child.units.map { .own(Int($0)) }
            } else if child.name == .link {
                model.roots.append(model.links.count)
                readLinks(child, into: &model.links, &context)
            }
        }
        return model
    }

    /// A link and all that it carries, each behind the one that carries it.
    private static func readLinks(
        _ root: ElementView, into links: inout [Document.Link], _ context: inout ReadingContext
    ) {
        // An explicit stack: robots nest as deep as the budget for elements lets them.
        var stack: [(view: ElementView, owner: (link: Int, attachment: Int)?)] = [(root, nil)]
        while let (view, owner) = stack.popLast() {
            let place = links.count
            if let owner { links[owner.link].attachments[owner.attachment].kind = .full(link: place) }
            var link = Document.Link(
                sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
                transforms: TransformReader.placement(in: view, &context), attachments: [])
            var carried: [(ElementView, (Int, Int)?)] = []
            for child in view.children {
                guard let kind = kind(ofAttachment: child) else { continue }
                if let next = child.first(.link) { carried.append((next, (place, link.attachments.count))) }
                link.attachments.append(
                    .init(
                        kind: kind, joint: context.requiredReference(child, .joint),
                        transforms: TransformReader.placement(in: child, &context)))
            }
            links.append(link)
            stack += carried.reversed().map { (view: $0.0, owner: $0.1.map { (link: $0.0, attachment: $0.1) }) }
        }
    }

    private static func kind(ofAttachment view: ElementView) -> Document.Attachment.Kind? {
        switch view.name {
        case .attachmentFull: .full(link: nil)
        case .attachmentStart: .start
        case .attachmentEnd: .end
        default: nil  // element names: the others within a link are its transforms
        }
    }

    // MARK: - Formulas

    static func formula(_ view: ElementView, _ context: inout ReadingContext) -> Document.Formula {
        let math = view.first(.techniqueCommon)?.raws.first { $0.name.split(separator: ":").last == "math" }
        return Document.Formula(
            id: view.attribute(.id), sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            parameters: newParameters(of: view, &context), target: number(in: view.first(.target), &context),
            math: context.options.retention == .everything ? math : nil, symbols: math?.mathSymbols ?? [],
            extras: context.kept(view.extras))
    }

    /// The formulas that stand or are instanced directly within.
    private static func formulas(of view: ElementView, _ context: inout ReadingContext) -> [Document.FormulaUse] {
        view.children.flatMap { child -> [Document.FormulaUse] in
            if child.name == .formula { return child.units.map { .own(Int($0)) } }
            guard child.name == .instanceFormula else { return [] }
            return [
                .instance(
                    sid: child.attribute(.sid), name: child.attribute(.name), context.requiredReference(child, .url),
                    setParameters(of: child, &context))
            ]
        }
    }

    // MARK: - Articulated systems

    static func articulatedSystem(_ view: ElementView, _ context: inout ReadingContext) -> Document.ArticulatedSystem {
        var system = Document.ArticulatedSystem(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, kind: .empty,
            openRAVE: OpenRAVEReader.openRAVE(view, &context), extras: context.kept(view.extras))
        if let kinematics = view.first(.kinematics) {
            let common = kinematics.first(.techniqueCommon)
            system.kind = .kinematics(
                .init(
                    models: kinematics.all(.instanceKinematicsModel).map { instanceKinematics($0, &context) },
                    axes: common?.all(.axisInfo).map { axisInfo($0, &context) } ?? [],
                    frames: common.map { frames(in: $0, &context) } ?? []))
        } else if let motion = view.first(.motion) {
            let common = motion.first(.techniqueCommon)
            system.kind = .motion(
                .init(
                    system: context.needed(.instanceArticulatedSystem, in: motion).map {
                        instanceKinematics($0, &context)
                    },
                    axes: common?.all(.axisInfo).map { axisInfo($0, &context) } ?? [],
                    effector: common?.first(.effectorInfo).map { effectorInfo($0, &context) }))
        } else {
            context.log.add(
                .schemaMissingElement, at: view.place, "<articulated_system> has neither <kinematics> nor <motion>")
        }
        return system
    }

    private static func instanceKinematics(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.InstanceKinematics
    {
        Document.InstanceKinematics(
            sid: view.attribute(.sid), name: view.attribute(.name), target: context.requiredReference(view, .url),
            binds: binds(of: view, &context), newParameters: newParameters(of: view, &context),
            setParameters: setParameters(of: view, &context), extras: view.extras)
    }

    private static func axisInfo(_ view: ElementView, _ context: inout ReadingContext) -> Document.AxisInfo {
        Document.AxisInfo(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            axis: context.requiredReference(view, .axis), binds: binds(of: view, &context),
            newParameters: newParameters(of: view, &context), setParameters: setParameters(of: view, &context),
            active: operand(in: view.first(.active), .bool, &context) { $0.bool(in: $1) },
            locked: operand(in: view.first(.locked), .bool, &context) { $0.bool(in: $1) },
            indices: view.all(.index).map {
                .init(semantic: $0.attribute(.semantic), value: operand(in: $0, .int, &context) { $0.integer(in: $1) })
            },
            limits: view.first(.limits).map {
                .init(min: number(in: $0.first(.min), &context), max: number(in: $0.first(.max), &context))
            },
            formulas: formulas(of: view, &context),
            speed: number(in: view.first(.speed), &context),
            acceleration: number(in: view.first(.acceleration), &context),
            deceleration: number(in: view.first(.deceleration), &context),
            jerk: number(in: view.first(.jerk), &context))
    }

    private static func effectorInfo(_ view: ElementView, _ context: inout ReadingContext) -> Document.EffectorInfo {
        Document.EffectorInfo(
            sid: view.attribute(.sid), name: view.attribute(.name), binds: binds(of: view, &context),
            newParameters: newParameters(of: view, &context), setParameters: setParameters(of: view, &context),
            speed: numbers(in: view.first(.speed), &context),
            acceleration: numbers(in: view.first(.acceleration), &context),
            deceleration: numbers(in: view.first(.deceleration), &context),
            jerk: numbers(in: view.first(.jerk), &context))
    }

    private static func frames(in view: ElementView, _ context: inout ReadingContext) -> [Document.Frame] {
        view.children.compactMap { child in
            KinematicFrame.Role(rawValue: child.name.rawValue).map {
                .init(
                    role: $0, link: context.reference(child, .link),
                    transforms: TransformReader.placement(in: child, &context))
            }
        }
    }

    // MARK: - Scenes

    static func kinematicsScene(_ view: ElementView, _ context: inout ReadingContext) -> Document.KinematicsScene {
        Document.KinematicsScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            models: view.all(.instanceKinematicsModel).map { instanceKinematics($0, &context) },
            systems: view.all(.instanceArticulatedSystem).map { instanceKinematics($0, &context) }, extras: view.extras)
    }

    static func instanceKinematicsScene(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.InstanceKinematicsScene
    {
        Document.InstanceKinematicsScene(
            sid: view.attribute(.sid), name: view.attribute(.name), target: context.requiredReference(view, .url),
            newParameters: newParameters(of: view, &context), setParameters: setParameters(of: view, &context),
            models: view.all(.bindKinematicsModel).map {
                .init(node: context.reference($0, .node), model: sidref(in: $0, &context), position: $0.position)
            },
            axes: view.all(.bindJointAxis).map {
                .init(
                    target: context.reference($0, .target), axis: sidref(in: $0.first(.axis), &context),
                    value: number(in: $0.first(.value), &context), position: $0.position)
            }, extras: view.extras)
    }

    // MARK: - Parameters

    private static func newParameters(of view: ElementView, _ context: inout ReadingContext) -> [Document.NewParameter]
    {
        view.all(.newparam).map { .init(sid: required(.sid, of: $0, &context), value: parameterValue($0, &context)) }
    }

    private static func setParameters(of view: ElementView, _ context: inout ReadingContext) -> [Document.SetParameter]
    {
        view.all(.setparam).map {
            .init(reference: context.requiredReference($0, .ref), value: parameterValue($0, &context))
        }
    }

    private static func binds(of view: ElementView, _ context: inout ReadingContext) -> [Document.BindSymbol] {
        view.all(.bind).map { .init(symbol: required(.symbol, of: $0, &context), value: parameterValue($0, &context)) }
    }

    /// Empty, and reported, when it is missing.
    private static func required(_ attribute: AttributeName, of view: ElementView, _ context: inout ReadingContext)
        -> String
    {
        if let text = view.attribute(attribute) { return text }
        context.reportMissing(attribute, of: view)
        return ""
    }

    private static func parameterValue(_ view: ElementView, _ context: inout ReadingContext)
        -> Document.ParameterValue
    {
        for child in view.children {
            switch child.name {
            case .float: return context.real(in: child).map { .real($0) } ?? .empty
            case .int: return context.integer(in: child).map { .integer($0) } ?? .empty
            case .bool: return context.bool(in: child).map { .bool($0) } ?? .empty
            case .sidref: return .sidref(context.reference(in: child))
            case .connectParam: return .connected(context.requiredReference(child, .ref))
            case .param: return .connected(parameter(child, &context))
            default: continue  // element names: the others give no value
            }
        }
        return .empty
    }

    /// Named by its text, or by an attribute as in bindings.
    private static func parameter(_ view: ElementView, _ context: inout ReadingContext) -> Document.Reference {
        view.attribute(.ref) == nil ? context.reference(in: view) : context.requiredReference(view, .ref)
    }

    /// A value in place, or a parameter's name; `nil` where there is neither.
    private static func operand<Value>(
        in view: ElementView?, _ name: ElementName, _ context: inout ReadingContext,
        _ read: (inout ReadingContext, ElementView?) -> Value?
    ) -> Operand<Value>? {
        if let child = view?.first(.param) { return .parameter(parameter(child, &context)) }
        return view?.first(name).flatMap { read(&context, $0) }.map { .value($0) }
    }

    private static func sidref(in view: ElementView?, _ context: inout ReadingContext) -> Operand<Document.Reference>? {
        operand(in: view, .sidref, &context) { context, value in value.map { context.reference(in: $0) } }
    }

    private static func number(in view: ElementView?, _ context: inout ReadingContext) -> Operand<Double>? {
        operand(in: view, .float, &context) { $0.real(in: $1) }
    }

    private static func numbers(in view: ElementView?, _ context: inout ReadingContext) -> Operand<SIMD2<Double>>? {
        operand(in: view, .float2, &context) { $0.pair(in: $1) }
    }
}

/// Reads OpenRAVE's extras of robots, from the elements that are kept as they stand.
enum OpenRAVEReader {
    static func openRAVE(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.OpenRAVEExtension {
        var extensions = ColladaDocument.OpenRAVEExtension()
        var known: Set<String> = []
        for extra in view.raws where extra.name == "extra" {
            for technique in extra.children where technique.name == "technique" && technique["profile"] == "OpenRAVE" {
                let type = extra["type"] ?? ""
                if known.insert(type).inserted { extensions.types.append(type) }
                switch type {
                case "interface_type": extensions.interface = technique.first("interface")?.text
                case "manipulator": extensions.manipulators.append(manipulator(technique, name: extra["name"]))
                case "collision": extensions.noncolliding += noncolliding(technique)
                default: break  // strings: sensors, actuators and the rest stay extras
                }
            }
        }
        for type in extensions.types {
            context.log.add(
                .kinematicsExtension, at: view.place,
                "OpenRAVE's extension \(type.quoted(80)) is kept", arguments: [.init("type", type)])
        }
        return extensions
    }

    private static func manipulator(_ raw: RawElement, name: String?) -> ColladaDocument.OpenRAVEExtension.Manipulator {
        let tip = raw.first("frame_tip")
        return .init(
            name: name, origin: raw.first("frame_origin")?["link"], tip: tip?["link"],
            tool: tip?.children.compactMap { transform($0) } ?? [],
            direction: tip?.first("direction").flatMap { Self.reals($0.text, count: 3) }.map {
                SIMD3($0[0], $0[1], $0[2])
            },
            gripperJoints: raw.children.filter { $0.name == "gripper_joint" }.compactMap { $0["joint"] })
    }

    private static func noncolliding(_ raw: RawElement) -> [String] {
        raw.children.filter { $0.name == "link_collision_state" && $0.first("bool")?.text == "false" }.compactMap {
            $0["link"]
        }
    }

    private static func transform(_ raw: RawElement) -> Transform? {
        switch raw.name {
        case "translate": Self.reals(raw.text, count: 3).map { .translate(SIMD3($0[0], $0[1], $0[2])) }
        case "rotate": Self.reals(raw.text, count: 4).map { .rotate(axis: SIMD3($0[0], $0[1], $0[2]), degrees: $0[3]) }
        default: nil  // strings: the others are no transforms
        }
    }

    private static func reals(_ text: String, count: Int) -> [Double]? {
        let values = text.utf8.split { $0 <= 0x20 }.compactMap { NumberText.double(String(Substring($0))).value }
        return values.count == count && values.allSatisfy(\.isFinite) ? values : nil
    }
}
