/// What reading a scene is made of, in the order in which it happens.
public enum BenchStage: String, Sendable, CaseIterable {
    /// The entry's packed bytes are got from the source.
    case read
    /// They are unpacked, size and checksum looked at.
    case inflate
    /// Markup becomes events.
    case markup
    /// The text of number arrays becomes numbers.
    case numbers
    /// Events become a document, and that a scene.
    case build
    /// What the scene refers to is found: other documents, which are read, and images; and its figures are put together.
    case resolve
}
