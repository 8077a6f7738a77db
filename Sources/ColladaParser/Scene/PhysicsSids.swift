import SceneModel
import XMLReader

/// The bodies and constraints of physics models by their sids, those of instanced models behind the model's own.
struct PhysicsSids {
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
    var nested: [[Int]]
    private let own: [Names]
    private let models: [Name: Int]
    private let bodiesByID: [Name: RigidBodyReference]
    private var all: [Int: Names] = [:]
    private var steps = 0
    /// Names gathered so far: a bound on models that instance each other in long chains.
    private let stepLimit: Int
    /// Whether names were gathered no further than the limit.
    private(set) var isExhausted = false  // a fact, for the finding

    init(_ document: ColladaDocument, stepLimit: Int) {
        self.stepLimit = stepLimit
        nested = document.physicsModels.map { _ in [] }
        var own: [Names] = []
        var models: [Name: Int] = [:]
        var bodies: [Name: RigidBodyReference] = [:]
        for (index, model) in document.physicsModels.enumerated() {
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
        while next < queue.count {
            guard steps < stepLimit else {
                isExhausted = true
                break
            }
            let here = queue[next]
            next += 1
            steps += 1 + own[here].bodies.count + own[here].constraints.count
            names.bodies.merge(own[here].bodies) { first, _ in first }
            names.constraints.merge(own[here].constraints) { first, _ in first }
            for child in nested[here] where seen.insert(child).inserted { queue.append(child) }
        }
        all[model] = names
        return names
    }
}
