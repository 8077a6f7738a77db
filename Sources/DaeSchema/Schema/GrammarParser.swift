// Reads a family's text into rows. It recurses with the text's nesting, which is ours and four deep at most.

struct GrammarParser {
    private typealias Failure = GrammarScanner.Failure
    private var scanner: GrammarScanner

    /// The rows of a text, and what could not be read of it.
    static func rows(of text: String, family: String) -> (rows: [GrammarRow], problems: [GrammarProblem]) {
        let bytes = Array(text.utf8)
        var rows: [GrammarRow] = []
        var problems: [GrammarProblem] = []
        for (line, range) in rowRanges(bytes) {
            var parser = GrammarParser(scanner: GrammarScanner(bytes[range]))
            do throws(GrammarScanner.Failure) {
                rows.append(try parser.row(line: line))
            } catch {
                problems.append(GrammarProblem(family: family, line: line, message: error.message))
            }
        }
        return (rows, problems)
    }

    /// A row begins at the start of a line and goes on over lines that are set in; `#` begins a line of comment.
    private static func rowRanges(_ bytes: [UInt8]) -> [(line: Int, range: Range<Int>)] {
        var ranges: [(line: Int, range: Range<Int>)] = []
        var number = 0
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            number += 1
            switch bytes[start] {
            case UInt8(ascii: "#"), UInt8(ascii: "\n"): break
            case UInt8(ascii: " "):
                if let last = ranges.popLast() { ranges.append((last.line, last.range.lowerBound..<end)) }
            default: ranges.append((number, start..<end))  // bytes: anything else begins a row
            }
            start = end + 1
        }
        return ranges
    }

    // MARK: - Rows

    private mutating func row(line: Int) throws(Failure) -> GrammarRow {
        if scanner.take("%") {
            let (name, versions) = try head()
            try scanner.expect("=")
            return GrammarRow(name: name, versions: versions, meaning: .group(try allParticles()), line: line)
        }
        let (name, versions) = try head()
        if name == "type", scanner.peek() != UInt8(ascii: "=") {
            let (name, versions) = try head()
            try scanner.expect("=")
            return GrammarRow(name: name, versions: versions, meaning: .simple(try simpleType()), line: line)
        }
        var type = GrammarType(attributes: try attributes())
        if scanner.take(":") {
            type.content = .simple(try typeReference())
        } else if scanner.take("="), !scanner.isAtEnd {
            type.content = try content()
        }
        guard scanner.isAtEnd else { throw scanner.failure("the row should end") }
        return GrammarRow(name: name, versions: versions, meaning: .type(type), line: line)
    }

    private mutating func head() throws(Failure) -> (String, GrammarVersions) {
        (try scanner.name(), try versions())
    }

    /// `lost` before a content says that the schema leaves it out by mistake.
    private mutating func content() throws(Failure) -> GrammarType.Content {
        var copy = scanner
        guard try copy.name(orNothing: ()) == "lost" else { return .particles(try allParticles()) }
        scanner = copy
        return .lost(try allParticles())
    }

    private mutating func allParticles() throws(Failure) -> GrammarParticle {
        let particle = try particles()
        guard scanner.isAtEnd else { throw scanner.failure("the row should end") }
        return particle
    }

    private mutating func versions() throws(Failure) -> GrammarVersions {
        guard scanner.takeAdjacent("'") else { return .all }
        if scanner.takeAdjacent("4") { return .only(.collada14) }
        if scanner.takeAdjacent("5") { return .only(.collada15) }
        throw scanner.failure("a version, 4 or 5, is expected")
    }

    // MARK: - Attributes

    private mutating func attributes() throws(Failure) -> [GrammarAttribute] {
        guard scanner.takeAdjacent("(") else { return [] }
        var attributes: [GrammarAttribute] = []
        while !scanner.take(")") {
            let name = try scanner.name()
            let use = scanner.takeAdjacent("!") ? AttributeRule.Use.required : .optional
            try scanner.expect(":")
            attributes.append(
                GrammarAttribute(
                    name: name, type: try typeReference(), use: use, defaultValue: try defaultValue(),
                    versions: try versions()))
        }
        return attributes
    }

    private mutating func typeReference() throws(Failure) -> GrammarTypeReference {
        let name = try scanner.name()
        guard scanner.takeAdjacent("[") else { return GrammarTypeReference(name: name, shape: .one) }
        let length = scanner.peek() == UInt8(ascii: "]") ? nil : try scanner.number()
        try scanner.expect("]")
        return GrammarTypeReference(name: name, shape: .list(length: length))
    }

    private mutating func defaultValue() throws(Failure) -> String? {
        scanner.takeAdjacent("=") ? try scanner.value() : nil
    }

    // MARK: - Particles

    /// A sequence, or alternatives with `|` between them, up to a closing bracket or the end.
    private mutating func particles() throws(Failure) -> GrammarParticle {
        var terms: [GrammarParticle] = []
        var bars = 0
        while true {
            if scanner.take("|") { bars += 1 }
            switch scanner.peek() {
            case 0, UInt8(ascii: ")"), UInt8(ascii: "}"):
                guard bars == 0 || bars == terms.count - 1 else {
                    throw scanner.failure("either all or none are parted by '|'")
                }
                return GrammarParticle(
                    term: bars == 0 ? .sequence(terms) : .choice(terms), occurrence: .once, versions: .all)
            default: terms.append(try particle())  // bytes: anything else begins a particle
            }
        }
    }

    private mutating func particle() throws(Failure) -> GrammarParticle {
        let term: GrammarParticle.Term
        if scanner.take("(") {
            term = try particles().term
            try scanner.expect(")")
        } else if scanner.take("%") {
            term = .group(try scanner.name())
        } else {
            let element = try element()
            if element.name == "any", case .ownRow = element.body { term = .any } else { term = .element(element) }
        }
        return GrammarParticle(term: term, occurrence: try occurrence(), versions: try versions())
    }

    private mutating func element() throws(Failure) -> GrammarElement {
        let name = try scanner.name()
        let body = try body()
        return GrammarElement(name: name, body: body, defaultValue: try defaultValue())
    }

    private mutating func body() throws(Failure) -> GrammarElement.Body {
        let isLocal = scanner.next == UInt8(ascii: "(")
        let attributes = try attributes()
        if !scanner.isAtCount, scanner.takeAdjacent("{") {
            let content = scanner.peek() == UInt8(ascii: "}") ? nil : try particles()
            try scanner.expect("}")
            return .local(GrammarType(attributes: attributes, content: content.map { .particles($0) } ?? .empty))
        }
        guard scanner.takeAdjacent(":") else {
            return isLocal ? .local(GrammarType(attributes: attributes)) : .ownRow
        }
        let type = try typeReference()
        return isLocal ? .local(GrammarType(attributes: attributes, content: .simple(type))) : .reference(type)
    }

    private mutating func occurrence() throws(Failure) -> Occurrence {
        if scanner.takeAdjacent("?") { return Occurrence(least: 0, most: 1) }
        if scanner.takeAdjacent("*") { return Occurrence(least: 0, most: nil) }
        if scanner.takeAdjacent("+") { return Occurrence(least: 1, most: nil) }
        guard scanner.takeAdjacent("{") else { return .once }
        let least = try scanner.number()
        var most: Int? = least
        if scanner.take(",") { most = scanner.peek() == UInt8(ascii: "}") ? nil : try scanner.number() }
        try scanner.expect("}")
        return Occurrence(least: least, most: most)
    }
}

extension GrammarScanner {
    /// The next name; empty where none comes.
    mutating func name(orNothing: Void) throws(Failure) -> String {
        switch peek() {
        case UInt8(ascii: "("), UInt8(ascii: "%"): ""
        default: try name()  // bytes: anything else must be a name
        }
    }
}

// MARK: - Simple types

extension GrammarParser {
    /// `BASE`, `BASE enum A B C`, `BASE 0..1`, `BASE 0..<8`, `BASE like FORM`, `union A B C`.
    private mutating func simpleType() throws(GrammarScanner.Failure) -> GrammarSimpleType {
        let base = try typeReference()
        let words = scanner.words()
        if base.name == "union" { return GrammarSimpleType(base: base, rule: .union(words)) }
        guard let first = words.first else { return GrammarSimpleType(base: base, rule: .same) }
        switch (first, words.count) {
        case ("enum", 2...): return GrammarSimpleType(base: base, rule: .values(Array(words.dropFirst())))
        case ("like", 2):
            guard let form = TextForm(rawValue: words[1]) else { throw scanner.failure("no form \(words[1])") }
            return GrammarSimpleType(base: base, rule: .form(form))
        case (_, 1):
            guard let range = SimpleTypeRange(first) else { throw scanner.failure("no range \(first)") }
            return GrammarSimpleType(base: base, rule: .range(range))
        default: throw scanner.failure("no simple type")  // strings: nothing else narrows a type
        }
    }
}

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

/// The rows of one version, found by name.
struct GrammarRows {
    private var types: [GrammarType] = []
    private var groups: [GrammarParticle] = []
    private var simpleTypes: [GrammarSimpleType] = []
    /// Numbers in the lists above; those of groups begin with `%`, those of simple types with a space.
    private var numbers: [String: Int] = [:]
    /// Names that stand in two rows.
    private(set) var repeated: [String] = []

    init(_ rows: [GrammarRow], _ version: SchemaVersion) {
        for row in rows where row.versions.includes(version) {
            let known: Int?
            switch row.meaning {
            case .type(let type):
                known = numbers.updateValue(types.count, forKey: row.name)
                types.append(type)
            case .group(let particle):
                known = numbers.updateValue(groups.count, forKey: "%" + row.name)
                groups.append(particle)
            case .simple(let type):
                known = numbers.updateValue(simpleTypes.count, forKey: " " + row.name)
                simpleTypes.append(type)
            }
            if known != nil { repeated.append(row.name) }
        }
    }

    func type(_ name: String) -> GrammarType? { numbers[name].map { types[$0] } }
    func group(_ name: String) -> GrammarParticle? { numbers["%" + name].map { groups[$0] } }
    func simpleType(_ name: String) -> GrammarSimpleType? { numbers[" " + name].map { simpleTypes[$0] } }
}
