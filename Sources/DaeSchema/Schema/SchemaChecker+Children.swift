// Children that are not where the model has them, and those that are not there.

import DaeDiagnostics
import DaeXML

extension SchemaChecker {
    /// Takes a child for which the tables have no way on; gives the declaration to check it by, -1 for none.
    mutating func unexpectedChild(_ known: Int32, _ name: XMLName, of parent: Int, at position: XMLPosition) -> Int32 {
        let type = Int(open[parent].type)
        let schemaName = known < 0 ? nil : SchemaName(index: Int(known))
        var progress = progress(of: parent)
        let before = progress.seen
        let verdict = models.take(schemaName, into: &progress, lenient: isLenient, &detours)
        keep(progress, of: parent)
        switch verdict {
        // What was passed over is reported at the end, if it has not come by then.
        case .expected(let declaration), .early(let declaration), .free(let declaration):
            return Int32(declaration.id.index)
        case .late(let declaration):
            if isOnlyLate(known, before, type) {
                report(
                    .schemaElementOrder, of: parent, child: name, at: position,
                    "<\(name.localName)> comes too late in <\(label(of: parent))>", fix: .move)
            } else {
                report(
                    .schemaUnexpectedElement, of: parent, child: name, at: position,
                    "<\(name.localName)> may not stand in <\(label(of: parent))> beside what is there already",
                    fix: .remove)
            }
            return Int32(declaration.id.index)
        case .repeated(let declaration):
            if isRepaired(second: name.localName, in: label(of: parent)) { return Int32(declaration.id.index) }
            report(
                .schemaUnexpectedElement, of: parent, child: name, at: position,
                "a second <\(name.localName)> in <\(label(of: parent))>, which may have one", fix: .remove)
            return Int32(declaration.id.index)
        case .unknown:
            report(
                .schemaUnexpectedElement, of: parent, child: name, at: position,
                "<\(name.localName.prefix(80))> may not stand in <\(label(of: parent))>", fix: .rename)
            return -1
        }
    }

    /// What a person may do about a child.
    enum ChildFix { case move, remove, rename }

    private mutating func keep(_ progress: ContentProgress, of parent: Int) {
        let first = states.known(of: open[parent].type)
        if first >= 0 { open[parent].state = first + Int32(progress.state) }
        open[parent].seen = progress.seen
        owed.removeAll { $0.depth == parent }
        owed += progress.owed.map { (parent, $0) }
    }

    /// Whether all that came before it may stand beside it, in another order.
    private mutating func isOnlyLate(_ known: Int32, _ seen: UInt64, _ type: Int) -> Bool {
        let automaton: ContentAutomaton
        switch models.types[type].content {
        case .children(let machine): automaton = machine.automaton
        case .empty, .simple, .anything: return true
        }
        guard let child = automaton.child(named: SchemaName(index: Int(known))), child < 64 else { return true }
        return seen & ~(1 << UInt64(child)) & ~companions(of: child, in: type, automaton) == 0
    }

    private mutating func companions(of child: Int, in type: Int, _ automaton: ContentAutomaton) -> UInt64 {
        if let known = companions[type]?[child] { return known }
        let found = automaton.companions(of: child)
        companions[type, default: [:]][child] = found
        return found
    }

    // MARK: - What is not there

    mutating func reportMissing(in index: Int) {
        let progress = progress(of: index)
        owed.removeAll { $0.depth >= index }
        let name = label(of: index)
        for missing in models.missing(progress) {
            guard let child = missing.alternatives.first, !isReportedElsewhere(child, in: name) else { continue }
            if name.hasPrefix("library_") {
                report(
                    .schemaEmptyLibrary, of: index, "<\(name)> has no <\(child)>", [.init("element", name)],
                    fix: "Remove the library.")
                continue
            }
            let expected = missing.alternatives.map { "<\($0)>" }
            report(
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
        let first = states.known(of: open[index].type)
        return ContentProgress(
            ElementType.ID(index: Int(open[index].type)),
            state: first < 0 ? 0 : Int(open[index].state - first),
            seen: open[index].seen, owed: owed.filter { $0.depth == index }.map(\.child))
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

    /// Whether another code reports it, be a schema asked for or not.
    private func isReportedElsewhere(_ child: String, in parent: String) -> Bool {
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

extension SchemaChecker {
    /// Holds the attributes of the innermost open element against its type.
    ///
    /// - Parameter row: The type's.
    @inline(__always)
    mutating func check(_ attributes: XMLAttributes, by row: SchemaTables.TypeRow) {
        guard let index = innermost else { return }
        guard !row.isFree else { return }
        var met: UInt64 = 0
        for place in 0..<attributes.count {
            let known = attributes.number(at: place).map(tables.name) ?? name(ofAttribute: place, attributes)
            guard let rule = tables.attribute(known, of: row) else {
                reportUnknown(attributes, place, of: index)
                continue
            }
            met |= rule.bit
            let value = attributes.value(at: place).assumingMemoryBound(to: UInt8.self)
            if rule.isID { note(value, as: index) }
            if !rule.form.isSurely(value.span, tables.words) { check(value.span, rule, of: index) }
        }
        if open[index].name == tables.technique { checkProfile(attributes, of: index) }
        let missing = row.required & ~met
        if missing != 0 { reportMissing(missing, of: index) }
    }

    /// Of one that the reader does not know, or that has a prefix.
    @inline(never)
    private func name(ofAttribute place: Int, _ attributes: XMLAttributes) -> Int32 {
        attributes.name(at: place).flatMap { models.name($0.text) }.map { Int32($0.index) } ?? -1
    }

    @inline(never)
    private func check(_ value: Span<UInt8>, _ rule: SchemaTables.Attribute, of index: Int) {
        guard let fault = models.fault(in: value, of: rule.type) else { return }
        report(fault, rule.type, ofAttribute: models.names[Int(rule.name)], of: index)
    }

    /// Keeps the id for the element's path, and to the letter sees that it is the only one.
    @inline(__always)
    private mutating func note(_ value: UnsafeBufferPointer<UInt8>, as index: Int) {
        labels += value
        if !isLenient { noteOnce(value, of: index) }
    }

    @inline(never)
    private mutating func noteOnce(_ value: UnsafeBufferPointer<UInt8>, of index: Int) {
        let id = String(decoding: value, as: UTF8.self)
        guard let first = ids.updateValue(position(of: index), forKey: id) else { return }
        ids[id] = first
        var related = Place(first)
        related.elementID = id
        report(
            .idDuplicate, of: index, "another element has the id \(id.quoted())",
            [.init("id", id)], related: [related])
    }

    @inline(never)
    private func reportUnknown(_ attributes: XMLAttributes, _ place: Int, of index: Int) {
        guard let attribute = attributes.name(at: place), attribute.namespace != Self.instance else { return }
        let name = label(of: index)
        let text = String(attribute.text.prefix(200))
        let expected = models.types[Int(open[index].type)].attributes.map { models.text($0.name) }
        let near = SchemaFix.word(like: text, among: expected)
        report(
            .schemaUnknownAttribute, of: index,
            "<\(name)> may not have the attribute \(text); \(Self.expected(expected))",
            [.init("element", name), .init("attribute", text), .init("expected", expected.joined(separator: " "))],
            fix: near.map { "Write \($0)." } ?? "Remove the attribute \(text).")
    }

    /// `xsi:schemaLocation` and its like belong to every element.
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    @inline(never)
    private func reportMissing(_ bits: UInt64, of index: Int) {
        let name = label(of: index)
        for (number, rule) in models.types[Int(open[index].type)].attributes.enumerated()
        where bits & (1 << UInt64(number & 63)) != 0 {
            let attribute = models.text(rule.name)
            guard !isReportedElsewhere(attribute, of: name) else { continue }
            report(
                .schemaMissingAttribute, of: index, "<\(name)> has no \(attribute) attribute",
                [.init("element", name), .init("attribute", attribute)],
                severity: Self.isDispensable(attribute, of: name) ? .warning : nil)
        }
    }

    /// Nobody's technique is kept as it stands all the same, and a texture without a name for its coordinates takes the
    /// only ones.
    private static func isDispensable(_ attribute: String, of element: String) -> Bool {
        [("technique", "profile"), ("texture", "texcoord")].contains { $0 == (element, attribute) }
    }

    // MARK: - Profiles

    /// Reports once each profile whose techniques are kept without being understood.
    @inline(never)
    private mutating func checkProfile(_ attributes: XMLAttributes, of index: Int) {
        guard states.rest(from: open[index].state) >= 0, profiles.count < Self.mostProfiles else { return }
        for place in 0..<attributes.count where attributes.number(at: place).map(tables.name) == tables.profile {
            let profile = String(decoding: attributes.value(at: place), as: UTF8.self)
            // An empty one is reported as no word.
            guard !profile.isEmpty, !reader.understands(profile: profile), !Self.otherProfiles.contains(profile),
                profiles.insert(profile).inserted
            else { continue }
            report(
                .schemaExtraUnknownProfile, of: index,
                "the profile \(profile.quoted(80)) is not understood; its techniques are kept as they stand",
                [.init("profile", String(profile.prefix(200)))], severity: .hint)
        }
    }

    private static let mostProfiles = 100
    private static let otherProfiles: Set<String> = ["OpenRAVE", "blender", "COMMON", "common"]
}
