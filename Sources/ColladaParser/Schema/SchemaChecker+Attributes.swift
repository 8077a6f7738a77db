import Diagnostics
import XMLReader

extension SchemaChecker {
    /// Holds the attributes of the innermost open element against its type.
    ///
    /// - Parameter row: The type's.
    @inline(__always)
    func check(_ attributes: XMLAttributes, by row: UnsafePointer<SchemaTables.TypeRow>) {
        guard let index = open.lastPlace else { return }
        guard !row.pointee.isFree else { return }
        var met: UInt64 = 0
        for place in 0..<attributes.count {
            let known = attributes.number(at: place).map(tables.name) ?? name(ofAttribute: place, attributes)
            guard let rule = tables.attribute(known, of: row) else {
                tellUnknown(attributes, place, of: index)
                continue
            }
            met |= rule.pointee.bit
            let value = attributes.value(at: place)
            if rule.pointee.isID { note(value, as: index) }
            if !rule.pointee.form.isSurely(value, tables.words) { check(value, rule, of: index) }
        }
        if open.at(index).pointee.name == tables.technique { checkProfile(attributes, of: index) }
        let missing = row.pointee.required & ~met
        if missing != 0 { tellMissing(missing, of: index) }
    }

    /// Of one that the reader does not know, or that has a prefix.
    @inline(never)
    private func name(ofAttribute place: Int, _ attributes: XMLAttributes) -> Int32 {
        attributes.name(at: place).flatMap { models.name($0.text) }.map { Int32($0.index) } ?? -1
    }

    @inline(never)
    private func check(_ value: UnsafeRawBufferPointer, _ rule: UnsafePointer<SchemaTables.Attribute>, of index: Int) {
        let text = value.assumingMemoryBound(to: UInt8.self).span
        guard let fault = models.fault(in: text, of: rule.pointee.type) else { return }
        tell(fault, rule.pointee.type, ofAttribute: models.names[Int(rule.pointee.name)], of: index)
    }

    /// Keeps the id for the element's path, and to the letter sees that it is the only one.
    @inline(__always)
    private func note(_ value: UnsafeRawBufferPointer, as index: Int) {
        labels.append(value)
        if !isLenient { noteOnce(value, of: index) }
    }

    @inline(never)
    private func noteOnce(_ value: UnsafeRawBufferPointer, of index: Int) {
        let id = String(decoding: value, as: UTF8.self)
        guard let first = ids.updateValue(position(of: index), forKey: id) else { return }
        ids[id] = first
        var related = Place(first)
        related.elementID = id
        tell(
            .idDuplicate, of: index, "another element has the id \(id.quoted())",
            [.init("id", id)], related: [related])
    }

    @inline(never)
    private func tellUnknown(_ attributes: XMLAttributes, _ place: Int, of index: Int) {
        guard let attribute = attributes.name(at: place), attribute.namespace != Self.instance else { return }
        let name = label(of: index)
        let text = String(attribute.text.prefix(200))
        let expected = models.types[Int(open.at(index).pointee.type)].attributes.map { models.text($0.name) }
        let near = SchemaFix.word(like: text, among: expected)
        tell(
            .schemaUnknownAttribute, of: index,
            "<\(name)> may not have the attribute \(text); \(Self.expected(expected))",
            [.init("element", name), .init("attribute", text), .init("expected", expected.joined(separator: " "))],
            fix: near.map { "Write \($0)." } ?? "Remove the attribute \(text).")
    }

    /// `xsi:schemaLocation` and its like belong to every element.
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    @inline(never)
    private func tellMissing(_ bits: UInt64, of index: Int) {
        let name = label(of: index)
        for (number, rule) in models.types[Int(open.at(index).pointee.type)].attributes.enumerated()
        where bits & (1 << UInt64(number & 63)) != 0 {
            let attribute = models.text(rule.name)
            guard !isToldOtherwise(attribute, of: name) else { continue }
            tell(
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

    /// Tells once of each profile whose techniques are kept without being understood.
    @inline(never)
    private func checkProfile(_ attributes: XMLAttributes, of index: Int) {
        guard states.rest(from: open.at(index).pointee.state) >= 0, profiles.count < Self.mostProfiles else { return }
        for place in 0..<attributes.count where attributes.number(at: place).map(tables.name) == tables.profile {
            let profile = String(decoding: attributes.value(at: place), as: UTF8.self)
            // One that is empty is no word, which is told.
            guard !profile.isEmpty, !MaterialExtras.isKnown(profile), !Self.otherProfiles.contains(profile),
                profiles.insert(profile).inserted
            else { continue }
            tell(
                .schemaExtraUnknownProfile, of: index,
                "the profile \(profile.quoted(80)) is not understood; its techniques are kept as they stand",
                [.init("profile", String(profile.prefix(200)))], severity: .hint)
        }
    }

    private static let mostProfiles = 100
    private static let otherProfiles: Set<String> = ["OpenRAVE", "blender", "COMMON", "common"]
}
