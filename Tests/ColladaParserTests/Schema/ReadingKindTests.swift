// How the reader takes an element's text, and what the table says the text is, must agree.

import Testing

@testable import ColladaParser

@Suite struct ReadingKindTests {
    /// Names of 1.3, and of what exporters write, that neither schema has.
    private static let foreign: Set<String> = ["array", "boundingbox", "instance", "library"]
    /// Known by name, but their texts are not taken yet: they are wanted by no part of the reader.
    private static let unread: Set<ElementName> = [
        .altitude, .angle, .angularVelocity, .authorEmail, .authorWebsite, .bool, .bool2, .bool3, .bool4, .code,
        .constantAttenuation, .damping, .density, .direction, .dynamic, .dynamicFriction, .enabled, .enum,
        .equation, .exact, .falloffAngle, .falloffExponent, .float2x2, .float3x3, .float4x4, .focal, .gravity,
        .halfExtents, .height, .hollow, .inertia, .inline, .int, .int2, .int3, .int4, .interpenetrate, .latitude,
        .layer, .linearAttenuation, .longitude, .mass, .mipLevels, .mipmapGenerate, .orient, .origin,
        .quadraticAttenuation, .radius, .radius1, .radius2, .restitution, .semantic, .sidref, .staticFriction,
        .stiffness, .string, .targetValue, .timeStep, .tokenArray, .velocity, .viewportRatio,
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

    @Test(arguments: ElementName.allCases) func theReaderTakesWhatTheTableSays(name: ElementName) {
        let entry = ElementEntry(name)
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
        case .reals: #expect(facts.texts == ["double[]"], "\(name.rawValue)")
        case .integers: #expect(facts.texts.isSubset(of: ["long[]", "unsignedLong[]"]) && !facts.texts.isEmpty)
        case .hex: #expect(facts.texts == ["hexBinary[]"], "\(name.rawValue)")
        case .raw, .skipped: break
        }
    }

    @Test func aSourceOfASamplerIsText() {
        let models = ContentModels.models(for: .collada14)
        let inSampler = models.declarations.filter { declaration in
            models.text(declaration.name) == "source" && models[declaration.type].name == "NCName"
        }
        #expect(!inSampler.isEmpty)
        #expect(ElementEntry(.source).within(.sampler2D).content == .text)
        #expect(ElementEntry(.source).within(.mesh).content == .elements)
    }
}
