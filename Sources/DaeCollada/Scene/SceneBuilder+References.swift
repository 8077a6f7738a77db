// Where references lead.

import DaeCore
import DaeDiagnostics
import DaeScene
import DaeXML

extension SceneBuilder {
    /// The place of the element of a kind that a reference leads to; reported where that is of another kind, or not there.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ kind: LibraryKind, else code: FindingCode = .refUnresolved
    ) -> Int? {
        guard let target = find(reference, [kind], severity: .error, else: code) else { return nil }
        if target.kind != kind { reportWrongType(reference, target, expected: [kind]) }
        return target.index(of: kind)
    }

    /// - Parameters:
    ///   - expected: The kinds it may lead to. One of another is given all the same.
    ///   - code: Of what is reported where it leads nowhere.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [LibraryKind], severity: Severity,
        else code: FindingCode = .refUnresolved
    ) -> ReferenceTable.Target? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, expected, log: &log) {
        case .found(let target): return target
        case .missing:
            log.add(
                code, at: Place(reference.position),
                "\(reference.text.quoted()) leads to nothing; expected the id of \(expected.words.withArticle)",
                arguments: [.init("reference", reference.text)], severity: severity)
        case .external(let absence): log.report(absence, of: reference, severity: severity)
        }
        return nil
    }

    mutating func reportWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: [LibraryKind]
    ) {
        log.reportWrongType(reference, target, expected: expected, in: table)
    }
}

extension [LibraryKind] {
    /// Their elements, one or the other.
    fileprivate var words: String { map(\.element).joined(separator: " or ") }
}

extension SceneBuilder {
    /// Tells of an id behind a `#`, where there should be the id alone.
    ///
    /// - Parameter what: What it is the id of, for the message.
    mutating func reportHash(_ text: String, _ what: String, at place: Place) {
        log.add(
            .quirkIDHash, at: place, "\(what) is written \(text.quoted()); its # was passed over",
            arguments: [.init("reference", text)], fix: "write \(text.dropFirst())")
    }
}

extension FindingLog {
    fileprivate mutating func reportWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: [LibraryKind],
        in table: ReferenceTable
    ) {
        let element = target.kind.element
        add(
            .refWrongType, at: Place(reference.position),
            "\(reference.text.quoted()) leads to \(element.withArticle); expected \(expected.words.withArticle)",
            arguments: [.init("reference", reference.text), .init("element", element)],
            related: [table.place(of: target)])
    }

    /// Tells why what a reference into another document leads to is not there.
    mutating func report(
        _ absence: ReferenceTable.Absence, of reference: ColladaDocument.Reference, severity: Severity
    ) {
        var code = FindingCode.refExternalUnresolved
        var path: String?
        let reason: String
        if let scheme = URIReference(reference.text).unknownScheme {
            let known = URIReference.followedSchemes.sorted().joined(separator: ", ")
            add(
                .uriUnsupportedScheme, at: Place(reference.position),
                "\(reference.text.quoted()) was not followed: its scheme is \(scheme.quoted(40)); known are \(known)",
                arguments: [.init("reference", reference.text), .init("scheme", scheme)], severity: severity)
            return
        }
        switch absence {
        case .notRead: reason = "is in another document, which was not read"
        case .noFile(let tried):
            path = tried
            reason = "is in another document, and there is no \(tried.prefix(200))"
        case .unreadable(let file, let fault):
            path = file
            reason = "is in \(file.prefix(200)), which cannot be read: \(fault)"
        case .noID(let file):
            path = file
            reason = "leads to nothing: \(file.prefix(200)) has no such id"
        case .blocked(let fault):
            code = .refExternalBlocked
            reason = "was not followed: its document \(fault)"
        }
        add(
            code, at: Place(reference.position), "\(reference.text.quoted()) \(reason)",
            arguments: [.init("reference", reference.text)] + (path.map { [.init("path", $0)] } ?? []),
            severity: code == .refExternalBlocked ? nil : severity)
    }
}

extension String {
    /// Behind `a` or `an`; of an element's name, whose first letter says which.
    var withArticle: String { ("aeio".contains(first ?? " ") ? "an " : "a ") + self }
}

// Where the references of physics and kinematics lead, reported by codes of their own.

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
    mutating func find(
        _ reference: ColladaDocument.Reference, _ kind: LibraryKind, code: FindingCode? = nil
    ) -> Int? {
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
        log.add(
            code, at: Place(reference.position),
            "\(reference.text.quoted()) leads to nothing; expected \(expected.withArticle)",
            arguments: [.init("reference", reference.text)])
    }
}

/// What the instances that bear sids lead to, node by node.
struct InstanceTargets {
    struct Instance {
        /// Among the node's contents.
        let content: Int
        let sid: String
        /// `nil` where it leads nowhere.
        let target: ReferenceTable.Target?
    }
    /// Those of each node in the document's order.
    private var instances: [Int: [Instance]] = [:]

    mutating func add(_ sid: ColladaDocument.InstanceSID, of node: Int, to target: ReferenceTable.Target?) {
        instances[node, default: []].append(Instance(content: sid.content, sid: sid.sid, target: target))
    }

    subscript(node: Int) -> [Instance] { instances[node] ?? [] }
}

// Physics, kinematics, and whose hulls convex meshes are.

extension SceneBuilder {
    mutating func addMechanics() {
        if document.hasPhysics {
            var physics = PhysicsBuilder(shared, table, systems, limits: limits)
            scene.physics = physics.build()
            log.merge(physics.log)
        }
        if document.hasKinematics {
            var kinematics = KinematicsBuilder(shared, table, instanceTargets, systems, limits: limits)
            scene.kinematics = kinematics.build(in: scene)
            log.merge(kinematics.log)
        }
    }

    /// A convex mesh may be the hull of another one, and so on; what counts is the end with points of its own.
    mutating func findHulls() {
        guard document.geometries.contains(where: { $0.isHull }) else { return }
        var references = MechanicsReferences(table, code: .physicsConvexSource)
        let sources: [Int?] = document.geometries.map { geometry in
            switch geometry.kind {
            case .convexMesh(_, hullOf: let reference?): references.geometry(reference)?.value
            case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: nil
            }
        }
        log.merge(references.log)
        enum Visit { case new, open, done }
        var visits = [Visit](repeating: .new, count: sources.count)
        for start in sources.indices where visits[start] == .new {
            var chain: [Int] = []
            var next: Int? = start
            while let here = next, visits[here] == .new {
                visits[here] = .open
                chain.append(here)
                next = sources[here]
            }
            var end: SceneIndex<Geometry>?
            if let next {
                switch visits[next] {
                case .open:
                    var place = Place(document.geometries[next].position)
                    place.elementID = document.geometries[next].id
                    log.add(.refCycle, at: place, "a convex mesh is its own hull")
                case .done: end = scene.geometries[next].hullOf ?? SceneIndex(next)
                case .new: break
                }
            } else if let last = chain.popLast() {
                visits[last] = .done
                end = SceneIndex(last)
            }
            for here in chain {
                visits[here] = .done
                scene.geometries[here].hullOf = end
            }
        }
    }
}

extension ColladaDocument {
    fileprivate var hasPhysics: Bool {
        !(physicsMaterials.isEmpty && physicsModels.isEmpty && physicsScenes.isEmpty
            && scene?.physicsScenes.isEmpty ?? true)
    }

    fileprivate var hasKinematics: Bool {
        !(joints.isEmpty && kinematicsModels.isEmpty && articulatedSystems.isEmpty && kinematicsScenes.isEmpty
            && formulas.isEmpty && scene?.kinematicsScenes.isEmpty ?? true)
    }
}

extension ColladaDocument.Geometry {
    /// Whether it has no points of its own, but those of another.
    fileprivate var isHull: Bool {
        switch kind {
        case .convexMesh(_, hullOf: .some): true
        case .convexMesh(_, hullOf: nil), .mesh, .spline, .brep, .empty: false
        }
    }
}
