// Materials of real models: none loses its texture without a word.

import DaeCollada
import DaeDiagnostics
import DaeScene
import FoundationEssentials
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct CorpusMaterialTests {
    private static let textureCodes: Set<FindingCode> = [
        .textureSamplerUnresolved, .textureSurfaceUnresolved, .refUnresolved, .refWrongType, .refExternalUnresolved,
    ]

    @Test func everyTextureIsInTheSceneOrTold() throws {
        let corpus = try #require(Repository.corpus)
        var tally = Tally()
        for path in try Repository.files(below: corpus) where path.lowercased().hasSuffix(".dae") {
            let outcome = Outcome([UInt8](try Data(contentsOf: URL(filePath: "\(corpus)/\(path)"))))
            guard outcome.failure == nil else { continue }
            let effects = Dictionary(
                outcome.document.effects.compactMap { effect in effect.id.map { ($0, effect) } },
                uniquingKeysWith: { first, _ in first })
            let told = outcome.findings.contains { Self.textureCodes.contains($0.code) }
            for material in outcome.scene.materials {
                tally.materials += 1
                guard let effect = material.effectID.flatMap({ effects[$0] }) else { continue }
                for (slot, value) in effect.common?.slots ?? [:] {
                    guard case .texture(let texture) = value else { continue }
                    tally.textures += 1
                    if let found = material[slot]?.texture {
                        #expect(outcome.scene.images.indices.contains(found.image.value))
                        tally.found += 1
                    } else if Self.isNull(texture, effect) {
                        tally.null += 1
                    } else {
                        #expect(told, "\(path): \(slot) of \(material.id ?? "a material")")
                        tally.told += 1
                    }
                }
                tally.add(material)
            }
            tally.add(outcome)
        }
        print(tally.text)
        #expect(tally.textures > 140 && tally.found > tally.textures * 9 / 10)
    }

    /// Whether the file says itself that there is no image yet.
    private static func isNull(_ texture: ColladaDocument.Technique.Texture, _ effect: ColladaDocument.Effect) -> Bool {
        guard case .sampler(let sampler)? = effect.parameters[texture.sampler],
            case .surface(let surface)? = effect.parameters[sampler.surface ?? ""]
        else { return false }
        return surface.images.allSatisfy(\.isEmpty)
    }

    private struct Tally {
        var materials = 0
        var textures = 0
        var found = 0
        var null = 0
        var told = 0
        private var opacities: [String: Int] = [:]
        private var details: [String: Int] = [:]
        private var sides: [String: Int] = [:]
        private var rules: [String: Int] = [:]
        private var codes: [String: Int] = [:]

        mutating func add(_ material: Material) {
            switch material.opacity {
            case .opaque: opacities["opaque", default: 0] += 1
            case .constant: opacities["constant", default: 0] += 1
            case .texture: opacities["texture", default: 0] += 1
            }
            for detail in material.details.keys { details[detail.rawValue, default: 0] += 1 }
            if let side = material.sides { sides["\(side)", default: 0] += 1 }
        }

        private static let shown: Set<FindingCode> = [
            .materialBindMissing, .materialSymbolUnbound, .materialSymbolUnused, .materialBindVertexInput,
            .texcoordMissing, .effectNoCommonProfile, .effectTechniqueUnknown, .effectParamUnresolved,
            .textureDirectImage, .textureTexcoordEmpty, .transparencySuspect, .textureSamplerUnresolved,
            .textureSurfaceUnresolved, .imageDataInvalid, .imageTooLarge, .imageEmptyURI,
        ]

        mutating func add(_ outcome: Outcome) {
            for finding in outcome.findings where Self.shown.contains(finding.code) {
                codes["\(finding.code.rawValue) \(finding.severity)", default: 0] += 1
            }
            let scene = outcome.scene
            for instance in scene.nodes.flatMap(\.instances) {
                guard case .geometry(let geometry, let bindings) = instance, let mesh = scene.geometries[geometry].mesh
                else { continue }
                for primitive in mesh.primitives {
                    guard let binding = bindings.first(where: { $0.symbol == primitive.material }),
                        let material = binding.material
                    else { continue }
                    for texture in scene.materials[material].textures {
                        let rule = binding.texcoords(for: texture.texcoord, in: primitive, of: mesh)?.rule
                        rules[rule.map { "\($0)" } ?? "none", default: 0] += 1
                    }
                }
            }
        }

        var text: String {
            let tables = [
                ("opacity", opacities), ("details", details), ("sides", sides), ("texcoords", rules), ("codes", codes),
            ]
            let lines = tables.map { name, table in
                "  \(name): " + table.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            }
            return
                "\(materials) materials of the corpus, \(textures) textures: \(found) found, \(null) without an image by intent, \(told) told\n"
                + lines.joined(separator: "\n")
        }
    }
}
