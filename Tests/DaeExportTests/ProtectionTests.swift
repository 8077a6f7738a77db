import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Classes of what must not be lost.
@Suite struct ProtectionTests {
    /// A lambert, a camera, a light of all around, physics, and a channel that leads nowhere.
    private static let document: SmallDocument = {
        var document = SmallDocument()
        document.libraries =
            SmallDocument.look("<lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>") + """
                <library_lights><light id="L"><technique_common><ambient><color>1 1 1</color></ambient>\
                </technique_common></light></library_lights>
                """
        document.nodes = SmallDocument.painted + "<node id=\"O\"><instance_light url=\"#L\"/></node>"
        return document
    }()

    private static func outcome(_ classes: Set<FidelityClass>) -> SceneExportError? {
        var options = ExportOptions()
        options.protected = classes
        do {
            _ = try Conversion(document.bytes, options: options)
            return nil
        } catch { return error as? SceneExportError }
    }

    @Test func onlyLossesOfTheClassesNamedEndTheConversion() throws {
        #expect(Self.outcome([]) == nil)
        #expect(Self.outcome([.geometry, .node, .animation, .image, .camera, .metadata]) == nil)
        let material = try #require(Self.outcome([.geometry, .material]))
        #expect(material.code == .convertLoss && material.message.contains("metal and roughness"))
        // All that was lost is told, whatever was protected.
        #expect(material.report?.losses.map(\.subject).contains(.lights) == true)
        #expect(Self.outcome([.light])?.message.contains("ambient lights") == true)
        #expect(Self.outcome(Set(FidelityClass.allCases))?.code == .convertLoss)
    }

    @Test func losslessMeansAllClasses() {
        var options = ExportOptions()
        #expect(!options.isLossless && options.protected.isEmpty)
        options.isLossless = true
        #expect(options.protected == Set(FidelityClass.allCases))
        options.protected.remove(.metadata)
        #expect(!options.isLossless)
    }

    @Test func thePixelsOfAnotherCodingAreNoLoss() throws {
        var document = SmallDocument()
        document.libraries = SmallDocument.look(
            "<constant><emission><texture texture=\"sampler\" texcoord=\"UV\"/></emission></constant>",
            parameters: SmallDocument.sampler())
        document.nodes = SmallDocument.painted
        let png = try Repository.bytes(at: Repository.fixtures + "/images/stripes.png")
        for (content, change) in [
            (ExportImages.Content.recoded(png, from: "tga"), FidelityReport.Change.recoded),
            (.converted(png, from: "dds"), .approximated),
        ] {
            let report = try Conversion(document.bytes, images: ExportImages(content: { _ in content })).report
            let entry = try #require(report.entries.first { $0.subject == .images })
            #expect(entry.change == change && report.losses(of: [.image]).isEmpty == (change == .recoded))
        }
    }

    @Test func everyChangeOfAReportHasItsClass() throws {
        let changes = try Conversion(Self.document.bytes).report.json
        let report = try JSONNode(parsing: changes.text(.compact))
        let classes = report["changes"]?.elements.compactMap { $0["class"]?.string } ?? []
        #expect(classes.contains("material") && classes.contains("light"))
        #expect(report["contents"]?["meshes"] == 1 && report["contents"]?["nodes"] == 2)
    }
}
