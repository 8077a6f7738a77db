/// Names that USD takes for prims: letters without accents, digits and underlines, none twice among siblings.
struct USDNames {
    /// How often each was asked for.
    private var counts: [String: Int] = [:]

    /// Letters of a name at most: what is longer is kept beside it.
    private static let mostLetters = 64

    /// - Returns: The name, with a number behind it where it is taken.
    mutating func unique(_ name: String) -> String {
        var found = name
        while counts[found] != nil {
            let count = counts[name, default: 1] + 1
            counts[name] = count
            found = "\(name)_\(count)"
        }
        counts[found] = 1
        return found
    }

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
