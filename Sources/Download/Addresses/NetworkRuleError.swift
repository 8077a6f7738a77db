/// A rule that cannot be understood, so that no list of rules silently lacks one.
public struct NetworkRuleError: Error, Sendable, CustomStringConvertible {
    /// As it was given, cut to 300 characters.
    public let text: String
    /// What was expected instead.
    public let reason: String

    init(_ text: String, _ reason: String) {
        self.text = PrintableText.clean(text)
        self.reason = reason
    }

    public var description: String { "\(text): \(reason)" }
}
