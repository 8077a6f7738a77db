/// Writes XML by hand, as exporters do.
enum Markup {
    /// An element with the attributes that are not `nil`.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ content: String = ""
    ) -> String {
        let written = attributes.map { name, value in value.map { " \(name)=\"\(escaped($0))\"" } ?? "" }.joined()
        return content.isEmpty ? "<\(name)\(written)/>\n" : "<\(name)\(written)>\(content)</\(name)>\n"
    }

    /// Without the white space that an attribute would lose.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t", "\r": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)  // strings
            }
        }
        return escaped
    }

    static func words(_ words: [String]) -> String { escaped(words.joined(separator: " ")) }

    /// The shortest texts that read back to the same numbers.
    static func numbers(_ numbers: some Sequence<Double>) -> String {
        numbers.map(\.description).joined(separator: " ")
    }

    /// Numbers that may be infinite, in the words of XML Schema.
    static func reals(_ numbers: [Double]) -> String {
        numbers.map { $0.isInfinite ? ($0 < 0 ? "-INF" : "INF") : $0.description }.joined(separator: " ")
    }

    static func integers(_ numbers: some Sequence<Int32>) -> String {
        numbers.map(\.description).joined(separator: " ")
    }
}

extension SIMD where Scalar == Double {
    var array: [Double] { indices.map { self[$0] } }
}
