import FoundationEssentials
import TestSupport
import Testing

/// `dae diff`, on a model and the same exported again.
@Suite struct DiffCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let walker = Repository.fixtures + "/bundles/walker.zip"

    /// The walker's folder with its document changed.
    private func changed(_ change: (String) -> String) throws -> String {
        let place = folder.path + "/changed"
        #expect(try Program.run(["unpack", Self.walker, "-d", place]).code == 0)
        let document = String(decoding: try Repository.bytes(at: place + "/walker.dae"), as: UTF8.self)
        return try folder.write(change(document), to: "changed/walker.dae")
    }

    @Test func whatDiffersIsNamed() throws {
        let other = try changed {
            $0.replacing("id=\"Cloth-material\" name=\"Cloth\"", with: "id=\"Wool-material\" name=\"Wool\"")
                .replacing("<xfov sid=\"xfov\">39.59775</xfov>", with: "<xfov sid=\"xfov\">40</xfov>")
        }
        let outcome = try Program.run(["diff", Self.walker, other])
        #expect(outcome.code == 1 && outcome.errors == "")
        #expect(
            outcome.text == """
                \(Self.walker) → \(other)   3 differences
                  - material Cloth-material
                  + material Wool-material
                  ~ camera View-camera: xfov 39.6 → 40

                """)
    }

    @Test func whatDiffersByLittleIsShownWithItsDigits() throws {
        let other = try changed { $0.replacing("39.59775", with: "39.599") }
        #expect(try Program.run(["diff", Self.walker, other]).text.contains("xfov 39.59775 → 39.599\n"))
    }

    @Test func theSameAgainDiffersInNothing() throws {
        // Rounded otherwise, and written at another time.
        let other = try changed {
            $0.replacing("<created>2024-01-01T00:00:00", with: "<created>2025-02-02T00:00:00")
                .replacing("39.59775", with: "39.597751")
        }
        let outcome = try Program.run(["diff", Self.walker, other])
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.text == "\(Self.walker) → \(other)   nothing differs\n")
    }

    @Test func programsGetValues() throws {
        let other = try changed { $0.replacing("39.59775", with: "40") }
        let outcome = try Program.run(["diff", "--format", "json", Self.walker, other])
        #expect(outcome.code == 1)
        #expect(
            outcome.text.contains(
                #""differences":[{"change":"changed","first":39.59775,"item":"View-camera","part":"cameras","property":"xfov","second":40}]"#
            ), "\(outcome.text)")
    }

    @Test func oneThatCannotBeReadIsNoDifference() throws {
        let outcome = try Program.run(["diff", Self.walker, folder.path + "/none.dae"])
        #expect(outcome.code == 3 && outcome.text == "")
        #expect(outcome.errors.contains("SOURCE_NOT_FOUND"))
        #expect(try Program.run(["diff", "-", "-"]).code == 64)
        #expect(try Program.run(["diff", Self.walker]).code == 64)
    }
}
