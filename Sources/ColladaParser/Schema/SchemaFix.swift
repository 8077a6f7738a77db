/// What mends a text, where that is mechanical.
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
