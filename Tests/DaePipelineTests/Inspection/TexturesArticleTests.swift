import DaeDiagnostics
import DaeImages
import DaePipeline
import DaeResources
import TestSupport
import Testing

/// The article on textures names all there is.
@Suite struct TexturesArticleTests {
    private let article: String

    init() throws {
        let bytes = try Repository.fixture("../Sources/Daedalus/Daedalus.docc/Textures.md")
        article = String(decoding: bytes, as: UTF8.self)
    }

    private func section(_ title: String) throws -> [Substring] {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "### \(title)" })
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("### ") })
    }

    /// The cells of a table's rows behind its head.
    private func cells(_ title: String) throws -> [[String]] {
        let rows = try section(title).filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") }.map { row in
            row.split(separator: "|").map { String($0.trimmed) }
        }
        return Array(rows)
    }

    @Test func everyRuleStandsInItsPlaceWithItsTitleAndName() throws {
        let rows = try cells("Rules").filter { Int($0[0]) != nil }
        #expect(rows.map { $0[0] } == ResolutionRule.allCases.indices.map { String($0 + 1) })
        #expect(rows.map { $0[1] } == ResolutionRule.allCases.map(\.title))
        #expect(rows.map { $0[2] } == ResolutionRule.allCases.map { "`\($0.rawValue)`" })
        let words = Resolution.Confidence.allCases.map(\.rawValue)
        for row in rows { #expect(words.contains { row[3].hasPrefix($0) }, "\(row)") }
    }

    @Test func everyConfidenceIsExplained() throws {
        let lines = try section("Rules")
        for confidence in Resolution.Confidence.allCases {
            #expect(lines.contains { $0.hasPrefix("- `\(confidence.rawValue)`: ") })
        }
    }

    @Test func everyStatusIsARow() throws {
        let rows = try cells("Statuses").filter { $0[0].hasPrefix("`") }
        #expect(rows.map { $0[0] } == Resolution.Status.allCases.map { "`\($0.rawValue)`" })
        let blocked = try #require(rows.first { $0[0] == "`blocked`" })
        for reason in Resolution.BlockedReason.allCases { #expect(blocked[1].contains(reason.text)) }
    }

    @Test func everyFaultIsARowAndEveryFormatIsNamed() throws {
        let rows = try cells("What is told of a file").filter { $0[0].hasPrefix("`") }
        #expect(rows.map { $0[0] } == Inspection.ImageRow.Fault.allCases.map { "`\($0.rawValue)`" })
        for format in ImageFormat.allCases { #expect(article.contains("`\(format.rawValue)`")) }
    }

    @Test func everyCodeIsOne() {
        let known = Set(FindingCode.allCases.map(\.rawValue))
        let codes = article.split(separator: "`").filter { word in
            word.contains("_") && word.allSatisfy { $0.isUppercase || $0 == "_" }
        }
        #expect(codes.count > 8)
        for code in codes { #expect(known.contains(String(code)), "\(code)") }
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0 == " " }.reversedDrop }
    private var reversedDrop: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
