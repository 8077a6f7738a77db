// Text of a document in a message.

extension String {
    /// In quotes, with quotes, back-slashes and what cannot be seen escaped, and cut behind `limit` characters.
    package func quoted(_ limit: Int = 200) -> String { self[...].quoted(limit) }
}

extension Substring {
    /// In quotes, with quotes, back-slashes and what cannot be seen escaped, and cut behind `limit` characters.
    package func quoted(_ limit: Int = 200) -> String {
        // The library looks at each character, where nearly all text stands for itself.
        guard utf8.count <= limit, utf8.allSatisfy({ $0.isPlainInQuotes }) else {
            return prefix(limit).debugDescription
        }
        return "\"\(self)\""
    }
}

extension UInt8 {
    /// Whether it is a character that can be seen and that the library does not escape.
    fileprivate var isPlainInQuotes: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): false
        case 0x20..<0x7F: true
        default: false
        }
    }
}

/// What may be meant by a name that nothing has: people mistype codes, settings and commands.
package enum NearestName {
    /// Longer than any name that is asked for: nothing is near, and nothing long is compared.
    private static let mostBytes = 64

    /// The name that is nearest to a text; `nil` where none is so near that it may be meant.
    package static func of(_ text: String, among names: some Sequence<String>) -> String? {
        guard text.utf8.count <= mostBytes else { return nil }
        let letters = Array(text.utf8)
        let ranked = names.map { (name: $0, distance: distance(letters, Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // More than half of a short name changed makes any other of it.
        let isNear = best.distance <= max(2, letters.count / 4) && 2 * best.distance <= letters.count
        return isNear ? best.name : nil
    }

    /// Letters to add, drop or change.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, corner + (letter == right[column] ? 0 : 1))
                corner = above
            }
        }
        return row[right.count]
    }
}
