import Glibc
import TestSupport
import Testing

/// The documentation leads to what is there.
@Suite struct DocumentationPathTests {
    private static let articles = "/Sources/Daedalus/Daedalus.docc/"

    private static func pages() throws -> [String] {
        let all = try Repository.files(below: Repository.root + articles).filter { $0.hasSuffix(".md") }
        return ["/README.md"] + all.map { articles + $0 }
    }

    @Test(arguments: try pages()) func everyFileThatAPageNamesIsThere(_ page: String) throws {
        let text = String(decoding: try Repository.bytes(at: Repository.root + page), as: UTF8.self)
        for match in text.matches(of: /`((Sources|Tests|Fixtures|scripts)\/[^`\s]+)`/) {
            // In a name, CODE stands for any finding's code.
            let path = match.output.1.replacing("CODE.", with: "COLOR_OUT_OF_RANGE.")
            #expect(access(Repository.root + "/" + path, F_OK) == 0, "\(path)")
        }
        let sources = try Set(
            Repository.files(below: Repository.root + "/Sources").map { $0.split(separator: "/").last })
        for match in text.matches(of: /`([A-Za-z+]+\.swift)`/) {
            #expect(sources.contains(match.output.1), "\(match.output.1)")
        }
    }
}
