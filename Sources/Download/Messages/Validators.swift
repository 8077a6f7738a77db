/// By what a server tells one version of a file from another, as it wrote it. Source: RFC 9110, 8.8.
struct Validators: Sendable, Hashable {
    /// With its quotes, and `W/` where it is weak.
    var etag: String?
    var lastModified: String?

    /// What a request for the rest of a file names, so that a changed file comes whole instead: a strong tag, else the
    /// date; `nil` where equal validators do not mean equal bytes.
    var strong: String? {
        if let etag { return etag.hasPrefix("W/") ? nil : etag }
        return lastModified
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }

    /// Whether another answer is of the same version, as far as both say.
    func contradict(_ other: Validators) -> Bool {
        if let etag, let tag = other.etag { return Self.opaque(etag) != Self.opaque(tag) }
        if let lastModified, let date = other.lastModified { return lastModified != date }
        return false
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
