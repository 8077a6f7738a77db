// Leads the references of a document's kinematics to what they mean; one file a part behind this.

import DaeDiagnostics
import DaeScene
import DaeXML

struct KinematicsBuilder: DocumentSharing {
    /// The elements that addresses are seen from.
    struct Scopes {
        var models: [Int] = []
        var systems: [Int] = []
        var axisInfos: [[Int]] = []
        var scenes: [Int] = []
    }
    let shared: SharedDocument
    var references: MechanicsReferences
    let instances: InstanceTargets
    let systems: AssetSystems
    let limits: SearchLimits
    var sids: KinematicSids
    var scopes = Scopes()
    var kinematics = Kinematics()
    var targets = Targets()

    /// What instances lead to, in the order of the document; `nil` where it does not exist.
    struct Targets {
        /// Of each joint of each model, in the document's joints.
        var joints: [[Int?]] = []
        /// Of the model instances of each system.
        var models: [[Int?]] = []
        /// Of each motion.
        var motions: [Int?] = []
        /// Of each scene's instances, models first.
        var scenes: [[Int?]] = []
    }

    var log: FindingLog { references.log }

    init(
        _ shared: SharedDocument, _ table: ReferenceTable, _ instances: InstanceTargets, _ systems: AssetSystems,
        limits: SearchLimits = SearchLimits()
    ) {
        self.shared = shared
        self.instances = instances
        self.systems = systems
        self.limits = limits
        sids = KinematicSids(stepLimit: limits.kinematics)
        references = MechanicsReferences(table, code: .kinematicsBindUnresolved)
    }

    mutating func build(in scene: Scene) -> Kinematics {
        findTargets()
        cutMotionCycles()
        addSids()
        checkSettings()
        addFormulas()
        for index in document.kinematicsModels.indices { addModel(index) }
        // Behind all models, for one may move another's joint.
        for (index, model) in document.kinematicsModels.enumerated() {
            for use in model.formulas { add(use, from: scopes.models[index]) }
        }
        for index in document.articulatedSystems.indices { addSystem(index) }
        for index in document.kinematicsScenes.indices { addScene(index) }
        addActive(in: scene)
        if sids.isExhausted {
            references.log.reportLimit(limits.kinematics, "addresses of kinematics pass more elements than")
        }
        return kinematics
    }

    // MARK: - Instances

    private mutating func findTargets() {
        targets.joints = document.kinematicsModels.map { model in
            model.joints.map { joint in
                switch joint {
                case .own(let index): index
                case .instance(sid: _, name: _, let reference):
                    references.find(reference, .joint, code: .kinematicsJointUnresolved)
                }
            }
        }
        for system in document.articulatedSystems {
            switch system.kind {
            case .kinematics(let kinematics):
                let models = kinematics.models.map { references.find($0.target, .kinematicsModel) }
                targets.models.append(models)
                targets.motions.append(nil)
            case .motion(let motion):
                targets.models.append([])
                let other = motion.system.flatMap { references.find($0.target, .articulatedSystem) }
                targets.motions.append(other)
            case .empty:
                targets.models.append([])
                targets.motions.append(nil)
            }
        }
        targets.scenes = document.kinematicsScenes.map { scene in
            scene.models.map { references.find($0.target, .kinematicsModel) }
                + scene.systems.map { references.find($0.target, .articulatedSystem) }
        }
    }

    private mutating func cutMotionCycles() {
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: targets.motions.count)
        for start in visits.indices where visits[start] == .new {
            var chain: [Int] = []
            var next: Int? = start
            while let here = next, visits[here] == .new {
                visits[here] = .open
                chain.append(here)
                next = targets.motions[here]
            }
            if let next, visits[next] == .open, let last = chain.last {
                targets.motions[last] = nil
                let place = Place(document.articulatedSystems[last].position)
                references.log.add(
                    .refCycle, at: place,
                    "an articulated system instances itself; the last instance was left out")
            }
            for here in chain { visits[here] = .done }
        }
    }

    // MARK: - Addresses

    /// The axis an address leads to; that of a joint is its first.
    mutating func axis(_ text: String, from scope: Int) -> (axis: JointAxisReference, instance: Int?)? {
        var text = text
        var scope = scope
        // An axis may be named by what another system says of it, which names it in turn.
        for _ in 0..<32 {
            guard let found = sids.resolve(text, from: scope) else { return nil }
            switch sids.entity(found) {
            case .axis(let axis):
                guard let joint = found.joint, hasAxis(axis, joint) else { return nil }
                return (.init(model: joint.model, joint: joint.joint, axis: SceneIndex(axis)), found.instance)
            case .joint(let joint):
                guard hasAxis(0, joint) else { return nil }
                return (.init(model: joint.model, joint: joint.joint, axis: SceneIndex(0)), found.instance)
            case .axisInfo(let system, let place):
                guard let info = document.articulatedSystems[system].axes[safely: place] else { return nil }
                text = info.axis.text
                scope = scopes.axisInfos[system][place]
            case .scene, .model, .system, .sharedJoint, .link, .formula, .parameter, .instance: return nil
            }
        }
        return nil
    }

    /// What the numbers of an axis are.
    func quantity(of axis: JointAxisReference) -> Quantity {
        guard let target = targets.joints[axis.model.value][axis.joint.value] else { return .plain }
        return Quantity(alongAxisOf: document.joints[target].axes[axis.axis.value].kind)
    }

    private func hasAxis(_ axis: Int, _ joint: JointReference) -> Bool {
        guard let target = targets.joints[joint.model.value][joint.joint.value] else { return false }
        return axis < document.joints[target].axes.count
    }

    mutating func link(_ text: String, from scope: Int) -> LinkReference? {
        guard let found = sids.resolve(text, from: scope), case .link(let link) = sids.entity(found) else { return nil }
        return link
    }

    mutating func joint(_ text: String, from scope: Int) -> JointReference? {
        guard let found = sids.resolve(text, from: scope) else { return nil }
        switch sids.entity(found) {
        case .joint(let joint): return joint
        case .axis, .sharedJoint: return found.joint
        case .scene, .model, .system, .link, .formula, .axisInfo, .parameter, .instance: return nil
        }
    }

    // MARK: - Values

    /// A number of the scene's unit.
    ///
    /// - Parameters:
    ///   - quantity: What it is; what a parameter holds is written where that stands.
    ///   - position: Where the operand is written.
    mutating func number(
        _ operand: ColladaDocument.Operand<Double>?, _ quantity: Quantity, from scope: Int, at position: XMLPosition
    ) -> Double? {
        switch operand {
        case .value(let value): return systems.change(at: position).converted(value, quantity)
        case .parameter(let reference):
            guard let (parameter, own) = parameter(reference, from: scope) else { return nil }
            let change = systems.change(at: own ?? position)
            switch parameter {
            case .real(let value): return change.converted(value, quantity)
            case .integer(let value): return change.converted(Double(value), quantity)
            case .bool, .sidref, .connected, .empty: return nil
            }
        case nil: return nil
        }
    }

    mutating func flag(_ operand: ColladaDocument.Operand<Bool>?, from scope: Int) -> Bool? {
        switch operand {
        case .value(let value): return value
        case .parameter(let reference):
            guard case .bool(let value)? = parameter(reference, from: scope)?.value else { return nil }
            return value
        case nil: return nil
        }
    }

    private mutating func parameter(
        _ reference: ColladaDocument.Reference, from scope: Int
    ) -> (value: ColladaDocument.ParameterValue, position: XMLPosition?)? {
        if let found = sids.resolve(reference.text, from: scope), case .parameter(let value) = sids.entity(found) {
            return (value, sids.position(of: found.element))
        }
        references.report(.kinematicsBindUnresolved, reference, expected: "parameter with a value")
        return nil
    }
}

extension ColladaDocument.ArticulatedSystem {
    var axes: [ColladaDocument.AxisInfo] {
        switch kind {
        case .kinematics(let kinematics): kinematics.axes
        case .motion(let motion): motion.axes
        case .empty: []
        }
    }
}

extension Array {
    fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

// Whether what instances set exists, and what their parameters name. A value that is set elsewhere would be lost without
// a word, and so would a parameter that nothing asks for yet.

extension KinematicsBuilder {
    mutating func checkSettings() {
        for (index, model) in document.kinematicsModels.enumerated() {
            check(model.parameters, from: scopes.models[index])
        }
        for (index, system) in document.articulatedSystems.enumerated() {
            let scope = scopes.systems[index]
            switch system.kind {
            case .kinematics(let kinematics):
                for (instance, target) in zip(kinematics.models, targets.models[index]) {
                    check(instance, of: target.map { scopes.models[$0] }, from: scope)
                }
            case .motion(let motion):
                if let instance = motion.system {
                    check(instance, of: targets.motions[index].map { scopes.systems[$0] }, from: scope)
                }
                if let effector = motion.effector { check(effector.setParameters, of: scope) }
            case .empty: break
            }
            for info in system.axes {
                check(info.setParameters, of: scope)
                check(info.newParameters, from: scope)
            }
        }
        for (index, scene) in document.kinematicsScenes.enumerated() {
            let found = targets.scenes[index]
            for (instance, target) in zip(scene.models, found) {
                check(instance, of: target.map { scopes.models[$0] }, from: scopes.scenes[index])
            }
            for (instance, target) in zip(scene.systems, found.dropFirst(scene.models.count)) {
                check(instance, of: target.map { scopes.systems[$0] }, from: scopes.scenes[index])
            }
        }
    }

    /// - Parameter instanced: `nil` where it does not exist, which was reported.
    private mutating func check(
        _ instance: ColladaDocument.InstanceKinematics, of instanced: Int?, from scope: Int
    ) {
        check(instance.setParameters, of: instanced)
        check(instance.newParameters, from: scope)
    }

    mutating func check(_ settings: [ColladaDocument.SetParameter], of instanced: Int?) {
        guard let instanced else { return }
        for setting in settings where !sids.isNamed(setting.reference.text, from: instanced) {
            references.report(.kinematicsBindUnresolved, setting.reference, expected: "parameter")
        }
    }

    /// Only the parameter that names nothing is reported, not those that name it in turn.
    mutating func check(_ parameters: [ColladaDocument.NewParameter], from scope: Int) {
        for parameter in parameters {
            switch parameter.value {
            case .sidref(let reference), .connected(let reference):
                let text = reference.text
                guard !sids.isNamed(text, from: scope), sids.resolve(text, from: scope) == nil else { continue }
                references.report(.kinematicsBindUnresolved, reference, expected: "address of sids")
            case .real, .integer, .bool, .empty: break
            }
        }
    }
}

// Which joints follow which.

extension KinematicsBuilder {
    mutating func addFormulas() {
        for formula in document.formulas {
            var target: String?
            if case .parameter(let reference)? = formula.target { target = reference.text }
            kinematics.formulas.append(
                KinematicFormula(
                    id: formula.id, sid: formula.sid, name: formula.name, target: target,
                    parameters: formula.parameters.map(\.sid), symbols: formula.symbols))
            var place = Place(formula.position)
            place.elementID = formula.id
            references.log.add(.formulaUnsupported, at: place, "the formula is kept but not evaluated")
            let system = systems.system(at: formula.position)
            if system != systems.main {
                references.log.add(
                    .assetNestedUnit, at: place,
                    "the formula is written in \(system), the scene in \(systems.main); its numbers stay as they are",
                    arguments: [
                        .init("element", "formula"), .init("system", system.description),
                        .init("expected", systems.main.description),
                    ])
            }
        }
    }

    /// Adds a formula at work to the model whose joint it moves.
    ///
    /// - Parameter axis: What it moves unless it says so itself.
    mutating func add(_ use: ColladaDocument.FormulaUse, from scope: Int, axis: JointAxisReference? = nil) {
        let index: Int
        var names: [String: String] = [:]
        switch use {
        case .own(let own): index = own
        case .instance(sid: _, name: _, let reference, let settings):
            guard let found = references.find(reference, .formula) else { return }
            index = found
            names = self.names(set: settings, of: index, from: scope)
        }
        let formula = kinematics.formulas[index]
        let own = Set(formula.parameters)
        let target = formula.target.map { names[$0] ?? $0 }
        let moved = target.flatMap { joint($0, from: scope) } ?? axis.map { .init(model: $0.model, joint: $0.joint) }
        if let target = formula.target, names[target] == nil, !own.contains(target) {
            reportUnlessKnown(target, of: index, from: scope)
        }
        var sources: [JointReference] = []
        var known: Set<JointReference> = []
        for symbol in formula.symbols {
            guard let source = joint(names[symbol] ?? symbol, from: scope) else {
                if names[symbol] == nil, !own.contains(symbol) { reportUnlessKnown(symbol, of: index, from: scope) }
                continue
            }
            if known.insert(source).inserted { sources.append(source) }
        }
        guard let model = (moved ?? sources.first)?.model else { return }
        kinematics.models[model.value].formulas.append(
            JointFormula(
                formula: SceneIndex(index), joint: moved?.joint,
                sources: sources.filter { $0.model == model }.map(\.joint)))
    }

    /// What the parameters of a formula are set to; reported where there is no such parameter, and what leads to nothing.
    private mutating func names(
        set settings: [ColladaDocument.SetParameter], of formula: Int, from scope: Int
    ) -> [String: String] {
        var names: [String: String] = [:]
        let own = Set(kinematics.formulas[formula].parameters)
        for setting in settings {
            if !own.contains(setting.reference.text) {
                references.report(.kinematicsBindUnresolved, setting.reference, expected: "parameter of the formula")
            }
            switch setting.value {
            case .connected(let other), .sidref(let other):
                names[setting.reference.text] = other.text
                if sids.resolve(other.text, from: scope) == nil {
                    references.report(.kinematicsBindUnresolved, other, expected: "joint or parameter")
                }
            case .real, .integer, .bool, .empty: break
            }
        }
        return names
    }

    private mutating func reportUnlessKnown(_ name: String, of formula: Int, from scope: Int) {
        guard sids.resolve(name, from: scope) == nil else { return }
        let reference = ColladaDocument.Reference(text: name, position: document.formulas[formula].position)
        references.report(.kinematicsBindUnresolved, reference, expected: "joint or parameter")
    }
}
