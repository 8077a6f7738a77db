// The same text of a statement is for SQLite and for PostgreSQL, which have different marks for its arguments.

/// The places of a statement's arguments.
enum Placeholders {
    /// The statement with `$1`, `$2` and so on for each `?` that is no part of a literal, a quoted name or a comment.
    ///
    /// - Complexity: O(length).
    static func numbered(_ sql: String) -> String {
        guard sql.utf8.contains(mark) else { return sql }
        var scanner = Scanner(bytes: Array(sql.utf8))
        var (output, count) = ([UInt8](), 0)
        output.reserveCapacity(scanner.bytes.count + 16)
        while let piece = scanner.next() {
            if scanner.bytes[piece].elementsEqual(CollectionOfOne(mark)) {
                count += 1
                output += "$\(count)".utf8
            } else {
                output += scanner.bytes[piece]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let mark = UInt8(ascii: "?")

    /// Parts a statement into words, quoted things, comments and lone bytes.
    private struct Scanner {
        let bytes: [UInt8]
        private var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Range<Int>? {
            guard index < bytes.count else { return nil }
            let start = index
            let byte = bytes[index]
            if Self.isOfWord(byte) {
                while index < bytes.count, Self.isOfWord(bytes[index]) || bytes[index] == UInt8(ascii: "$") {
                    index += 1
                }
                // E'…', in which a back-slash takes the next byte along.
                if index - start == 1, byte | 0x20 == UInt8(ascii: "e"), at(index) == UInt8(ascii: "'") {
                    skipQuoted(hasEscapes: true)
                }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                skipQuoted(hasEscapes: false)
            } else if has("--") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
                    index += 1
                }
            } else if has("/*") {
                skipComment()
            } else if byte == UInt8(ascii: "$") {
                skipDollars()
            } else {
                index += 1
            }
            return start..<index
        }

        private mutating func skipQuoted(hasEscapes: Bool) {
            let quote = bytes[index]
            index += 1
            while index < bytes.count {
                if hasEscapes, bytes[index] == UInt8(ascii: "\\") {
                    index = min(index + 2, bytes.count)
                } else if bytes[index] != quote {
                    index += 1
                } else if at(index + 1) == quote {
                    index += 2
                } else {
                    index += 1
                    return
                }
            }
        }

        /// Comments nest.
        private mutating func skipComment() {
            var depth = 0
            repeat {
                if has("/*") {
                    (depth, index) = (depth + 1, index + 2)
                } else if has("*/") {
                    (depth, index) = (depth - 1, index + 2)
                } else {
                    index += 1
                }
            } while depth > 0 && index < bytes.count
        }

        /// `$tag$…$tag$`; a lone dollar where there is no tag.
        private mutating func skipDollars() {
            var end = index + 1
            while end < bytes.count, Self.isOfWord(bytes[end]) { end += 1 }
            let startsWithDigit = at(index + 1).map { (0x30...0x39).contains($0) } ?? false
            guard at(end) == UInt8(ascii: "$"), !startsWithDigit else {
                index += 1
                return
            }
            let tag = bytes[index...end]
            index = end + 1
            while index < bytes.count, !bytes[index...].starts(with: tag) { index += 1 }
            index = min(index + tag.count, bytes.count)
        }

        private func at(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

        private func has(_ text: StaticString) -> Bool {
            bytes[index] == text.utf8Start[0] && at(index + 1) == text.utf8Start[1]
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF,
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
