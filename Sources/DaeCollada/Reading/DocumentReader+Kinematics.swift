// Parameters, articulated systems, and kinematics scenes.

import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    // MARK: - Parameters

    mutating func newParameters(of view: ElementView) -> [ColladaDocument.NewParameter] {
        view.all(.newparam).map { .init(sid: required(.sid, of: $0), value: parameterValue($0)) }
    }

    mutating func setParameters(of view: ElementView) -> [ColladaDocument.SetParameter] {
        view.all(.setparam).map { .init(reference: requiredReference($0, .ref), value: parameterValue($0)) }
    }

    private mutating func binds(of view: ElementView) -> [ColladaDocument.BindSymbol] {
        view.all(.bind).map { .init(symbol: required(.symbol, of: $0), value: parameterValue($0)) }
    }

    /// Empty, and reported, when it is missing.
    private mutating func required(_ attribute: AttributeName, of view: ElementView) -> String {
        if let text = view.attribute(attribute) { return text }
        reportMissing(attribute, of: view)
        return ""
    }

    private mutating func parameterValue(_ view: ElementView) -> ColladaDocument.ParameterValue {
        for child in view.children {
            switch child.name {
            case .float: return real(in: child).map { .real($0) } ?? .empty
            case .int: return integer(in: child).map { .integer($0) } ?? .empty
            case .bool: return bool(in: child).map { .bool($0) } ?? .empty
            case .sidref: return .sidref(reference(in: child))
            case .connectParam: return .connected(requiredReference(child, .ref))
            case .param: return .connected(parameter(child))
            default: continue  // element names: the others give no value
            }
        }
        return .empty
    }

    /// A value in place, or a parameter's name; `nil` where there is neither.
    mutating func operand<Value>(
        _ view: ElementView, _ name: ElementName, _ read: (inout DocumentReader, ElementView?) -> Value?
    ) -> ColladaDocument.Operand<Value>? {
        if let child = view.first(.param) { return .parameter(parameter(child)) }
        return view.first(name).flatMap { read(&self, $0) }.map { .value($0) }
    }

    /// Named by its text, or by an attribute as in bindings.
    private mutating func parameter(_ view: ElementView) -> ColladaDocument.Reference {
        view.attribute(.ref) == nil ? reference(in: view) : requiredReference(view, .ref)
    }

    private mutating func sidref(_ view: ElementView) -> ColladaDocument.Operand<ColladaDocument.Reference>? {
        operand(view, .sidref) { reader, value in value.map { reader.reference(in: $0) } }
    }

    private mutating func number(_ name: ElementName, of view: ElementView) -> ColladaDocument.Operand<Double>? {
        view.first(name).flatMap { operand($0, .float) { $0.real(in: $1) } }
    }

    private mutating func numbers(_ name: ElementName, of view: ElementView) -> ColladaDocument.Operand<SIMD2<Double>>?
    {
        view.first(name).flatMap { operand($0, .float2) { $0.pair(in: $1) } }
    }

    // MARK: - Systems

    mutating func decodeArticulatedSystem(_ view: ElementView) -> ColladaDocument.ArticulatedSystem {
        var system = ColladaDocument.ArticulatedSystem(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, kind: .empty,
            openRAVE: decodeOpenRAVE(view), extras: kept(view.extras))
        if let kinematics = view.first(.kinematics) {
            let common = kinematics.first(.techniqueCommon)
            system.kind = .kinematics(
                .init(
                    models: kinematics.all(.instanceKinematicsModel).map { decodeInstanceKinematics($0) },
                    axes: common?.all(.axisInfo).map { decodeAxisInfo($0) } ?? [],
                    frames: common.map { frames(in: $0) } ?? []))
        } else if let motion = view.first(.motion) {
            let common = motion.first(.techniqueCommon)
            system.kind = .motion(
                .init(
                    system: needed(.instanceArticulatedSystem, in: motion).map { decodeInstanceKinematics($0) },
                    axes: common?.all(.axisInfo).map { decodeAxisInfo($0) } ?? [],
                    effector: common?.first(.effectorInfo).map { decodeEffectorInfo($0) }))
        } else {
            log.add(.schemaMissingElement, at: view.place, "<articulated_system> has neither <kinematics> nor <motion>")
        }
        return system
    }

    private mutating func decodeInstanceKinematics(_ view: ElementView) -> ColladaDocument.InstanceKinematics {
        ColladaDocument.InstanceKinematics(
            sid: view.attribute(.sid), name: view.attribute(.name), target: requiredReference(view, .url),
            binds: binds(of: view), newParameters: newParameters(of: view), setParameters: setParameters(of: view),
            extras: view.extras)
    }

    private mutating func decodeAxisInfo(_ view: ElementView) -> ColladaDocument.AxisInfo {
        ColladaDocument.AxisInfo(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            axis: requiredReference(view, .axis), binds: binds(of: view), newParameters: newParameters(of: view),
            setParameters: setParameters(of: view),
            active: view.first(.active).flatMap { operand($0, .bool) { $0.bool(in: $1) } },
            locked: view.first(.locked).flatMap { operand($0, .bool) { $0.bool(in: $1) } },
            indices: view.all(.index).map {
                .init(semantic: $0.attribute(.semantic), value: operand($0, .int) { $0.integer(in: $1) })
            },
            limits: view.first(.limits).map { .init(min: number(.min, of: $0), max: number(.max, of: $0)) },
            formulas: formulas(of: view), speed: number(.speed, of: view),
            acceleration: number(.acceleration, of: view), deceleration: number(.deceleration, of: view),
            jerk: number(.jerk, of: view))
    }

    private mutating func decodeEffectorInfo(_ view: ElementView) -> ColladaDocument.EffectorInfo {
        ColladaDocument.EffectorInfo(
            sid: view.attribute(.sid), name: view.attribute(.name), binds: binds(of: view),
            newParameters: newParameters(of: view), setParameters: setParameters(of: view),
            speed: numbers(.speed, of: view), acceleration: numbers(.acceleration, of: view),
            deceleration: numbers(.deceleration, of: view), jerk: numbers(.jerk, of: view))
    }

    private mutating func frames(in view: ElementView) -> [ColladaDocument.Frame] {
        view.children.compactMap { child in
            KinematicFrame.Role(rawValue: child.name.rawValue).map {
                .init(role: $0, link: reference(child, .link), transforms: placement(in: child))
            }
        }
    }

    // MARK: - Scenes

    mutating func decodeKinematicsScene(_ view: ElementView) -> ColladaDocument.KinematicsScene {
        ColladaDocument.KinematicsScene(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            models: view.all(.instanceKinematicsModel).map { decodeInstanceKinematics($0) },
            systems: view.all(.instanceArticulatedSystem).map { decodeInstanceKinematics($0) }, extras: view.extras)
    }

    mutating func decodeInstanceKinematicsScene(_ view: ElementView) -> ColladaDocument.InstanceKinematicsScene {
        ColladaDocument.InstanceKinematicsScene(
            sid: view.attribute(.sid), name: view.attribute(.name), target: requiredReference(view, .url),
            newParameters: newParameters(of: view), setParameters: setParameters(of: view),
            models: view.all(.bindKinematicsModel).map {
                .init(node: reference($0, .node), model: sidref($0), position: $0.position)
            },
            axes: view.all(.bindJointAxis).map {
                .init(
                    target: reference($0, .target), axis: $0.first(.axis).flatMap { sidref($0) },
                    value: number(.value, of: $0), position: $0.position)
            }, extras: view.extras)
    }
}
