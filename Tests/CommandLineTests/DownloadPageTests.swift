import Daedalus
import TestSupport
import Testing

/// The page about downloads knows everything that there is.
@Suite struct DownloadPageTests {
    private let page: String

    init() throws {
        let path = Repository.root + "/Sources/Daedalus/Daedalus.docc/Downloads.md"
        page = String(decoding: try Repository.bytes(at: path), as: UTF8.self)
    }

    @Test func everyOptionOfTheNetworkIsThere() throws {
        let help = try Program.run(["fetch", "--help"]).text
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != "THE NETWORK:" }.dropFirst().prefix { !$0.isEmpty }
        // What explains an option stands further right.
        let names = section.filter { $0.prefix(3).contains("-") }.flatMap { line in
            line.split { " ,".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init)
        }
        #expect(names.count >= 7, "\(names)")
        for name in names { #expect(page.contains("`\(name)"), "\(name)") }
    }

    @Test func everyCodeOfADownloadIsThere() {
        let codes = FindingCode.allCases.map(\.rawValue).filter { $0.hasPrefix("DOWNLOAD_") }
        #expect(codes.count >= 14)
        for code in codes { #expect(page.contains("`\(code)`"), "\(code)") }
    }

    @Test func nothingIsThereThatIsNot() {
        let named = page.matches(of: /`(DOWNLOAD_[A-Z_]+)`/).map { String($0.1) }
        for code in named { #expect(FindingCode(rawValue: code) != nil, "\(code)") }
    }
}
