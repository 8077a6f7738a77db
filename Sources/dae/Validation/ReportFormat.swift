import ArgumentParser

/// The forms of a report of `dae validate`.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, md, junit
    case gltfReport = "gltf-report"

    /// Whether all sources make one report, which is written when the last has been read.
    var isOneReport: Bool {
        switch self {
        case .text, .json, .gltfReport: false
        case .sarif, .md, .junit: true
        }
    }
}
