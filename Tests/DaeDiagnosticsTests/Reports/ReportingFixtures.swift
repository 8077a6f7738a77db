@testable import DaeDiagnostics

/// Findings and sources that the tests of this module share.
enum Sample {
    static let tool = ReportTool(version: "1.2.3")

    static func finding(
        _ code: FindingCode, line: Int? = 7, id: String? = "g", index: String = "4", entry: String? = "m/a b.dae",
        message: String = "1 index is too large", fix: String? = nil
    ) -> Finding {
        Finding(
            code,
            at: Place(
                entry: entry, line: line, column: line == nil ? nil : 3,
                path: id.map { "/COLLADA/library_geometries/geometry[@id='\($0)']" }, elementID: id), message,
            arguments: [.init("index", index), .init("line", String(line ?? 0))],
            related: [Place(entry: entry, line: 2, column: 1)], fix: fix)
    }

    static func log(_ findings: [Finding], cap: Int = 100) -> FindingLog {
        var log = FindingLog(capPerCode: cap)
        for finding in findings { log.add(finding) }
        return log
    }

    static func source(_ findings: [Finding], name: String = "x/model.zip", failure: Finding? = nil) -> ReportedSource {
        ReportedSource(name: name, container: .archive, log: log(findings), failure: failure)
    }

    static func text(_ value: JSONValue) -> String { String(decoding: value.text(.compact), as: UTF8.self) }
}
