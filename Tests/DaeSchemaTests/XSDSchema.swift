// A schema as its file says it: enough of XML Schema for COLLADA's two, written apart from the table that it is held
// against, so that one does not repeat the other's mistakes.

@testable import DaeSchema

final class XSDSchema {
    struct Attribute {
        let type: String
        let isRequired: Bool
        let defaultValue: String?
    }
    enum Content {
        case empty
        /// Empty by the letter, because a restriction repeats nothing of what its base holds.
        case emptied(base: XSDNode?)
        case simple(String)
        case children(XSDNode?, base: XSDNode?)
        case anything
    }
    struct Element {
        let name: String
        let declaration: XSDNode?
        /// `nil` for any type at all.
        let typeNode: XSDNode?
        let defaultValue: String?
    }

    let top: XSDNode
    private let byName: [String: [String: XSDNode]]
    let substitutes: [String: [XSDNode]]

    init(_ path: String) throws {
        top = try XSDNode.read(path).children[0]
        var table: [String: [String: XSDNode]] = [:]
        var substitutes: [String: [XSDNode]] = [:]
        for node in top.children {
            table[node.tag, default: [:]][node.name] = node
            if let head = node["substitutionGroup"] { substitutes[head, default: []].append(node) }
        }
        byName = table
        self.substitutes = substitutes
    }

    func named(_ tag: String, _ name: String?) -> XSDNode? { name.flatMap { byName[tag]?[$0] } }
    var globals: [XSDNode] { top.all("element").filter { $0["abstract"] != "true" } }

    func element(_ node: XSDNode) -> Element {
        let declaration = named("element", node["ref"]) ?? node
        let type =
            named("complexType", declaration["type"]) ?? named("simpleType", declaration["type"])
            ?? declaration.first("complexType", "simpleType")
        let builtIn = declaration["type"].flatMap { $0.hasPrefix("xs:") ? declaration : nil }
        let name = declaration.name.isEmpty ? (node["ref"] ?? "") : declaration.name
        return Element(
            name: name == "math:math" ? "mathml:math" : name, declaration: declaration, typeNode: type ?? builtIn,
            defaultValue: declaration["default"])
    }

    // MARK: - Types

    func content(_ type: XSDNode?) -> Content {
        guard let type else { return .anything }
        if type.tag == "simpleType" { return .simple(simple(type)) }
        if type.tag == "element" { return .simple(simple(named: type["type"])) }
        if let derived = type.first("simpleContent")?.first("extension", "restriction") {
            if let base = named("complexType", derived["base"]) { return content(base) }
            return .simple(simple(named: derived["base"]))
        }
        if let derived = type.first("complexContent")?.first("extension", "restriction") {
            let base = named("complexType", derived["base"])
            if derived.tag == "restriction" { return .emptied(base: base) }
            return .children(particle(of: derived), base: base)
        }
        guard let particle = particle(of: type) else { return .empty }
        return .children(particle, base: nil)
    }

    func particle(of node: XSDNode) -> XSDNode? { node.first("sequence", "choice", "group") }

    func attributes(_ type: XSDNode?) -> [String: Attribute] {
        guard let type, type.tag == "complexType" else { return [:] }
        let derived = type.first("simpleContent", "complexContent")?.first("extension", "restriction")
        var found = derived.flatMap { named("complexType", $0["base"]) }.map(attributes) ?? [:]
        for attribute in (derived ?? type).all("attribute") {
            found[attribute["ref"] ?? attribute.name] = Attribute(
                type: attribute["ref"] == nil ? simple(named: attribute["type"]) : "anyURI",
                isRequired: attribute["use"] == "required", defaultValue: attribute["default"])
        }
        return found
    }

    // MARK: - Simple types, in one way of writing them

    func simple(named name: String?) -> String {
        guard let name else { return "?" }
        if name == "xs:IDREFS" { return "list(IDREF,1,-)" }
        if name.hasPrefix("xs:") { return String(name.dropFirst(3)) }
        return named("simpleType", name).map(simple) ?? "?\(name)"
    }

    private func simple(_ type: XSDNode) -> String {
        if let list = type.first("list") { return "list(\(simple(named: list["itemType"])),0,-)" }
        if let union = type.first("union") {
            let members = union["memberTypes"]?.split(separator: " ").map { simple(named: String($0)) } ?? []
            return "union(\(members.joined(separator: ";")))"
        }
        guard let restriction = type.first("restriction") else { return "?" }
        let base = restriction.first("simpleType").map(simple) ?? simple(named: restriction["base"])
        let values = restriction.all("enumeration").compactMap { $0["value"] }
        if !values.isEmpty { return "values(\(base);\(values.joined(separator: " ")))" }
        if restriction.first("pattern") != nil { return "text(\(base);\(Self.form(of: type.name)))" }
        let facets = Dictionary(
            restriction.children.compactMap { node in node["value"].map { (node.tag, $0) } },
            uniquingKeysWith: { first, _ in first })
        if facets.isEmpty { return base }
        if base.hasSuffix(",0,-)"), let least = facets["minLength"], let most = facets["maxLength"], facets.count == 2 {
            return "\(base.dropLast(4))\(least),\(most))"
        }
        let lower = facets["minInclusive"].flatMap { Double($0) }.map { "\($0)" } ?? "?"
        let upper =
            facets["maxInclusive"].flatMap { Double($0) }.map { "<=\($0)" }
            ?? facets["maxExclusive"].flatMap { Double($0) }.map { "<\($0)" } ?? ""
        return "range(\(base);\(lower);\(upper))"
    }

    /// The patterns are told apart by the types they stand in.
    private static func form(of name: String) -> String {
        switch name.lowercased() {
        case "urifragmenttype", "urifragment_type": "uriFragment"
        case "sidref_type": "sidref"
        default: "email"
        }
    }
}
