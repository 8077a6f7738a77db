// How the reader takes an element's text, and what the table says the text is, must agree.

import Testing

@testable import DaeSchema

@Suite struct ReadingKindTests {
    /// Names of 1.3, and of what exporters write, that neither schema has.
    private static let foreign: Set<String> = ["array", "boundingbox", "instance", "library"]
    /// Known by name, but their texts are not taken yet: they are wanted by no part of the reader.
    private static let unread: Set<ElementName> = [
        .bool2, .bool3, .bool4, .code, .enum, .exact, .float2x2, .float3x3, .float4x4, .inline, .int2, .int3,
        .int4, .layer, .mipLevels, .mipmapGenerate, .semantic, .string, .tokenArray, .viewportRatio,
    ]

    private struct Facts {
        /// Names of the simple types that the element's text has somewhere.
        var texts: Set<String> = []
        /// Whether it holds elements, or nothing, somewhere.
        var hasElements = false
    }

    private static let facts: [String: Facts] = {
        var facts: [String: Facts] = [:]
        for models in SchemaVersion.allCases.map(ContentModels.models) {
            for declaration in models.declarations {
                let name = models.text(declaration.name)
                switch models[declaration.type].content {
                case .simple(let type): facts[name, default: Facts()].texts.insert(models[type].name)
                case .empty, .children, .anything: facts[name, default: Facts()].hasElements = true
                }
            }
        }
        return facts
    }()

    private static let entries = Dictionary(uniqueKeysWithValues: ElementEntry.all().map { ($0.name, $0) })

    @Test(arguments: ElementName.allCases) func theReaderTakesWhatTheTableSays(name: ElementName) throws {
        let entry = try #require(Self.entries[name])
        #expect(!Self.unread.contains(name) || entry.content == .elements, "\(name.rawValue) is read by now")
        guard let facts = Self.facts[name.rawValue] else {
            #expect(Self.foreign.contains(name.rawValue), "\(name.rawValue) is in neither schema")
            return
        }
        switch entry.content {
        case .elements:
            #expect(
                facts.hasElements || Self.unread.contains(name),
                "\(name.rawValue) has texts only (\(facts.texts)): its family says nothing about how they are read")
        case .text: #expect(!facts.texts.isEmpty, "\(name.rawValue) has no text")
        // A source's integers are numbers like its others.
        case .reals: #expect(facts.texts == [name == .intArray ? "long[]" : "double[]"], "\(name.rawValue)")
        case .integers: #expect(facts.texts.isSubset(of: ["long[]", "unsignedLong[]"]) && !facts.texts.isEmpty)
        case .hex: #expect(facts.texts == ["hexBinary[]"], "\(name.rawValue)")
        case .raw, .skipped: break
        }
    }

    @Test(arguments: ElementFamily.all.map(\.name)) func aFamilysListsNameItsOwnElements(name: String) throws {
        let family = try #require(ElementFamily.all.first { $0.name == name })
        let words = Set(family.grammar.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        let listed = [
            family.units, family.texts, family.reals, family.integers, family.hexes, family.raws, family.extended,
            family.skipped,
        ]
        for element in listed.joined() where !Self.foreign.contains(element.rawValue) {
            #expect(words.contains(element.rawValue), "\(element.rawValue)")
        }
        let ways = [family.texts, family.reals, family.integers, family.hexes, family.raws, family.skipped]
        #expect(Set(ways.joined()).count == ways.joined().count, "an element is read in two ways")
    }

    @Test func aSourceOfASamplerIsText() throws {
        let models = ContentModels.models(for: .collada14)
        let inSampler = models.declarations.filter { declaration in
            models.text(declaration.name) == "source" && models[declaration.type].name == "NCName"
        }
        #expect(!inSampler.isEmpty)
        let vocabulary = ColladaVocabulary.shared
        let source = try #require(vocabulary.texts.firstIndex(of: "source").flatMap { vocabulary.element($0) })
        #expect(source.within(.sampler2D).content == .text)
        #expect(source.within(.mesh).content == .elements)
    }
}
