// Leads the references of a document's physics to what they mean.

import DaeDiagnostics
import DaeScene
import DaeXML

struct PhysicsBuilder: DocumentSharing {
    let shared: SharedDocument
    private var references: MechanicsReferences
    private var sids: PhysicsSids
    private let systems: AssetSystems
    /// What the instances of each model lead to, without those that lead back to it.
    private let targets: [[Int?]]
    /// Of the model or scene that is being built; all its numbers are in it.
    private var system = CoordinateSystem()
    private var physics = Physics()

    var log: FindingLog { references.log }

    init(_ shared: SharedDocument, _ table: ReferenceTable, _ systems: AssetSystems, limits: SearchLimits) {
        self.shared = shared
        self.systems = systems
        var references = MechanicsReferences(table, code: .physicsRefUnresolved)
        let models = shared.linked.document.physicsModels
        var targets = models.map { model in model.instances.map { references.find($0.model, .physicsModel) } }
        Self.cutCycles(&targets, of: models, &references.log)
        sids = PhysicsSids(models, nested: targets.map { $0.compactMap(\.self) }, stepLimit: limits.physics)
        (self.references, self.targets) = (references, targets)
    }

    mutating func build() -> Physics {
        physics.materials = document.physicsMaterials.map(\.material)
        for (index, model) in document.physicsModels.enumerated() {
            system = systems.system(at: model.position)
            var built = PhysicsModel(
                id: model.id, name: model.name, bodies: model.bodies.map { body($0) },
                constraints: model.constraints.map { constraint($0, in: index) },
                instances: zip(model.instances, targets[index]).map { instance($0, of: $1) })
            built.convert(by: systems.change(at: model.position))
            physics.models.append(built)
        }
        for scene in document.physicsScenes {
            for field in scene.forceFields { _ = references.find(field, .forceField) }
            system = systems.system(at: scene.position)
            var built = PhysicsScene(
                id: scene.id, name: scene.name, gravity: scene.gravity, timeStep: scene.timeStep,
                instances: scene.instances.map { instance($0, of: references.find($0.model, .physicsModel)) })
            built.convert(by: systems.change(at: scene.position))
            physics.scenes.append(built)
        }
        physics.active = (document.scene?.physicsScenes ?? []).compactMap {
            references.find($0, .physicsScene).map { SceneIndex($0) }
        }
        references.log.reportLimit(of: sids.work, "nested physics models have more names to gather than")
        return physics
    }

    /// Takes out instances that lead back to a model they stand in.
    private static func cutCycles(
        _ targets: inout [[Int?]], of models: [ColladaDocument.PhysicsModel], _ log: inout FindingLog
    ) {
        var search = CycleSearch(count: targets.count)
        for start in targets.indices {
            search.walk(from: start) {
                targets[$0].count
            } target: {
                targets[$0][$1]
            } found: { model, instance in
                targets[model][instance] = nil
                let place = Place(models[model].instances[instance].model.position)
                log.add(.refCycle, at: place, "a physics model instances itself; the last instance was left out")
            }
        }
    }

    // MARK: - Bodies

    private mutating func body(_ body: ColladaDocument.RigidBody) -> RigidBody {
        RigidBody(id: body.id, sid: body.sid, name: body.name, properties: properties(body.properties))
    }

    private mutating func properties(_ given: ColladaDocument.RigidBodyProperties) -> RigidBodyProperties {
        RigidBodyProperties(
            motion: given.motion, mass: given.mass, massFrame: given.massFrame?.matrix, inertia: given.inertia,
            material: material(given.material), shapes: given.shapes.map { shape($0) })
    }

    private mutating func material(_ given: ColladaDocument.MaterialOfBody?) -> SceneIndex<PhysicsMaterial>? {
        switch given {
        case .own(let index): SceneIndex(index)
        case .instance(let reference): references.find(reference, .physicsMaterial).map { SceneIndex($0) }
        case nil: nil
        }
    }

    private mutating func shape(_ shape: ColladaDocument.Shape) -> PhysicsShape {
        var matrix = shape.transforms.matrix
        var form = PhysicsShape.Form.missing
        switch shape.form {
        case .primitive(let primitive): form = .primitive(primitive)
        case .geometry(let reference):
            guard let geometry = references.geometry(reference) else { break }
            form = .geometry(geometry)
            let own = systems.system(at: document.geometries[geometry.value].position)
            if own != system { matrix = matrix * own.conversion(to: system) }
        case .missing: break
        }
        return PhysicsShape(
            form: form, filling: shape.filling, mass: shape.mass, density: shape.density,
            material: material(shape.material), matrix: matrix)
    }

    // MARK: - Constraints

    private mutating func constraint(_ given: ColladaDocument.RigidConstraint, in model: Int) -> RigidConstraint {
        RigidConstraint(
            sid: given.sid, name: given.name, reference: attachment(given.reference, in: model),
            attachment: attachment(given.attachment, in: model), settings: given.settings)
    }

    private mutating func attachment(
        _ given: ColladaDocument.RigidConstraint.Attachment?, in model: Int
    ) -> RigidConstraint.Attachment {
        let matrix = given?.transforms.matrix ?? .identity
        guard let reference = given?.rigidBody, !reference.text.isEmpty else {
            return .init(anchor: .world, matrix: matrix)
        }
        let text = reference.id
        let document = references.document(of: reference)
        if let body = sids.body(at: text, in: model, of: document) { return .init(anchor: .body(body), matrix: matrix) }
        if let node = references.node(id: text, of: reference) {
            return .init(anchor: .node(SceneIndex(node)), matrix: matrix)
        }
        references.report(.physicsRefUnresolved, reference, expected: "rigid_body or node")
        return .init(anchor: .lost, matrix: matrix)
    }

    // MARK: - Instances

    private mutating func instance(
        _ given: ColladaDocument.InstancePhysicsModel, of model: Int?
    ) -> PhysicsModelInstance {
        for field in given.forceFields { _ = references.find(field, .forceField) }
        var instance = PhysicsModelInstance(
            sid: given.sid, name: given.name, model: model.map { SceneIndex($0) },
            parent: references.node(given.parent))
        for body in given.bodies { instance.bodies.append(self.body(body, of: model)) }
        for constraint in given.constraints {
            // A model that does not exist was reported already.
            guard let model else { continue }
            if let found = sids.constraint(constraint.constraint.id, in: model) {
                instance.constraints.append(found)
            } else {
                references.report(.physicsRefUnresolved, constraint.constraint, expected: "sid of a rigid_constraint")
            }
        }
        return instance
    }

    private mutating func body(_ given: ColladaDocument.InstanceRigidBody, of model: Int?) -> RigidBodyInstance {
        let document = references.document(of: given.body)
        let body = model.flatMap { sids.body(at: given.body.id, in: $0, of: document) }
        if body == nil, model != nil {
            references.report(.physicsRefUnresolved, given.body, expected: "sid of a rigid_body")
        }
        return RigidBodyInstance(
            sid: given.sid, name: given.name, body: body, node: references.node(given.target),
            velocity: given.velocity ?? .zero, angularVelocity: given.angularVelocity ?? .zero,
            overrides: properties(given.overrides))
    }
}

/// The bodies and constraints of physics models by their sids, those of instanced models behind the model's own.
private struct PhysicsSids {
    private struct Names {
        var bodies: [String: RigidBodyReference] = [:]
        var constraints: [String: RigidConstraintReference] = [:]
    }
    /// Ids are those of one document.
    private struct Name: Hashable {
        let document: Int
        let id: String
    }
    /// For each model those it instances, without cycles.
    private let nested: [[Int]]
    private let own: [Names]
    private let models: [Name: Int]
    private let bodiesByID: [Name: RigidBodyReference]
    private var all: [Int: Names] = [:]
    /// Names gathered so far: a bound on models that instance each other in long chains.
    private(set) var work: WorkBudget

    init(_ given: [ColladaDocument.PhysicsModel], nested: [[Int]], stepLimit: Int) {
        work = WorkBudget(stepLimit)
        self.nested = nested
        var own: [Names] = []
        var models: [Name: Int] = [:]
        var bodies: [Name: RigidBodyReference] = [:]
        for (index, model) in given.enumerated() {
            func name(_ id: String?) -> Name? { id.map { Name(document: model.position.document, id: $0) } }
            if let name = name(model.id), models[name] == nil { models[name] = index }
            var names = Names()
            for (place, body) in model.bodies.enumerated() {
                let reference = RigidBodyReference(model: SceneIndex(index), body: SceneIndex(place))
                if let sid = body.sid, names.bodies[sid] == nil { names.bodies[sid] = reference }
                if let name = name(body.id), bodies[name] == nil { bodies[name] = reference }
            }
            for (place, constraint) in model.constraints.enumerated() {
                guard let sid = constraint.sid, names.constraints[sid] == nil else { continue }
                names.constraints[sid] = .init(model: SceneIndex(index), constraint: SceneIndex(place))
            }
            own.append(names)
        }
        self.own = own
        self.models = models
        bodiesByID = bodies
    }

    /// By a sid within a model, an id, or a model's id and a sid.
    ///
    /// - Parameter document: Whose ids count; `nil` where none do.
    mutating func body(at address: String, in model: Int, of document: Int?) -> RigidBodyReference? {
        if let body = own[model].bodies[address] ?? names(of: model).bodies[address] { return body }
        func name(_ id: String) -> Name? { document.map { Name(document: $0, id: id) } }
        if let body = name(address).flatMap({ bodiesByID[$0] }) { return body }
        guard let slash = address.firstIndex(of: "/") else { return nil }
        let id = String(address[..<slash])
        guard let named = id == "." ? model : name(id).flatMap({ models[$0] }) else { return nil }
        // The way may lead over the sids of instances; the body's own is the last.
        guard let sid = address.split(separator: "/").last.map(String.init) else { return nil }
        return own[named].bodies[sid] ?? names(of: named).bodies[sid]
    }

    mutating func constraint(_ sid: String, in model: Int) -> RigidConstraintReference? {
        own[model].constraints[sid] ?? names(of: model).constraints[sid]
    }

    /// Breadth first, as the specification wants it.
    private mutating func names(of model: Int) -> Names {
        if let known = all[model] { return known }
        guard !nested[model].isEmpty else { return own[model] }
        var names = Names()
        var seen: Set<Int> = [model]
        var queue = [model]
        var next = 0
        while next < queue.count, work.mayGoOn() {
            let here = queue[next]
            next += 1
            work.count(1 + own[here].bodies.count + own[here].constraints.count)
            names.bodies.merge(own[here].bodies) { first, _ in first }
            names.constraints.merge(own[here].constraints) { first, _ in first }
            for child in nested[here] where seen.insert(child).inserted { queue.append(child) }
        }
        all[model] = names
        return names
    }
}
