// The table against the schemas themselves: from the elements that may stand at the top, through every child of every
// content, both are walked side by side.

import TestSupport
import Testing

@testable import DaeSchema

@Suite(
    .enabled(
        if: Repository.schemas != nil,
        "the schemas of Khronos are not here; put them beside the checkout or name their folder in DAE_SCHEMAS"))
struct TableAgainstSchemaTests {
    /// Declarations that no document of the schema can reach: of types that no element has.
    private static let unreached: [SchemaVersion: [String]] = [.collada14: [], .collada15: ["size"]]

    @Test(arguments: zip(SchemaVersion.allCases, ["collada_schema_1_4_1.xsd", "collada_schema_1_5.xsd"]))
    func everyElementHasTheSameContentAttributesAndTypes(version: SchemaVersion, file: String) throws {
        let folder = try #require(Repository.schemas)
        let schema = try XSDSchema(folder + "/" + file)
        var walk = Walk(schema: schema, models: .models(for: version))
        walk.run()
        for difference in walk.differences.prefix(40) { Issue.record("\(version): \(difference)") }
        #expect(walk.differences.isEmpty)
        let declared = schema.top.everyNode.filter { $0.tag == "element" && $0["ref"] == nil && $0["abstract"] == nil }
        let missed = declared.filter { !walk.reached.contains(ObjectIdentifier($0)) }
        #expect(missed.map(\.name) == Self.unreached[version])
        #expect(walk.pairs > 400)
    }
}

private struct Walk {
    let schema: XSDSchema
    let models: ContentModels
    var differences: [String] = []
    var reached: Set<ObjectIdentifier> = []
    var pairs = 0
    private struct Pair: Hashable {
        let type: ObjectIdentifier?
        let ours: ElementType.ID
    }
    private var seen: Set<Pair> = []
    private var work: [(type: XSDNode?, ours: ElementType.ID, path: String)] = []

    init(schema: XSDSchema, models: ContentModels) {
        self.schema = schema
        self.models = models
    }

    mutating func run() {
        let names = Set(schema.globals.map(\.name))
        let ours = Set(models.names.indices.map(SchemaName.init).filter { models.global($0) != nil }.map(models.text))
        if names != ours { differences.append("at the top: \(names.symmetricDifference(ours).sorted())") }
        for node in schema.globals {
            reached.insert(ObjectIdentifier(node))
            guard let declaration = models.name(node.name).flatMap(models.global) else { continue }
            compare(schema.element(node), declaration, node.name)
        }
        while let (type, ours, path) = work.popLast() { compare(type, ours, path) }
    }

    private mutating func compare(_ element: XSDSchema.Element, _ ours: ElementDeclaration, _ path: String) {
        if element.defaultValue != ours.defaultValue {
            differences.append("\(path): default \(element.defaultValue ?? "-"), ours \(ours.defaultValue ?? "-")")
        }
        let pair = Pair(type: element.typeNode.map(ObjectIdentifier.init), ours: ours.type)
        if seen.insert(pair).inserted { work.append((element.typeNode, ours.type, path)) }
    }

    private mutating func compare(_ type: XSDNode?, _ id: ElementType.ID, _ path: String) {
        pairs += 1
        let ours = models[id]
        compareAttributes(type, ours, path)
        let content = schema.content(type)
        if case .emptied(let base) = content {
            guard let lost = ours.lostContent else { return differences.append("\(path): lost content is not marked") }
            compareChildren(schema.content(base), lost.automaton, path)
        } else if ours.lostContent != nil {
            differences.append("\(path): marked as lost")
        }
        switch (content, ours.content) {
        case (.empty, .empty), (.emptied, .empty), (.anything, .anything): break
        case (.simple(let theirs), .simple(let simple)):
            if theirs != canonical(simple) {
                differences.append("\(path): text \(theirs), ours \(canonical(simple))")
            }
        case (.children, .children(let machine)): compareChildren(content, machine.automaton, path)
        default: differences.append("\(path): content \(content), ours \(ours.content)")
        }
    }

    private mutating func compareAttributes(_ type: XSDNode?, _ ours: ElementType, _ path: String) {
        var rest = schema.attributes(type)
        for rule in ours.attributes {
            let name = models.text(rule.name)
            guard let theirs = rest.removeValue(forKey: name) else {
                differences.append("\(path): no attribute \(name)")
                continue
            }
            let isSame =
                theirs.type == canonical(rule.type) && theirs.isRequired == (rule.use == .required)
                && theirs.defaultValue == rule.defaultValue
            if !isSame {
                differences.append("\(path): attribute \(name) \(theirs), ours \(rule) \(canonical(rule.type))")
            }
        }
        if !rest.isEmpty { differences.append("\(path): attributes \(rest.keys.sorted()) are missing") }
    }

    /// Walks both machines at once: what may come next and where the content may end must be the same everywhere.
    private mutating func compareChildren(_ content: XSDSchema.Content, _ automaton: ContentAutomaton, _ path: String) {
        let theirs = XSDPositions(content, schema)
        struct Both: Hashable {
            let positions: Set<Int>?
            let state: Int
        }
        var visited: Set<Both> = []
        var open = [Both(positions: nil, state: 0)]
        while let both = open.popLast() {
            guard visited.insert(both).inserted else { continue }
            let next =
                both.positions.map { $0.reduce(into: Set<Int>()) { $0.formUnion(theirs.follow[$1]) } }
                ?? theirs.whole.first
            let canEnd = both.positions.map { !$0.isDisjoint(with: theirs.whole.last) } ?? theirs.whole.canBeEmpty
            let state = automaton.states[both.state]
            if canEnd != state.isAccepting { differences.append("\(path): may end at another place") }
            let byName = Dictionary(grouping: next) { theirs.elements[$0]?.name ?? "*" }
            let names = Set(state.edges.map { $0.name.map(models.text) ?? "*" })
            if Set(byName.keys) != names {
                differences.append("\(path): next \(Set(byName.keys).symmetricDifference(names).sorted())")
            }
            for edge in state.edges {
                guard let positions = byName[edge.name.map(models.text) ?? "*"] else { continue }
                open.append(Both(positions: Set(positions), state: edge.target))
                for position in positions {
                    guard let element = theirs.elements[position], let name = edge.name else { continue }
                    markReached(element)
                    compare(element, models[edge.declaration], path + "/" + models.text(name))
                }
            }
        }
    }

    private mutating func markReached(_ element: XSDSchema.Element) {
        if let node = element.declaration { reached.insert(ObjectIdentifier(node)) }
    }

    private func canonical(_ id: SimpleType.ID) -> String {
        switch models[id].form {
        case .builtIn(let type): return type.rawValue
        case .list(let item, let least, let most):
            return "list(\(canonical(item)),\(least),\(most.map(String.init) ?? "-"))"
        case .values(let base, let values): return "values(\(canonical(base));\(values.joined(separator: " ")))"
        case .range(let base, let range):
            let upper =
                switch range.upper {
                case .none: ""
                case .through(let most): "<=\(most)"
                case .below(let most): "<\(most)"
                }
            return "range(\(canonical(base));\(range.lower);\(upper))"
        case .text(let base, let form): return "text(\(canonical(base));\(form.rawValue))"
        case .union(let members): return "union(\(members.map(canonical).joined(separator: ";")))"
        }
    }
}
