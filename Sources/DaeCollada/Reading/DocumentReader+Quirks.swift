// What exporters write otherwise than it should be is read as it was meant where options say so; each repair is reported
// where it is made.

import DaeNumbers
import DaeSchema
import DaeXML

extension DocumentReader {
    /// Whether what is known to be written wrongly is read as it was meant.
    var repairs: Bool { options.repairs == .made }

    /// A number with a comma is none where nothing is mended.
    mutating func mended(_ value: Double?, _ issue: NumberIssue?) -> Double? {
        switch issue?.kind {
        case .decimalComma, .commaSeparator: repairs ? value : nil
        case .malformed, .outOfRange, .nonFinite, nil: value
        }
    }

    /// What a mesh may be expected to have, by who wrote its document.
    mutating func habits(_ mesh: ElementView) -> MeshMeasurer.Habits {
        guard repairs else { return .init() }
        // Where <vertices> are missing altogether the schema says so.
        let isReported = options.schema != .off && mesh.first(.vertices) == nil
        return .init(miscountsLines: isSketchUps, putsPositionsInPrimitives: !isReported && !isVersion13)
    }
}

extension AttributeName {
    /// Whether its text is the address of an element, which has a `#`.
    func isAddress(of element: ElementName) -> Bool {
        switch self {
        case .url, .source, .convexHullOf: true
        case .target: element == .instanceMaterial
        default: false  // element names: attributes are no addresses else, or those of sids
        }
    }
}
