// Data and no switch: it is touched only when somebody asks, and the compiler reads a list faster than a long function.

/// What the catalogue says of one code at length, in plain sentences.
public struct Explanation: Sendable {
    public let code: FindingCode
    /// What it means and what comes of it.
    public let text: String
    /// Something that has the fault.
    public let example: String
    /// How to mend it.
    public let fix: String

    init(_ code: FindingCode, _ text: String, example: String, fix: String) {
        self.code = code
        self.text = text
        self.example = example
        self.fix = fix
    }

    /// Every code's, family by family.
    static let all: [Explanation] =
        download + asset + service + archive + bundle + markup + schema + links + sources + primitives + polygons
        + vertices
        + animation + curves + skins + skinData + scenes + materials + images + mechanics + performance + quirks

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    static subscript(code: FindingCode) -> Explanation? { byCode[code] }
}

extension FindingCode {
    /// The explanation of this code, with an example and a way to mend it.
    public var explanation: Explanation {
        Explanation[self] ?? Explanation(self, title + ".", example: "", fix: "")
    }
}
