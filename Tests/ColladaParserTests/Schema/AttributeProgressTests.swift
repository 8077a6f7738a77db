import Testing

@testable import ColladaParser

@Suite struct AttributeProgressTests {
    private func check(
        _ parent: String, _ attributes: [(String, String)], _ version: SchemaVersion = .collada14
    ) throws -> (faults: [String], missing: [String]) {
        let models = ContentModels.models(for: version)
        let type = ElementType.ID(index: try #require(models.types.firstIndex { $0.name == parent }))
        var progress = AttributeProgress(type)
        var faults: [String] = []
        for (name, value) in attributes {
            let bytes = Array(value.utf8)
            switch progress.take(models.name(name), value: bytes.span, models) {
            case .valid: break
            case .unknown: faults.append("\(name) unknown")
            case .invalid(let fault):
                faults.append("\(name) is '\(fault.value)', not \(fault.expected) (\(fault.type))")
            }
        }
        return (faults, progress.missing(models))
    }

    @Test func attributesOfTheTypeAreValidAndThoseItNeedsAreMissed() throws {
        let right = try check("triangles", [("count", "12"), ("material", "m")])
        #expect(right.faults == [] && right.missing == [])
        #expect(try check("input_local_offset", [("semantic", "VERTEX")]).missing == ["offset", "source"])
        #expect(try check("accessor", [("count", "1")]).missing == [])
        #expect(try check("accessor", [("count", "1")], .collada15).missing == ["source"])
    }

    @Test func otherAttributesAndOtherTextsAreTold() throws {
        let wrong = try check("triangles", [("count", "-1"), ("material", "a b"), ("bogus", "1"), ("url", "#a")])
        #expect(
            wrong.faults == [
                "count is '-1', not a whole number from 0, of 64 bits (unsignedLong)",
                "material is 'a b', not an XML name (NCName)", "bogus unknown", "url unknown",
            ])
        #expect(
            try check("morph", [("method", "normalized"), ("source", "#a")]).faults == [
                "method is 'normalized', not one of NORMALIZED, RELATIVE (morph_method)"
            ])
    }

    @Test func anElementsTextMayBeEmptyWhereItHasADefault() throws {
        let models = ContentModels.models(for: .collada14)
        func fault(_ name: String, _ text: String, lenient isLenient: Bool = false) -> SimpleTypeFault? {
            let declaration = models.declarations.first { models.text($0.name) == name }
            let bytes = Array(text.utf8)
            return declaration.flatMap { models.fault(inTextOf: $0, bytes.span, lenient: isLenient) }
        }
        #expect(fault("up_axis", "") == nil)
        #expect(fault("up_axis", "Z_UP") == nil)
        #expect(fault("up_axis", "z_up")?.kind == .value)
        #expect(fault("created", "")?.kind == .date)
        #expect(fault("matrix", "1 0 0")?.kind == .length(found: 3))
        #expect(fault("mesh", "\n ") == nil)
        #expect(fault("mesh", " text")?.expected == "no text")
        #expect(fault("channel", "\n ")?.kind == .text)
        #expect(fault("channel", "\n ", lenient: true) == nil)
        #expect(fault("channel", "") == nil)
    }
}
