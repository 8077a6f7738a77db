import TestSupport
import Testing

/// A fixture that has a golden file beside it.
struct GoldenCase: CustomTestStringConvertible {
    /// Below `Fixtures/`.
    let path: String
    /// Below `Fixtures/`.
    let golden: String

    static let ending = ".inspect.json"
    static let folders = ["documents", "bundles"]

    /// Each document, and each bundle: `x.dae` with `x.inspect.json`, `y.zip` with `y.zip.inspect.json`, for a bundle
    /// may come in several wrappings.
    static let all: [GoldenCase] =
        Repository.fixtureNames(in: "documents").filter { $0.hasSuffix(".dae") }.map {
            GoldenCase(path: "documents/\($0)", golden: "documents/\($0.dropLast(4))\(ending)")
        }
        + Repository.fixtureNames(in: "bundles").filter { name in
            ["dae", "zip", "zae", "kmz"].contains { name.hasSuffix("." + $0) }
                || Repository.isFolder(fixture: "bundles/\(name)")
        }.map { GoldenCase(path: "bundles/\($0)", golden: "bundles/\($0)\(ending)") }

    var testDescription: String { path }

    func outcome(chunkSize: Int = 64 * 1024) -> Outcome {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return Outcome(path: "\(Repository.fixtures)/\(path)", input: name, chunkSize: chunkSize)
    }
}
