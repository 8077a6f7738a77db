// Leads the references of a document's kinematics to what they mean; one file a part behind this.

import Diagnostics
import SceneModel
import XMLReader

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
            references.log.tellLimit(limits.kinematics, "addresses of kinematics pass more elements than")
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
                    references.find(reference, "joint", code: .kinematicsJointUnresolved)
                }
            }
        }
        for system in document.articulatedSystems {
            switch system.kind {
            case .kinematics(let kinematics):
                let models = kinematics.models.map { references.find($0.target, "kinematics_model") }
                targets.models.append(models)
                targets.motions.append(nil)
            case .motion(let motion):
                targets.models.append([])
                let other = motion.system.flatMap { references.find($0.target, "articulated_system") }
                targets.motions.append(other)
            case .empty:
                targets.models.append([])
                targets.motions.append(nil)
            }
        }
        targets.scenes = document.kinematicsScenes.map { scene in
            scene.models.map { references.find($0.target, "kinematics_model") }
                + scene.systems.map { references.find($0.target, "articulated_system") }
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
        references.tell(.kinematicsBindUnresolved, reference, expected: "parameter with a value")
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
