/// A report in the shape of glTF-Validator's, without a time so that equal sources give equal bytes.
///
/// A message's `pointer` is the element's path, or the entry where no element is known; `entry`, `line` and `column`
/// stand beside it.
package struct GltfReport: Sendable {
    private let tool: ReportTool
    private let source: ReportedSource

    package init(_ source: ReportedSource, tool: ReportTool) {
        self.tool = tool
        self.source = source
    }

    package var json: JSONValue {
        let findings = source.findings
        let failures = source.failure.map { [$0] } ?? []
        let isTruncated = !findings.suppressed.isEmpty
        return [
            "uri": .string(source.uri(of: nil)), "mimeType": .string(mediaType),
            "validatorVersion": .string(tool.version), "validatedAt": nil,
            "issues": [
                "numErrors": JSONValue(source.total(.error)), "numWarnings": JSONValue(findings.total(.warning)),
                "numInfos": JSONValue(findings.total(.info)),
                "numHints": JSONValue(findings.total(.hint)),
                "messages": .array((failures + findings.messages).map(message)), "truncated": .bool(isTruncated),
            ], "info": source.statistics.map(info) ?? nil,
        ]
    }

    private var mediaType: String {
        switch source.container {
        case .document, .folder: "model/vnd.collada+xml"
        case .archive:
            source.name.lowercased().hasSuffix(".kmz") ? "application/vnd.google-earth.kmz" : "application/zip"
        }
    }

    private func message(_ finding: Finding) -> JSONValue {
        [
            "code": .string(finding.code.rawValue), "message": .string(finding.message),
            "severity": JSONValue(finding.severity.rank),
            "pointer": JSONValue(finding.place.path ?? finding.place.entry),
            "entry": JSONValue(finding.place.entry), "line": JSONValue(finding.place.line),
            "column": JSONValue(finding.place.column),
        ]
    }

    private func info(_ statistics: ReportedSource.Statistics) -> JSONValue {
        [
            "version": JSONValue(statistics.version), "generator": JSONValue(statistics.generator),
            "resources": .array(
                statistics.resources.enumerated().map { index, resource in
                    [
                        "pointer": .string("/images/\(index)"), "mimeType": JSONValue(resource.mediaType),
                        "storage": "external", "uri": JSONValue(resource.reference),
                        "byteLength": JSONValue(resource.bytes),
                        "image": ["width": JSONValue(resource.width), "height": JSONValue(resource.height)],
                    ]
                }), "animationCount": JSONValue(statistics.animations),
            "materialCount": JSONValue(statistics.materials),
            "hasMorphTargets": .bool(statistics.morphs > 0), "hasSkins": .bool(statistics.skins > 0),
            "hasTextures": .bool(!statistics.resources.isEmpty), "drawCallCount": JSONValue(statistics.drawCalls),
            "totalVertexCount": JSONValue(statistics.vertices), "totalTriangleCount": JSONValue(statistics.triangles),
        ]
    }
}
