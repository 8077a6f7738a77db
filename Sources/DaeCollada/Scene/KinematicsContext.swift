import DaeDiagnostics
import DaeScene
import DaeXML

// What the builders of kinematics share, and what addresses mean to them.

/// The kinematics of all documents, as their addresses lead through them.
struct KinematicsContext: DocumentSharing {
    let shared: SharedDocument
    let systems: AssetSystems
    let targets: KinematicsTargets
    /// The elements that addresses are seen from.
    private(set) var scopes = Scopes()
    var references: MechanicsReferences
    var sids: KinematicSids

    struct Scopes {
        fileprivate(set) var models: [Int] = []
        fileprivate(set) var systems: [Int] = []
        fileprivate(set) var axisInfos: [[Int]] = []
        fileprivate(set) var scenes: [Int] = []
    }

    init(_ shared: SharedDocument, _ table: ReferenceTable, _ systems: AssetSystems, limits: SearchLimits) {
        self.shared = shared
        self.systems = systems
        sids = KinematicSids(stepLimit: limits.kinematics)
        references = MechanicsReferences(table, code: .kinematicsBindUnresolved)
        targets = KinematicsTargets(shared.linked.document, &references)
        addSids()
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

    /// The first model that a system is built of.
    func firstModel(of system: Int) -> Int? {
        var system = system
        // Motions were cut where they lead back.
        while let next = targets.motions[system] { system = next }
        return targets.models[system].lazy.compactMap { $0 }.first
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

    // MARK: - Elements

    private mutating func addSids() {
        let joints = document.joints.enumerated().map { index, joint in
            let element = sids.add(.sharedJoint(index), id: joint.id, in: joint.position.document)
            for (place, axis) in joint.axes.enumerated() { sids.add(.axis(place), sid: axis.sid, below: element) }
            return element
        }
        for (index, formula) in document.formulas.enumerated() {
            sids.add(.formula(index), id: formula.id, in: formula.position.document)
        }
        for (index, model) in document.kinematicsModels.enumerated() { add(model, at: index, joints) }
        for (index, system) in document.articulatedSystems.enumerated() {
            scopes.systems.append(sids.add(.system(index), id: system.id, at: system.position))
        }
        for (index, system) in document.articulatedSystems.enumerated() { add(system, at: index) }
        for (index, scene) in document.kinematicsScenes.enumerated() { add(scene, at: index) }
    }

    private mutating func add(_ model: ColladaDocument.KinematicsModel, at index: Int, _ joints: [Int]) {
        let element = sids.add(.model(index), id: model.id, at: model.position)
        scopes.models.append(element)
        sids.add(model.parameters, [], below: element)
        for (place, joint) in model.joints.enumerated() {
            let target = targets.joints[index][place]
            let sid: String? =
                switch joint {
                case .own(let own): document.joints[own].sid ?? document.joints[own].id
                case .instance(let sid, name: _, _): sid
                }
            sids.add(
                .joint(.init(model: SceneIndex(index), joint: SceneIndex(place))), sid: sid, below: element,
                instanced: target.map { joints[$0] })
        }
        var carriers: [Int?] = Array(repeating: nil, count: model.links.count)
        for (place, link) in model.links.enumerated() {
            let own = sids.add(
                .link(.init(model: SceneIndex(index), link: SceneIndex(place))), sid: link.sid,
                below: carriers[place] ?? element)
            for attachment in link.attachments {
                if case .full(link: let carried?) = attachment.kind { carriers[carried] = own }
            }
        }
        for use in model.formulas {
            switch use {
            case .own(let own): sids.add(.formula(own), sid: document.formulas[own].sid, below: element)
            case .instance: break
            }
        }
    }

    private mutating func add(_ system: ColladaDocument.ArticulatedSystem, at index: Int) {
        let element = scopes.systems[index]
        switch system.kind {
        case .kinematics(let kinematics):
            for (instance, target) in zip(kinematics.models, targets.models[index]) {
                add(
                    instance, .instance(model: target, system: nil, place: nil), below: element,
                    instanced: target.map { scopes.models[$0] })
            }
        case .motion(let motion):
            let target = targets.motions[index]
            if let instance = motion.system {
                add(
                    instance, .instance(model: nil, system: target, place: nil), below: element,
                    instanced: target.map { scopes.systems[$0] })
            }
        case .empty: break
        }
        scopes.axisInfos.append(
            system.axes.enumerated().map { place, info in
                let own = sids.add(.axisInfo(system: index, place: place), sid: info.sid, below: element)
                sids.add(info.newParameters, info.setParameters, below: own)
                return own
            })
    }

    private mutating func add(_ scene: ColladaDocument.KinematicsScene, at index: Int) {
        let element = sids.add(.scene, id: scene.id, at: scene.position)
        scopes.scenes.append(element)
        for (place, instance) in scene.models.enumerated() {
            let target = targets.scenes[index][place]
            add(
                instance, .instance(model: target, system: nil, place: place), below: element,
                instanced: target.map { scopes.models[$0] })
        }
        for (offset, instance) in scene.systems.enumerated() {
            let place = scene.models.count + offset
            let target = targets.scenes[index][place]
            add(
                instance, .instance(model: nil, system: target, place: place), below: element,
                instanced: target.map { scopes.systems[$0] })
        }
    }

    private mutating func add(
        _ instance: ColladaDocument.InstanceKinematics, _ entity: KinematicSids.Entity, below parent: Int,
        instanced: Int?
    ) {
        let element = sids.add(entity, sid: instance.sid, below: parent, instanced: instanced)
        sids.add(instance.newParameters, instance.setParameters, below: element)
        for bind in instance.binds { sids.add(.parameter(bind.value), sid: bind.symbol, below: element) }
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

// What the instances of kinematics lead to.

/// What instances lead to, in the order of the document; `nil` where it does not exist.
struct KinematicsTargets {
    /// Of each joint of each model, in the document's joints.
    private(set) var joints: [[Int?]] = []
    /// Of the model instances of each system.
    private(set) var models: [[Int?]] = []
    /// Of each motion.
    private(set) var motions: [Int?] = []
    /// Of each scene's instances, models first.
    private(set) var scenes: [[Int?]] = []

    init(_ document: ColladaDocument, _ references: inout MechanicsReferences) {
        joints = document.kinematicsModels.map { model in
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
                models.append(kinematics.models.map { references.find($0.target, .kinematicsModel) })
                motions.append(nil)
            case .motion(let motion):
                models.append([])
                motions.append(motion.system.flatMap { references.find($0.target, .articulatedSystem) })
            case .empty:
                models.append([])
                motions.append(nil)
            }
        }
        scenes = document.kinematicsScenes.map { scene in
            scene.models.map { references.find($0.target, .kinematicsModel) }
                + scene.systems.map { references.find($0.target, .articulatedSystem) }
        }
        cutMotionCycles(document, &references.log)
    }

    private mutating func cutMotionCycles(_ document: ColladaDocument, _ log: inout FindingLog) {
        var search = CycleSearch(count: motions.count)
        for start in motions.indices {
            search.walk(from: start) { _ in
                1
            } target: { system, _ in
                motions[system]
            } found: { system, _ in
                motions[system] = nil
                let place = Place(document.articulatedSystems[system].position)
                log.add(
                    .refCycle, at: place, "an articulated system instances itself; the last instance was left out")
            }
        }
    }
}

// Where the references of physics and kinematics lead, reported by codes of their own.

/// Follows the references of physics or kinematics, and has what was wrong with these and with what they are in.
struct MechanicsReferences {
    private var table: ReferenceTable
    private let code: FindingCode
    var log = FindingLog()

    /// - Parameter code: Of a reference that leads nowhere.
    init(_ table: ReferenceTable, code: FindingCode) {
        self.table = table
        self.code = code
    }

    /// The place of an element in the document's list of its kind.
    mutating func find(_ reference: ColladaDocument.Reference, _ kind: LibraryKind, code: FindingCode? = nil) -> Int? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, [kind], log: &log) {
        case .found(let target):
            if target.kind != kind { log.reportWrongType(reference, target, expected: [kind], in: table) }
            return target.index(of: kind)
        case .missing: report(code ?? self.code, reference, expected: kind.element)
        case .external(let absence): log.report(absence, of: reference, severity: .warning)
        }
        return nil
    }

    mutating func node(_ reference: ColladaDocument.Reference?) -> SceneIndex<Node>? {
        // Exporters leave it empty for what stands still.
        guard let reference, !reference.text.isEmpty else { return nil }
        return find(reference, .node).map { SceneIndex($0) }
    }

    mutating func geometry(_ reference: ColladaDocument.Reference) -> SceneIndex<Geometry>? {
        find(reference, .geometry).map { SceneIndex($0) }
    }

    /// The node of an id in the document that a reference leads into, without reporting when there is none.
    func node(id: String, of reference: ColladaDocument.Reference) -> Int? {
        table.document(of: reference).flatMap { table.lookUp(id, in: $0, .node) }
    }

    /// The document that a reference leads into; `nil` for one that was not read.
    func document(of reference: ColladaDocument.Reference) -> Int? { table.document(of: reference) }

    mutating func report(_ code: FindingCode, _ reference: ColladaDocument.Reference, expected: String) {
        guard !reference.isAbsent else { return }
        log.reportMissing(reference, code, expected: expected.withArticle)
    }
}
