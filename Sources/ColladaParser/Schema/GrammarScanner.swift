/// Walks over the text of one row.
struct GrammarScanner {
    struct Failure: Error {
        let message: String
    }
    private let bytes: ArraySlice<UInt8>
    private var at: Int

    init(_ row: ArraySlice<UInt8>) {
        bytes = row
        at = row.startIndex
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return at == bytes.endIndex
        }
    }

    /// The next byte, white space included; 0 at the end.
    var next: UInt8 { at < bytes.endIndex ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while at < bytes.endIndex, bytes[at] <= UInt8(ascii: " ") { at += 1 }
    }

    /// The next byte that is not white space; 0 at the end.
    mutating func peek() -> UInt8 {
        skipSpace()
        return next
    }

    /// Takes one byte if it comes next, white space before it left out.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    /// Takes one byte if it comes at once.
    mutating func takeAdjacent(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard take(character) else { throw failure("'\(character)' is expected") }
    }

    func failure(_ message: String) -> Failure {
        let end = min(at + 30, bytes.endIndex)
        return Failure(
            message: "\(message) before \(String(decoding: bytes[at..<end], as: UTF8.self).debugDescription)")
    }

    // MARK: - Words

    private mutating func run(_ isIncluded: (UInt8) -> Bool) -> String {
        let start = at
        while at < bytes.endIndex, isIncluded(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    /// A name, with its prefix where it has one of the two there are.
    mutating func name() throws(Failure) -> String {
        skipSpace()
        let first = run(Self.isNameByte)
        guard !first.isEmpty else { throw failure("a name is expected") }
        guard Self.prefixes.contains(first), takeAdjacent(":") else { return first }
        return first + ":" + run(Self.isNameByte)
    }
    private static let prefixes = ["xml", "mathml"]

    /// A default value: a word, or text within quotation marks.
    mutating func value() throws(Failure) -> String {
        guard takeAdjacent("\"") else { return run { Self.isNameByte($0) || "+-.".utf8.contains($0) } }
        let text = run { $0 != UInt8(ascii: "\"") }
        guard takeAdjacent("\"") else { throw failure("a quotation mark is expected") }
        return text
    }

    mutating func number() throws(Failure) -> Int {
        skipSpace()
        guard let number = Int(run { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw failure("a number is expected")
        }
        return number
    }

    /// All that is left, as words.
    mutating func words() -> [String] {
        var words: [String] = []
        while !isAtEnd { words.append(run { $0 > UInt8(ascii: " ") }) }
        return words
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false  // bytes: any other ends a name
        }
    }

    /// Whether a number of occurrences in braces comes at once, as in `source{3,}`; a content begins with a name.
    var isAtCount: Bool {
        guard next == UInt8(ascii: "{"), at + 1 < bytes.endIndex else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at + 1])
    }
}
