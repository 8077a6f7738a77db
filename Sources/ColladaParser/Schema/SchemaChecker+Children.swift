// Children that are not where the model has them, and those that are not there.

import Diagnostics
import XMLReader

extension SchemaChecker {
    /// Takes a child for which the tables have no way on; gives the declaration to check it by, -1 for none.
    func oddChild(_ known: Int32, _ name: XMLName, of parent: Int, at position: XMLPosition) -> Int32 {
        let type = Int(open.at(parent).pointee.type)
        let schemaName = known < 0 ? nil : SchemaName(index: Int(known))
        var progress = progress(of: parent)
        let before = progress.seen
        let verdict = models.take(schemaName, into: &progress, lenient: isLenient, &detours)
        keep(progress, of: parent)
        switch verdict {
        // What was passed over is told at the end, if it has not come by then.
        case .expected(let declaration), .early(let declaration), .free(let declaration):
            return Int32(declaration.id.index)
        case .late(let declaration):
            if isOnlyLate(known, before, type) {
                tell(
                    .schemaElementOrder, of: parent, child: name, at: position,
                    "<\(name.localName)> comes too late in <\(label(of: parent))>", fix: .move)
            } else {
                tell(
                    .schemaUnexpectedElement, of: parent, child: name, at: position,
                    "<\(name.localName)> may not stand in <\(label(of: parent))> beside what is there already",
                    fix: .remove)
            }
            return Int32(declaration.id.index)
        case .repeated(let declaration):
            if isMended(second: name.localName, in: label(of: parent)) { return Int32(declaration.id.index) }
            tell(
                .schemaUnexpectedElement, of: parent, child: name, at: position,
                "a second <\(name.localName)> in <\(label(of: parent))>, which may have one", fix: .remove)
            return Int32(declaration.id.index)
        case .unknown:
            tell(
                .schemaUnexpectedElement, of: parent, child: name, at: position,
                "<\(name.localName.prefix(80))> may not stand in <\(label(of: parent))>", fix: .rename)
            return -1
        }
    }

    /// What a person may do about a child.
    enum ChildFix { case move, remove, rename }

    private func keep(_ progress: ContentProgress, of parent: Int) {
        let first = states.first(of: open.at(parent).pointee.type)
        if first >= 0 { open.at(parent).pointee.state = first + Int32(progress.state) }
        open.at(parent).pointee.seen = progress.seen
        owed.removeAll { $0.depth == parent }
        owed += progress.owed.map { (parent, $0) }
    }

    /// Whether all that came before it may stand beside it, in another order.
    private func isOnlyLate(_ known: Int32, _ seen: UInt64, _ type: Int) -> Bool {
        let automaton: ContentAutomaton
        switch models.types[type].content {
        case .children(let machine): automaton = machine.automaton
        case .empty, .simple, .anything: return true
        }
        guard let child = automaton.child(named: SchemaName(index: Int(known))), child < 64 else { return true }
        return seen & ~(1 << UInt64(child)) & ~companions(of: child, in: type, automaton) == 0
    }

    private func companions(of child: Int, in type: Int, _ automaton: ContentAutomaton) -> UInt64 {
        if let known = companions[type]?[child] { return known }
        let found = automaton.companions(of: child)
        companions[type, default: [:]][child] = found
        return found
    }

    // MARK: - What is not there

    func tellMissing(in index: Int) {
        let progress = progress(of: index)
        owed.removeAll { $0.depth >= index }
        let name = label(of: index)
        for missing in models.missing(progress) {
            guard let child = missing.alternatives.first, !isToldOtherwise(child, in: name) else { continue }
            if name.hasPrefix("library_") {
                tell(
                    .schemaEmptyLibrary, of: index, "<\(name)> has no <\(child)>", [.init("element", name)],
                    fix: "Remove the library.")
                continue
            }
            let expected = missing.alternatives.map { "<\($0)>" }
            tell(
                .schemaMissingElement, of: index,
                expected.count == 1
                    ? "<\(name)> has no \(expected[0])" : "<\(name)> has none of \(Self.list(expected))",
                [.init("element", name), .init("expected", missing.alternatives.joined(separator: " "))],
                fix: expected.count == 1 ? "Add \(expected[0])." : nil,
                severity: isEssential(missing, to: name)
                    ? .error : Self.unwritten.isDisjoint(with: missing.alternatives) ? .warning : .info)
        }
    }

    /// What exporters of robots leave out where it does nothing.
    private static let unwritten: Set<String> = ["frame_origin", "frame_tip"]

    func progress(of index: Int) -> ContentProgress {
        let first = states.first(of: open.at(index).pointee.type)
        return ContentProgress(
            ElementType.ID(index: Int(open.at(index).pointee.type)),
            state: first < 0 ? 0 : Int(open.at(index).pointee.state - first),
            seen: open.at(index).pointee.seen, owed: owed.filter { $0.depth == index }.map(\.child))
    }

    /// An instance of a rigid body that says nothing is that body as it is, and a scene of physics may leave its gravity
    /// to the reader; exporters of robots mean no more than that.
    private func isEssential(_ missing: MissingChild, to name: String) -> Bool {
        guard name != "instance_rigid_body", name != "physics_scene" else { return false }
        return missing.alternatives.contains { Self.essential.contains($0) }
    }

    /// Without these there is nothing to be read.
    private static let essential: Set<String> = [
        "accessor", "input", "joints", "mesh", "morph", "p", "sampler", "skin", "source", "targets", "technique_common",
        "vertex_weights", "vertices",
    ]

    /// What another code tells whether or not a schema is asked for.
    private func isToldOtherwise(_ child: String, in parent: String) -> Bool {
        isLenient && parent == "COLLADA" && child == "asset"
    }
}

extension ContentAutomaton {
    /// Which of the first 64 children may stand in one content with a child, before or behind it.
    func companions(of child: Int) -> UInt64 {
        var found: UInt64 = 0
        for other in children.indices.prefix(64) where mayFollow(other, child) || mayFollow(child, other) {
            found |= 1 << UInt64(other)
        }
        return found
    }

    /// Whether `second` may come somewhere behind `first`.
    private func mayFollow(_ first: Int, _ second: Int) -> Bool {
        for state in states {
            guard let edge = state.edges.first(where: { $0.name != nil && $0.child == first }) else { continue }
            let way = way(from: edge.target) { $0.edges.contains { $0.name != nil && $0.child == second } }
            if way != nil { return true }
        }
        return false
    }
}
