import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import TestSupport

/// Of handing a scene over to another format.
extension RuleScenario {
    static let conversions: [RuleScenario] = [
        RuleScenario(.convertNothingDrawable) {
            try convert(
                "REF_UNUSED.dae",
                text: { $0.replacing("<node", with: "<nothing").replacing("</node", with: "</nothing") })
        } near: {
            try convert("REF_UNUSED.dae")
        },
        RuleScenario(.convertTooLarge) {
            try convert { $0.byteLimit = 500 }
        } near: {
            try convert { $0.byteLimit = 5000 }
        },
        RuleScenario(.outputTooLarge) {
            try convert("SCENE_MULTIPLE_VISUAL_SCENES.dae", limit: { $0.output = 500 })
        } near: {
            try convert("SCENE_MULTIPLE_VISUAL_SCENES.dae", limit: { $0.output = 5000 })
        },
        RuleScenario(.convertWorkExceeded) {
            try convert("ANIMATION_FULL_TURN.dae", limit: { $0.evaluations = 1 })
        } near: {
            try convert("ANIMATION_FULL_TURN.dae", limit: { $0.evaluations = 10_000 })
        },
        RuleScenario(.convertLoss) {
            try convert("MATERIAL_SYMBOL_UNUSED.dae", options: { $0.isLossless = true })
        } near: {
            try convert { $0.isLossless = true }
        },
    ]

    private static func convert(options: (inout ExportOptions) -> Void) throws -> Set<FindingCode> {
        try convert("SCENE_MULTIPLE_VISUAL_SCENES.dae", options: options)
    }

    private static func convert(
        _ name: String, options: (inout ExportOptions) -> Void = { _ in },
        limit: (inout ConversionBudget.Limits) -> Void = { _ in }, text change: (String) -> String = { $0 }
    ) throws -> Set<FindingCode> {
        let text = change(String(decoding: try Repository.fixture("rules/" + name), as: UTF8.self))
        let parser = ColladaParser()
        try Array(text.utf8).withUnsafeBytes { try parser.read($0) }
        let scene = try parser.finish().document.scene().scene
        var settings = ExportOptions()
        options(&settings)
        var limits = ConversionBudget.Limits()
        limit(&limits)
        let folder = try TemporaryFolder()
        do throws(SceneExportError) {
            _ = try ExportFormat.glb.write(
                scene, to: folder.path + "/out.glb", options: settings, budget: ConversionBudget(limits))
            return []
        } catch { return [error.code] }
    }
}
