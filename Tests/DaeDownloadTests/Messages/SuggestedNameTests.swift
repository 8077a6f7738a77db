import Testing

@testable import DaeDownload

@Suite struct SuggestedNameTests {
    @Test(arguments: [
        ("attachment; filename=\"a b.zip\"", "a b.zip"),
        ("attachment; filename=plain.zip", "plain.zip"),
        ("attachment; filename = spaced.zip ; size=7", "spaced.zip"),
        ("attachment;FILENAME=\"x;y.zip\"", "x;y.zip"),
        ("attachment; filename=\"say \\\"hi\\\".zip\"", "say _hi_.zip"),
        ("attachment; filename=\"old.zip\"; filename*=UTF-8''n%C3%A4her%20dran.zip", "näher dran.zip"),
        ("attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"),
        ("attachment; filename=\"..\\..\\evil.zip\"", "evil.zip"),
        ("attachment; filename=\"/\"", "path.dae"),
        ("attachment; filename=\"..\"", "path.dae"),
        ("attachment; filename=\"\"", "path.dae"),
        ("attachment; filename*=broken", "path.dae"),
        ("attachment", "path.dae"),
        ("", "path.dae"),
        ("attachment; filename=\"open", "open"),
        ("attachment; filename=\"a\u{0}b\u{1b}[0m\u{202e}c.zip\"", "ab[0mc.zip"),
        ("attachment; filename=\"-rf .bashrc. \"", "rf .bashrc"),
    ])
    func theProposedNameIsMadeSafe(disposition: String, name: String) {
        #expect(SuggestedName.make(disposition: Array(disposition.utf8), path: "/to/path.dae") == name)
    }

    @Test func aNameInLatin1IsRead() {
        let field = Array("attachment; filename=\"".utf8) + [0x73, 0xfc, 0xdf] + Array(".zip\"".utf8)
        #expect(SuggestedName.make(disposition: field, path: "/") == "süß.zip")
    }

    @Test(arguments: [
        ("/a/b.zip", "b.zip"), ("/", "download"), ("", "download"), ("/a/", "download"), ("/..", "download"),
        ("/a%2Fb%5Cc.zip", "c.zip"), ("/%", "%"), ("/%zz%4", "%zz%4"), ("/%+1.zip", "%+1.zip"), ("/%00", "download"),
        ("/.hidden", "hidden"), ("/what%3F.dae", "what_.dae"),
    ])
    func thePathsLastPartIsTheName(path: String, name: String) {
        #expect(SuggestedName.make(disposition: nil, path: path) == name)
    }

    @Test func aLongNameKeepsItsExtension() {
        let name = SuggestedName.sanitised(String(repeating: "ä", count: 300) + ".zip")
        #expect(name.utf8.count == 200)
        #expect(name.hasSuffix("ä.zip"))
        #expect(SuggestedName.sanitised(String(repeating: "a", count: 300)).utf8.count == 200)
        #expect(SuggestedName.sanitised("a." + String(repeating: "b", count: 300)).utf8.count == 200)
    }
}
