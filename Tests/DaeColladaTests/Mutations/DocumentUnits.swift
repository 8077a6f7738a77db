import DaeScene

/// The parts of a document that become parts of a scene, and which of them refer to which.
struct DocumentUnits {
    private let scan: MarkupScan
    /// For each element the innermost unit around it, by its element; the root for what is in none.
    private let unitOf: [Int]
    /// For each unit those that refer to it.
    private var users: [Int: Set<Int>] = [:]
    /// Those that say a word other than as their id or sid.
    private var elementsByWord: [String: Set<Int>] = [:]
    /// For each unit those it refers to.
    private var uses: [Int: Set<Int>] = [:]

    private static let names: Set<String> = [
        "geometry", "controller", "effect", "material", "image", "camera", "light", "animation", "animation_clip",
        "node", "visual_scene", "asset", "scene", "physics_material", "force_field", "physics_model", "physics_scene",
        "kinematics_model", "articulated_system", "kinematics_scene", "formula",
    ]

    init(_ scan: MarkupScan) {
        self.scan = scan
        unitOf = scan.elements.indices.map { element in
            scan.lineage(of: element).first { scan.isUnit($0, of: Self.names) } ?? 0
        }
        var holders: [String: Set<Int>] = [:]
        for (index, element) in scan.elements.enumerated() {
            for case let name? in [element.id, element.sid] { holders[name, default: []].insert(unitOf[index]) }
        }
        for site in scan.sites {
            let isName = site.kind == .attribute("id") || site.kind == .attribute("sid")
            for word in scan.text(site).split(whereSeparator: { "#/.() ".contains($0) }).map(String.init) {
                if !isName { elementsByWord[word, default: []].insert(site.element) }
                for holder in holders[word] ?? [] where holder != unitOf[site.element] {
                    users[holder, default: []].insert(unitOf[site.element])
                    uses[unitOf[site.element], default: []].insert(holder)
                }
            }
        }
    }

    /// What hangs on the mutated element: its own unit and those that refer to it, directly or by others. One that gets
    /// the id of another element may be taken for that.
    func dependents(of mutation: Mutation) -> Set<Int> {
        var found = [unitOf[mutation.site.element]]
        if mutation.change == .duplicated, let id = mutation.value {
            found += scan.elements.indices.filter { scan.elements[$0].id == id }.map { unitOf[$0] }
        }
        let lineage = scan.lineage(of: mutation.site.element).map { scan.elements[$0] }
        // A formula is part of the model or the system that it stands in, and is at work in the models of that system.
        if lineage.contains(where: { $0.name == "formula" }) { found += found.compactMap { around($0) } }
        if lineage.contains(where: { $0.name == "axis_info" }) {
            let models = closure(found, uses).filter { scan.elements[$0].name == "kinematics_model" }
            return closure(found, users).union(models)
        }
        return closure(found, users)
    }

    private func around(_ unit: Int) -> Int? { scan.elements[unit].parent.map { unitOf[$0] } }

    private func closure(_ units: [Int], _ edges: [Int: Set<Int>]) -> Set<Int> {
        var found = units
        var seen = Set(found)
        while let unit = found.popLast() {
            for next in edges[unit] ?? [] where seen.insert(next).inserted { found.append(next) }
        }
        return seen
    }

    /// Whether anything refers to an id or sid.
    func isUsed(_ name: String) -> Bool { elementsByWord[name] != nil }

    /// The lines of the elements that refer to an id or sid.
    func lines(using name: String) -> Set<Int> {
        Set((elementsByWord[name] ?? []).flatMap { scan.lineage(of: $0) }.map { scan.elements[$0].line })
    }

    func name(_ unit: Int) -> String { scan.elements[unit].id ?? scan.elements[unit].name }

    // MARK: - Scenes

    /// The units in which two scenes of this document differ; `nil` when one has lost parts of the other.
    func differences(_ left: Scene, _ right: Scene) -> Set<Int>? {
        var units: Set<Int> = []
        func compare<Part: Equatable>(_ left: [Part], _ right: [Part], _ element: String, byEnd: Bool = false) -> Bool {
            var elements = scan.elements.indices.filter { scan.elements[$0].name == element }
            if byEnd { elements.sort { scan.elements[$0].end < scan.elements[$1].end } }
            guard left.count == right.count, left.count == elements.count else { return false }
            for (index, unit) in elements.enumerated() where left[index] != right[index] { units.insert(unit) }
            return true
        }
        let isWhole = [
            compare(left.nodes, right.nodes, "node", byEnd: true),
            compare(left.geometries, right.geometries, "geometry"),
            compare(left.controllers, right.controllers, "controller"),
            compare(left.materials, right.materials, "material"), compare(left.images, right.images, "image"),
            compare(left.cameras, right.cameras, "camera"), compare(left.lights, right.lights, "light"),
            compare(left.animations, right.animations, "animation"),
            compare(left.clips, right.clips, "animation_clip"),
            compare(left.physics.materials, right.physics.materials, "physics_material"),
            compare(left.physics.models, right.physics.models, "physics_model"),
            compare(left.physics.scenes, right.physics.scenes, "physics_scene"),
            compare([left.physics.active], [right.physics.active], "scene"),
            compare(left.kinematics.models, right.kinematics.models, "kinematics_model"),
            compare(left.kinematics.systems, right.kinematics.systems, "articulated_system"),
            compare(left.kinematics.scenes, right.kinematics.scenes, "kinematics_scene"),
            compare(left.kinematics.formulas, right.kinematics.formulas, "formula"),
            compare([left.kinematics.active], [right.kinematics.active], "scene"),
            compare([left.system], [right.system], "asset"),
            compare([left.title], [right.title], "visual_scene"),
            left.roots == right.roots,
        ]
        return isWhole.allSatisfy { $0 } ? units : nil
    }
}

extension MarkupScan {
    /// A joint in a library is a part of its own, one in a model a part of that.
    fileprivate func isUnit(_ element: Int, of names: Set<String>) -> Bool {
        guard elements[element].name == "joint" else { return names.contains(elements[element].name) }
        return elements[element].parent.map { elements[$0].name } == "library_joints"
    }
}

extension Scene {
    fileprivate var system: [String] { ["\(metersPerUnit)", upAxis.rawValue] }
    fileprivate var title: [String?] { [id, name] }
}
