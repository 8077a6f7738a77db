import DaeDiagnostics
import DaeXML

extension SchemaChecker {
    // MARK: - Texts

    mutating func reportText(_ bytes: Span<UInt8>, of index: Int) {
        open[index].text = .passed
        let found = String(bytes.extracting(first: 240))
        let words = String(found.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(60))
        let name = label(of: index)
        report(
            .schemaUnexpectedText, of: index,
            words.isEmpty
                ? "<\(name)> holds white space; expected nothing"
                : "<\(name)> holds the text \(words.quoted()); expected no text",
            [.init("element", name), .init("text", words)], fix: "Remove the text.")
    }

    func report(_ fault: SimpleTypeFault, ofTextOf index: Int) {
        // The reader makes something of these, and reports it by codes of their own.
        if isLenient, fault.isUnusualNumber {
            switch reader.textUse {
            case .read: return
            case .passed, .decoded: break
            }
        }
        let name = label(of: index)
        guard !isRepaired(fault, in: name), !isReportedAsAddress(fault, in: name) else { return }
        let type: SimpleType.ID?
        if case .simple(let simple) = models.types[Int(open[index].type)].content {
            type = simple
        } else {
            type = nil
        }
        report(fault, type, of: index, fault.message("<\(name)>"), [.init("element", name)])
    }

    func report(_ fault: SimpleTypeFault, _ type: SimpleType.ID, ofAttribute attribute: String, of index: Int) {
        let name = label(of: index)
        guard !isReportedElsewhere(attribute, of: name) else { return }
        guard !isRepaired(fault, of: attribute), !isReportedAsAddress(fault, in: name) else { return }
        // A reference without its # is reported by who follows it.
        if isLenient, fault.kind == .text, name == "input" { return }
        report(
            fault, type, of: index, fault.message("the \(attribute) of <\(name)>"),
            [.init("element", name), .init("attribute", attribute)], severity: Self.harmless[attribute])
    }

    /// Attributes that no reader goes by, or that are for people: less than the code's severity where all is not to be
    /// by the letter.
    private static let harmless: [String: Severity] = ["digits": .info, "magnitude": .info, "name": .info]

    private func report(
        _ fault: SimpleTypeFault, _ type: SimpleType.ID?, of index: Int, _ message: String,
        _ arguments: [Finding.Argument], severity: Severity? = nil
    ) {
        report(
            fault.code, of: index, message,
            arguments + [.init("found", fault.value), .init("expected", fault.expected)],
            fix: SchemaFix.text(for: fault, allowed: type.map(models.values) ?? []), severity: severity)
    }

    /// Whether another code reports it, be a schema asked for or not.
    func isReportedElsewhere(_ attribute: String, of element: String) -> Bool {
        guard isLenient else { return false }
        switch (element, attribute) {
        case ("COLLADA", "version"), ("unit", "meter"): return true
        default: return false  // strings: all else is reported here
        }
    }

    // MARK: - Findings

    /// About an open element.
    func report(
        _ code: FindingCode, of index: Int, _ message: String, _ arguments: [Finding.Argument], related: [Place] = [],
        fix: String? = nil, severity: Severity? = nil
    ) {
        let position = position(of: index)
        // A hint at what is understood is no departure from the letter.
        let severity = isLenient || severity == .hint ? severity ?? code.severity : .error
        reader.report(code, ofElementAt: position.byte, severity: severity) {
            Finding(
                code, at: place(of: index), message, arguments: arguments, related: related, fix: fix,
                severity: severity)
        }
    }

    /// About a child that is not taken for one.
    func report(
        _ code: FindingCode, of parent: Int, child: XMLName, at position: XMLPosition,
        _ message: @autoclosure () -> String,
        fix: ChildFix
    ) {
        let severity = isLenient ? code.severity : .error
        reader.report(code, ofElementAt: position.byte, severity: severity) {
            let name = String(child.localName.prefix(200))
            let expected = models.expected(progress(of: parent), lenient: isLenient)
            return Finding(
                code, at: place(ofChild: name, of: parent, at: position), "\(message()); \(Self.expected(expected))",
                arguments: [
                    .init("element", name), .init("parent", label(of: parent)),
                    .init("expected", expected.joined(separator: " ")),
                ], fix: text(of: fix, name, expected), severity: severity)
        }
    }

    private func text(of fix: ChildFix, _ name: String, _ expected: [String]) -> String? {
        switch fix {
        case .move: "Move <\(name)> before the elements that come after it in the schema."
        case .remove: "Remove this <\(name)>."
        case .rename: SchemaFix.word(like: name, among: expected).map { "Write <\($0)>." }
        }
    }

    /// `expected one of: a, b`.
    static func expected(_ names: [String]) -> String {
        switch names.count {
        case 0: "expected none"
        case 1: "expected \(names[0])"
        default: "expected one of: \(list(names))"
        }
    }

    static func list(_ names: [String]) -> String {
        names.prefix(mostNames).joined(separator: ", ") + (names.count > mostNames ? ", …" : "")
    }

    private static let mostNames = 40

    // MARK: - Places

    /// What an open element is called.
    func label(of index: Int) -> String {
        let name = open[index].name
        guard name < 0 else { return models.names[Int(name)] }
        return String(decoding: ownLabel(of: index), as: UTF8.self)
    }

    /// Its id, or for a name that the schema does not have the name.
    private func ownLabel(of index: Int) -> [UInt8] {
        let start = open[index].label
        let end = index + 1 < open.count ? open[index + 1].label : labels.count
        return Array(labels[start..<max(end, start)])
    }

    private func place(of index: Int) -> Place {
        if index == open.count - 1, let place = reader.place(ofElementAt: position(of: index)) {
            return place
        }
        return ownPlace(of: index)
    }

    private func place(ofChild name: String, of parent: Int, at position: XMLPosition) -> Place {
        if let place = reader.place(ofElementAt: position) { return place }
        var place = ownPlace(of: parent)
        (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
        place.path = (place.path ?? "") + "/" + name
        return place
    }

    /// For what the reader does not keep: without the number of an element among its siblings.
    private func ownPlace(of index: Int) -> Place {
        var place = Place(position(of: index))
        var path = ""
        for at in 0...index {
            path += "/" + label(of: at)
            let id = ownLabel(of: at)
            guard open[at].name >= 0, !id.isEmpty else { continue }
            let text = String(decoding: id, as: UTF8.self)
            place.elementID = text
            path += "[@id='\(text)']"
        }
        place.path = path
        return place
    }
}

extension SimpleTypeFault {
    var code: FindingCode {
        switch kind {
        case .value: .schemaInvalidEnum
        case .number, .range: .schemaInvalidNumber
        case .length: .schemaListLength
        case .name: .schemaInvalidID
        case .date: .schemaInvalidDate
        case .address, .text: .schemaInvalidValue
        }
    }

    /// - Parameter what: Whose text it is.
    func message(_ what: String) -> String {
        switch kind {
        case .length(let found): "\(what) has \(found) values; expected \(expected)"
        case .value, .number, .range, .name, .date, .address, .text:
            "\(what) is \(value.quoted()); expected \(expected)"
        }
    }

    /// Whether it is a number all the same: with a comma, or a word for one that is not finite.
    var isUnusualNumber: Bool {
        guard kind == .number else { return false }
        let lower = value.lowercased()
        return lower.contains(",") || lower.contains("nan") || lower.contains("inf") || lower.contains("#")
    }
}

// What the reader repairs it reports by codes of its own (QUIRK_…), so that a fault is not reported twice.

extension SchemaChecker {
    private var leavesQuirks: Bool { isLenient && reader.repairs }

    /// Whether the text of an element is one that the reader takes for what was meant.
    func isRepaired(_ fault: SimpleTypeFault, in element: String) -> Bool {
        guard leavesQuirks, reader.textUse == .read else { return false }
        switch (element, fault.kind) {
        case ("up_axis", .value): return ["X_UP", "Y_UP", "Z_UP"].contains(fault.value.uppercased())
        case ("color", .length(3)), ("border_color", .length(3)): return true
        case ("radius", .length(1)), ("radius1", .length(1)), ("radius2", .length(1)): return true
        case ("dynamic", .text), ("hollow", .text), ("enabled", .text), ("interpenetrate", .text):
            return isTruth(fault.value)
        case ("IDREF_array", .name), ("Name_array", .name), ("init_from", .name): return fault.value.hasPrefix("#")
        default: return false  // allowed: over texts, beside which the faults stand
        }
    }

    /// Whether the text of an attribute is one that the reader takes for what was meant.
    func isRepaired(_ fault: SimpleTypeFault, of attribute: String) -> Bool {
        leavesQuirks && attribute == "closed" && isTruth(fault.value)
    }

    private func isTruth(_ text: String) -> Bool { ["TRUE", "FALSE"].contains(text.uppercased()) }

    /// Whether the rules on addresses report it, which are held against a document that is examined.
    func isReportedAsAddress(_ fault: SimpleTypeFault, in element: String) -> Bool {
        guard isLenient, reader.isExamined, fault.kind == .address else { return false }
        guard fault.value.contains(where: { $0 == " " || $0 == "\\" }) else { return false }
        return Self.addressed.contains(element)
    }

    private static let addressed: Set<String> = [
        "convex_mesh", "init_from", "instance_animation", "instance_camera", "instance_controller", "instance_effect",
        "instance_geometry", "instance_light", "instance_material", "instance_node", "instance_visual_scene", "morph",
        "ref", "skeleton", "skin",
    ]

    /// Whether an element that stands a second time is read on from the first.
    func isRepaired(second child: String, in parent: String) -> Bool {
        guard leavesQuirks, child == "p" || child == "vcount" else { return false }
        return ["triangles", "lines", "polylist"].contains(parent)
    }
}

/// How a text is repaired, where that is mechanical.
enum SchemaFix {
    static func text(for fault: SimpleTypeFault, allowed: [String]) -> String? {
        switch fault.kind {
        case .value: word(like: fault.value, among: allowed).map { "Write \($0)." }
        case .name: name(fault.value).map { "Write \($0), here and wherever it is referred to." }
        case .date: date(fault.value).map { "Write \($0)." }
        case .number: number(fault.value).map { "Write \($0)." }
        case .range, .length, .address, .text: nil
        }
    }

    /// The only word that differs in case and marks alone.
    static func word(like text: String, among words: [String]) -> String? {
        let plain = letters(of: text)
        let alike = words.filter { letters(of: $0) == plain }
        return plain.isEmpty || alike.count != 1 ? nil : alike[0]
    }

    private static func letters(of text: String) -> [Character] {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func name(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count < 60 else { return nil }
        var name = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { XMLNameForm.isNCName(Array("a\(Character($0))".utf8).span) ? $0 : "_" }))
        if !XMLNameForm.isNCName(Array(name.utf8).span) { name = "_" + name }
        return name
    }

    private static func date(_ text: String) -> String? {
        let whole = [text + "T00:00:00", text.split(separator: " ").joined(separator: "T"), text + "Z"]
        return whole.first { DateForm.isDateTime(Array($0.utf8).span) }
    }

    private static func number(_ text: String) -> String? {
        let pointed = String(text.map { $0 == "," ? "." : $0 })
        return pointed != text && NumberForm.isReal(Array(pointed.utf8).span) ? pointed : nil
    }
}

// Eight bytes at a time, in an integer, or sixteen: the texts of markup are short.

/// What short texts consist of.
enum ShortText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func load<Word: FixedWidthInteger & BitwiseCopyable>(
        _ text: Span<UInt8>, _ at: Int, as type: Word.Type = Word.self
    ) -> Word {
        Word(littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: at, as: type))
    }

    /// `count` bytes (0...8) from `at` on, with 0 behind them; no byte beyond them is read.
    @inline(__always)
    private static func word(_ text: Span<UInt8>, _ at: Int, _ count: Int) -> UInt64 {
        switch count {
        case 8: return load(text, at)
        case 4..<8:
            // The bytes in the middle are read twice, and fall on themselves.
            let low = load(text, at, as: UInt32.self)
            let high = load(text, at &+ count &- 4, as: UInt32.self)
            return UInt64(low) | UInt64(high) &<< UInt64(8 &* (count &- 4))
        case 1..<4:
            let (middle, last) = (count >> 1, count &- 1)
            let low = UInt64(text[at])
            let mid = UInt64(text[at &+ middle]) &<< UInt64(8 &* middle)
            return low | mid | UInt64(text[at &+ last]) &<< UInt64(8 &* last)
        default: return 0
        }
    }

    // MARK: - White space

    /// Whether there is nothing but white space of XML.
    @inline(__always)
    static func isBlank(_ text: Span<UInt8>) -> Bool {
        let count = text.count
        // Nearly always a newline, and blanks behind it.
        var at = count > 0 && text[0] == 0x0A ? 1 : 0
        while at &+ 8 <= count {
            guard load(text, at) == 0x20 &* ones else { break }
            at &+= 8
        }
        let rest = count &- at
        if rest == 0 { return true }
        if rest < 8, count >= 8 {
            let beyond = UInt64(8 &* (8 &- rest))
            if load(text, count &- 8) &>> beyond == (0x20 &* ones) &>> beyond { return true }
        }
        return isBlank(text, from: at)
    }

    private static func isBlank(_ text: Span<UInt8>, from start: Int) -> Bool {
        for index in start..<text.count where !text[index].isSpace { return false }
        return true
    }

    // MARK: - Names

    /// Whether from `start` on it is a name of letters, digits and `-._` of ASCII alone, as nearly all are.
    @inline(__always)
    static func isName(_ text: Span<UInt8>, from start: Int = 0) -> Bool {
        let count = text.count &- start
        guard count > 0 else { return false }
        guard (text[start] | 0x20) &- UInt8(ascii: "a") < 26 || text[start] == UInt8(ascii: "_") else { return false }
        // Filled up with a letter, which says nothing.
        guard count >= 8 else { return areInNames(word(text, start, count) | fill(count)) }
        return NameBytes.areAll(text, from: start)
    }

    /// `a` behind the first so many bytes, fewer than eight.
    @inline(__always)
    private static func fill(_ count: Int) -> UInt64 {
        (UInt64(UInt8(ascii: "a")) &* ones) &<< UInt64(8 &* count)
    }

    /// Of eight bytes.
    @inline(__always)
    private static func areInNames(_ word: UInt64) -> Bool {
        // In each byte below 128 the high bit of a sum says whether it is at least, or above, a bound.
        let lower = word | 0x20 &* ones
        let letters = (lower &+ 0x1F &* ones) & ~(lower &+ 0x05 &* ones)
        let digits = (word &+ 0x50 &* ones) & ~(word &+ 0x46 &* ones)
        let marks = (word &+ 0x53 &* ones) & ~(word &+ 0x51 &* ones)
        let underscores = (word &+ 0x21 &* ones) & ~(word &+ 0x20 &* ones)
        return word & highs == 0 && (letters | digits | marks | underscores) & highs == highs
    }

    // MARK: - Words

    /// A text of at most ``longestWord`` bytes and without zeros, to be compared at once.
    struct Word: BitwiseCopyable, Equatable {
        let low: UInt64
        let high: UInt64
    }

    static let longestWord = 16

    /// `nil` for one that is empty or too long.
    @inline(__always)
    static func word(_ text: Span<UInt8>) -> Word? {
        guard (1...longestWord).contains(text.count) else { return nil }
        guard text.count > 8 else { return Word(low: word(text, 0, text.count), high: 0) }
        return Word(low: load(text, 0), high: word(text, 8, text.count &- 8))
    }
}
