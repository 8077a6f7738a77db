/// Names that USD takes for prims: letters without accents, digits and underlines, none twice among siblings.
struct USDNames {
    private var names = UniqueNames(isCaseSensitive: true, separator: "_")

    /// Letters of a name at most: what is longer is kept beside it.
    private static let mostLetters = 64

    /// - Returns: The name, with a number behind it where it is taken.
    mutating func unique(_ name: String) -> String { names.unique(name) }

    /// What is left of a text; the second one where that is nothing.
    static func identifier(_ text: String?, or other: String) -> String {
        var name = ""
        for letter in (text ?? "").unicodeScalars.prefix(mostLetters) {
            let isKept = letter.isASCII && (letter.properties.isAlphabetic || ("0"..."9").contains(letter))
            name.unicodeScalars.append(isKept ? letter : "_")
        }
        guard let first = name.first(where: { $0 != "_" }) else { return other }
        return name.first == first && first.isNumber ? "_" + name : name
    }
}
