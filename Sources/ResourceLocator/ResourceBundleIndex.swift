// Apple's tools and SwiftPM move a target's files into `X.bundle/`, `X.bundle/Contents/Resources/` or
// `Package_Target.resources/`, below it the translated ones into `en.lproj/`, and add `@2x` for finer displays. A
// reference is written as if none of it were there.

import URIReference

/// Files in folders of resources, by the path that a reference to them has.
struct ResourceBundleIndex: Sendable {
    private let index: NameIndex

    init(_ paths: [String]) {
        var best: [String: (path: String, rank: Rank)] = [:]
        for path in paths where Self.mayBePacked(path) {
            guard let plain = PlainPath(path) else { continue }
            if let other = best[plain.place], other.rank <= plain.rank { continue }
            best[plain.place] = (path, plain.rank)
        }
        let chosen = Set(best.values.map { ExactName($0.path) })
        index = NameIndex(paths.filter { chosen.contains(ExactName($0)) }) { PlainPath($0)?.inside }
    }

    var isEmpty: Bool { index.isEmpty }

    func match(_ path: String, near folder: String) -> NameIndex.Match { index.match(path, near: folder) }

    /// A quick look, since most bundles have nothing of the kind.
    private static func mayBePacked(_ path: String) -> Bool {
        var name = path.utf8[...]
        while let byte = name.popFirst() {
            if byte == UInt8(ascii: "@") { return true }
            guard byte == UInt8(ascii: ".") else { continue }
            let ending = name.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
            if ending.endIndex != name.endIndex, endings.contains(where: { ending.elementsEqual($0.utf8) }) {
                return true
            }
        }
        return false
    }

    private static let endings = ["bundle", "scnassets", "resources", "lproj"]

    /// Which of several variants of one file is meant: the language comes first, then the scale.
    struct Rank: Comparable {
        let language: String
        let scale: Int

        static func < (left: Rank, right: Rank) -> Bool {
            left.language == right.language ? left.scale < right.scale : left.language < right.language
        }
    }

    /// A path without what packing added.
    private struct PlainPath {
        /// With the bundle's own folder: two files of one place are variants of each other.
        let place: String
        /// From the bundle's folder on.
        let inside: String
        let rank: Rank

        /// `nil` where packing added nothing.
        init?(_ path: String) {
            var parts = path.split(separator: "/")
            guard var name = parts.popLast() else { return nil }
            var language = ""
            var isPacked = false
            var inside = 0
            var plain: [Substring] = []
            for part in parts {
                if part.hasSuffix(".lproj") {
                    language = part == "Base.lproj" ? " 0" : part == "en.lproj" ? " 1" : String(part)
                    isPacked = true
                    continue
                }
                plain.append(part)
                let isBundle = [".bundle", ".scnassets", ".resources"].contains { part.hasSuffix($0) }
                let isLayout = part == "Contents" || part == "Resources"
                if isBundle || (isLayout && isPacked && inside == plain.count - 1) {
                    isPacked = true
                    inside = plain.count
                }
            }
            var scale = 1
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            let (stem, ending) = (name[..<dot], name[dot...])
            for (mark, factor) in [("@2x", 2), ("@3x", 3)] where stem.hasSuffix(mark) {
                name = stem.dropLast(mark.count) + ending
                scale = factor
                isPacked = true
            }
            guard isPacked else { return nil }
            place = (plain + [name]).joined(separator: "/")
            self.inside = (plain.dropFirst(inside) + [name]).joined(separator: "/")
            rank = Rank(language: language, scale: scale)
        }
    }
}
