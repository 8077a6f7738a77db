// A lone document's bundle is the folder it lies in, but its root may be higher. Searching is done by paths from the
// root; callers have paths from the document's folder, some of which begin with `../`. Elsewhere the two are the same.

import URIReference

/// Turns paths from the root into paths from the document's folder, and back.
struct BundleFrame: Sendable, Hashable {
    /// The document's folder, from the root; "" where that is the root.
    let folder: String

    /// As callers have it. The path may begin with `../`, which then lead above the root.
    func outward(_ path: String) -> String {
        guard !folder.isEmpty else { return path }
        var own = folder.split(separator: "/")[...]
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        while parts.count > 1, let first = own.first, let part = parts.first, first.utf8.elementsEqual(part.utf8) {
            own.removeFirst()
            parts.removeFirst()
        }
        return (own.map { _ in ".." } + parts).joined(separator: "/")
    }

    /// As the search has it; `../` at its head lead above the root.
    func inward(_ path: String) -> String {
        guard !folder.isEmpty else { return path }
        let (levels, rest) = BundlePath.climb(path, from: folder)
        return String(repeating: "../", count: levels) + rest
    }
}
