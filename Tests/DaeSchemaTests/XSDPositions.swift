@testable import DaeSchema

/// The language of a content as sets of positions: which may come first, which last, which after which.
struct XSDPositions {
    struct Part {
        var first: Set<Int> = []
        var last: Set<Int> = []
        var canBeEmpty = true
    }
    /// What stands at each position; `nil` for any element.
    private(set) var elements: [XSDSchema.Element?] = []
    private(set) var follow: [Set<Int>] = []
    private(set) var whole = Part()
    private let schema: XSDSchema

    init(_ content: XSDSchema.Content, _ schema: XSDSchema) {
        self.schema = schema
        guard case .children(let particle, let base) = content else { return }
        var parts: [Part] = []
        if let base, case .children(let particle, let older) = schema.content(base) {
            // One step of derivation is all that the schemas have.
            precondition(older == nil)
            if let particle { parts.append(part(particle)) }
        }
        if let particle { parts.append(part(particle)) }
        whole = sequence(parts)
    }

    private mutating func part(_ node: XSDNode) -> Part {
        let least = Int(node["minOccurs"] ?? "1") ?? 1
        let text = node["maxOccurs"] ?? "1"
        guard text == "unbounded" else {
            let most = Int(text) ?? 1
            return sequence(
                (0..<most).map { index in
                    var part = once(node)
                    if index >= least { part.canBeEmpty = true }
                    return part
                })
        }
        var parts = (0..<max(least, 1)).map { _ in once(node) }
        let end = parts[parts.count - 1]
        for position in end.last { follow[position].formUnion(end.first) }
        if least == 0 { parts[parts.count - 1].canBeEmpty = true }
        return sequence(parts)
    }

    private mutating func once(_ node: XSDNode) -> Part {
        switch node.tag {
        case "group":
            return schema.named("group", node["ref"])?.first("sequence", "choice").map { part($0) } ?? Part()
        case "sequence": return sequence(particles(node).map { part($0) })
        case "choice": return choice(particles(node).map { part($0) })
        case "any": return position(nil)
        default:
            if let head = schema.named("element", node["ref"]), head["abstract"] == "true" {
                return choice((schema.substitutes[head.name] ?? []).map { position(schema.element($0)) })
            }
            return position(schema.element(node))
        }
    }

    private func particles(_ node: XSDNode) -> [XSDNode] {
        node.children.filter { ["element", "group", "sequence", "choice", "any"].contains($0.tag) }
    }

    private mutating func position(_ element: XSDSchema.Element?) -> Part {
        elements.append(element)
        follow.append([])
        return Part(first: [elements.count - 1], last: [elements.count - 1], canBeEmpty: false)
    }

    private func choice(_ parts: [Part]) -> Part {
        var whole = Part(canBeEmpty: false)
        for part in parts {
            whole.first.formUnion(part.first)
            whole.last.formUnion(part.last)
            if part.canBeEmpty { whole.canBeEmpty = true }
        }
        return whole
    }

    private mutating func sequence(_ parts: [Part]) -> Part {
        var whole = Part()
        for part in parts {
            for position in whole.last { follow[position].formUnion(part.first) }
            if whole.canBeEmpty { whole.first.formUnion(part.first) }
            whole.last = part.canBeEmpty ? whole.last.union(part.last) : part.last
            whole.canBeEmpty = whole.canBeEmpty && part.canBeEmpty
        }
        return whole
    }
}
