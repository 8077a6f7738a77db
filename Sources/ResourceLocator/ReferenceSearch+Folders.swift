// Rules that keep the end of a reference and look for it in other folders.

import URIReference

extension ReferenceSearch {
    /// Parts of a path that are kept, its name among them.
    static let longestSuffix = 6

    /// The end of the reference's path, the longest first, below the document's folder and those around it.
    mutating func lookForSuffix(_ rule: ResolutionRule) -> Resolution.Outcome? {
        let places = places
        for tail in likelyTails {
            var length = tail.count
            while length > 1 {
                let suffix = tail.suffix(length)
                length -= 1
                for place in places {
                    let path = BundlePath.join(place, suffix)
                    if let outcome = look(at: path, rule, .likely) { return outcome }
                }
            }
        }
        // What lies beside the document is nearer than any folder of textures.
        for tail in likelyTails {
            if let outcome = look(at: BundlePath.join(folder, tail.name), rule, .likely) { return outcome }
        }
        return nil
    }

    /// The folders where textures usually lie.
    private static let siblings = ["textures/", "images/", "materials/textures/", "maps/"]
    /// All of them, for a report.
    private static let allSiblings = "{textures,images,materials/textures,maps}/"

    /// The reference's name in a folder of textures beside the document, or beside its folder.
    mutating func lookBeside(_ rule: ResolutionRule) -> Resolution.Outcome? {
        let places = places.prefix(2)
        for name in names {
            for place in places {
                guard mayExist(name) else {
                    note(rule, ground.frame.outward(BundlePath.join(place, Self.allSiblings + name)), .miss)
                    continue
                }
                for sibling in Self.siblings {
                    let path = BundlePath.join(place, sibling + name)
                    if let outcome = look(at: path, rule, .likely) { return outcome }
                }
            }
        }
        return nil
    }

    /// The reference among files that packing has moved.
    mutating func lookInResources(_ rule: ResolutionRule) -> Resolution.Outcome? {
        let resources = ground.indexes.resources
        for key in resources.isEmpty ? [] : resourceKeys {
            switch resources.match(key, near: folder) {
            case .none: continue
            case .several(let paths, let count): return ambiguous(paths, count: count, of: key, rule)
            case .unique(let path): return take(path, rule, .likely)
            case .nearest(let path): return take(path, rule, .guess)
            }
        }
        if let name = names.first { note(rule, name, .miss) }
        return nil
    }

    /// The paths that the reference may have before packing, the longest first.
    private var resourceKeys: [String] {
        mutating get {
            var keys: [String] = []
            for read in texts[.any] {
                if case .file(let whole)? = read.fromDocument { keys.append(whole) }
            }
            for tail in tails {
                for length in stride(from: tail.count, through: 1, by: -1) { keys.append(tail.suffix(length)) }
            }
            return keys
        }
    }

    /// Those of a text's tails that may exist.
    static func tails(_ tails: [PathTail], of text: String, in ground: SearchGround) -> [PathTail] {
        if case .scheme = PathAnchor(text) { return [] }
        guard ground.container.isListComplete else { return tails }
        return tails.filter { ground.indexes.baseNames.contains($0.name) }
    }

    /// Whether a file of that name may be in the bundle: where none is, its folders need not be searched.
    private func mayExist(_ name: String) -> Bool {
        !ground.container.isListComplete || ground.indexes.baseNames.contains(name)
    }

    /// The document's folder and those around it, up to the top.
    var places: [String] {
        var places = [folder]
        while let last = places.last, !last.isEmpty, places.count < NameIndex.ancestors {
            places.append(BundlePath.folder(of: last))
        }
        if places.last != "" { places.append("") }
        return places
    }
}
