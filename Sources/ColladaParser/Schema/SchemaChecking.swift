/// Whether a document is held against the schema of its version while it is read.
public enum SchemaChecking: String, Sendable, Hashable, CaseIterable {
    case off
    /// What a reader can live with is told as no more than that: another order of elements, and what the schema of 1.5
    /// left out by mistake. Documents of no namespace, or another, are held against the schema of their version.
    case lenient
    /// Every departure from the letter is an error.
    case strict
}
