import Testing

@testable import DaeSchema

@Suite struct GrammarTests {
    @Test func everyRowOfTheTableIsReadAndEveryNameInItIsKnown() {
        #expect(ElementGrammar.problems.map(\.description) == [])
        for version in SchemaVersion.allCases {
            #expect(ContentModelBuilder.build(version, from: ElementGrammar.rows).problems == [])
        }
    }

    @Test(arguments: SchemaVersion.allCases)
    func noContentLeavesOpenWhichChildIsMeant(version: SchemaVersion) {
        let models = ContentModels.models(for: version)
        for type in models.types {
            if case .children(let machine) = type.content { #expect(!machine.automaton.isAmbiguous, "\(type.name)") }
            #expect(type.lostContent?.automaton.isAmbiguous != true, "\(type.name)")
            #expect(type.attributes.count <= 64, "\(type.name): a bit for each attribute")
        }
        #expect(models.root.map { models.text($0.name) } == "COLLADA")
    }

    @Test func aRowGivesAttributesContentAndMarks() throws {
        let (rows, problems) = GrammarParser.rows(
            of: """
                # A comment.
                a'5(x!:NCName y:double[3]="0 0 1"'4) = b? (c:double[]=1.5
                    | d{e{2,}})*'4
                type kind = string enum A B
                %g = b | any
                f : kind
                h(z:kind) = lost %g+
                """, family: "own")
        #expect(problems.isEmpty)
        #expect(rows.map(\.name) == ["a", "kind", "g", "f", "h"])
        #expect(rows.map(\.line) == [2, 4, 5, 6, 7])
        #expect(rows[0].versions == .only(.collada15))
        guard case .type(let type) = rows[0].meaning, case .particles(let content) = type.content,
            case .sequence(let parts) = content.term
        else { throw GrammarProblem(family: "own", line: 2, message: "no sequence") }
        #expect(type.attributes.map(\.name) == ["x", "y"])
        #expect(type.attributes.map(\.use) == [.required, .optional])
        #expect(type.attributes[1].defaultValue == "0 0 1")
        #expect(type.attributes[1].type == GrammarTypeReference(name: "double", shape: .list(length: 3)))
        #expect(type.attributes[1].versions == .only(.collada14))
        #expect(parts.map(\.occurrence) == [Occurrence(least: 0, most: 1), Occurrence(least: 0, most: nil)])
        #expect(parts[1].versions == .only(.collada14))
        guard case .type(let last) = rows[4].meaning, case .lost = last.content else {
            throw GrammarProblem(family: "own", line: 7, message: "no lost content")
        }
    }

    @Test(arguments: [
        ("a(x) = b", "':' is expected"), ("a = b | c d", "parted by '|'"), ("a = (b", "')' is expected"),
        ("a'6 = b", "a version"), ("type t = string like nothing", "no form"), ("type t = double 1-2", "no range"),
        ("a : string b", "should end"), ("a = b{2", "'}' is expected"),
    ])
    func aSlipIsToldWithItsLine(row: String, message: String) {
        let (rows, problems) = GrammarParser.rows(of: "ok = b\n" + row, family: "own")
        #expect(rows.map(\.name) == ["ok"])
        #expect(problems.count == 1 && problems[0].line == 2)
        #expect(problems.first?.message.contains(message) == true, "\(problems)")
    }

    @Test func namesThatNoRowHasAreTold() {
        let rows = GrammarParser.rows(of: "%global = a\na(x:nothing) = b %c", family: "own").rows
        let problems = ContentModelBuilder.build(.collada14, from: rows).problems
        #expect(Set(problems) == ["no row b", "no group c", "no simple type nothing"])
    }
}
