// `DAE_UPDATE_GOLDEN=1` writes the page anew.

import DaeDiagnostics
import FoundationEssentials
import TestSupport
import Testing

@Suite struct CatalogueTests {
    private static let page = Repository.root + "/Sources/Daedalus/Daedalus.docc/Findings.md"

    @Test(arguments: FindingCode.allCases)
    func everyCodeIsExplainedInWholeSentences(_ code: FindingCode) {
        let explanation = code.explanation
        #expect(explanation.code == code)
        for text in [explanation.text, explanation.fix] {
            #expect(text.count >= 10 && text.count <= 320)
            #expect(text.hasSuffix(".") || text.hasSuffix(">") || text.hasSuffix("?"), "\(text)")
            #expect(
                text.first?.isLowercase == false || text.hasPrefix("doc.kml") || text.hasPrefix("manifest.xml")
                    || text.hasPrefix("package://") || text.hasPrefix("model://") || text.hasPrefix("bind_shape"),
                "\(text)")
        }
        #expect(!explanation.example.isEmpty && explanation.text != code.title + ".")
        #expect(!code.title.hasSuffix("."))
    }

    @Test func noTextServesTwoCodes() {
        #expect(Set(FindingCode.allCases.map(\.explanation.text)).count == FindingCode.allCases.count)
        #expect(Set(FindingCode.allCases.map(\.title)).count == FindingCode.allCases.count)
    }

    @Test func thePageOfTheDocumentationIsMadeFromTheCatalogue() throws {
        let text = CataloguePage.documentation
        if Repository.environment("DAE_UPDATE_GOLDEN") == "1" {
            try Data(text.utf8).write(to: URL(filePath: Self.page))
        }
        let isCurrent = try Repository.bytes(at: Self.page) == Array(text.utf8)
        #expect(isCurrent, "Findings.md is out of date; DAE_UPDATE_GOLDEN=1 writes it anew")
        for code in FindingCode.allCases { #expect(text.contains("\n### \(code.rawValue)\n")) }
    }
}
