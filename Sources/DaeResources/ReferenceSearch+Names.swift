import DaeArchive
import DaeCore

extension ReferenceSearch {
    /// A file of the reference's name anywhere.
    mutating func lookForName(_ rule: ResolutionRule) -> Resolution.Outcome? {
        let names = names
        for name in names {
            // The list of a lone document's folder need not hold all that lies beside it.
            if !ground.container.isListComplete,
                let outcome = look(at: BundlePath.join(folder, name), rule, .likely)
            {
                return outcome
            }
            let match = ground.indexes.baseNames.match(name, near: folder)
            let isOnly = ground.container.isListComplete
            if let outcome = take(match, of: name, rule, unique: isOnly ? .likely : .guess) { return outcome }
        }
        for name in names {
            let match = ground.indexes.foldedNames.match(name.caseFolded, near: folder)
            if case .none = match { continue }
            if let outcome = take(match, of: name, rule, unique: .guess) { return outcome }
        }
        return nil
    }

    /// The folder that the reference leads to, else the document's.
    private var nearFolder: String {
        for index in trace.indices where trace[index].result == .folder {
            let path = ground.frame.inward(trace[index].path)
            if ground.indexes.isFolder(path) { return path }
        }
        return folder
    }

    /// A file of the reference's name with another ending.
    mutating func lookForStem(_ rule: ResolutionRule) -> Resolution.Outcome? {
        for stem in stems {
            let match = ground.indexes.imageStems.match(stem, near: folder)
            if let outcome = take(match, of: stem + ".*", rule, unique: .guess) { return outcome }
        }
        return nil
    }

    /// A file that bears the image's id or name.
    mutating func lookForImageName(_ rule: ResolutionRule) -> Resolution.Outcome? {
        markFolders()
        let near = nearFolder
        let tried = stems
        for stem in use.stems where !tried.contains(stem) {
            let match = ground.indexes.imageStems.match(stem, near: near)
            if let outcome = take(match, of: stem + ".*", rule, unique: .guess) { return outcome }
        }
        return nil
    }

    /// The names that the reference may end in, most literal first, each once.
    static func names(of tails: [PathTail]) -> [String] {
        var names: [String] = []
        for tail in tails {
            let name = tail.name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Case-folded names, without the ending of an image.
    static func stems(of names: [String]) -> [String] {
        var stems: [String] = []
        for name in names {
            let stem = ImageName(file: name)?.stem ?? name.caseFolded
            if !stems.contains(stem) { stems.append(stem) }
        }
        return stems
    }

    private mutating func take(
        _ match: NameIndex.Match, of name: String, _ rule: ResolutionRule, unique: Resolution.Confidence
    ) -> Resolution.Outcome? {
        switch match {
        case .none:
            note(rule, name, .miss)
            return nil
        case .unique(let path):
            return take(path, rule, unique)
        case .nearest(let path):
            return take(path, rule, .guess)
        case .several(let paths, let count):
            return ambiguous(paths, count: count, of: name, rule)
        }
    }

    /// What a map of textures gives for the reference.
    mutating func lookForAlias(_ rule: ResolutionRule) -> Resolution.Outcome? {
        lookForTargets(rule, ground.indexes.aliases.all)
    }

    /// What a KML document's map for this very model gives.
    mutating func lookForOwnAlias(_ rule: ResolutionRule) -> Resolution.Outcome? {
        ground.modelMaps(of: document).flatMap { lookForTargets(rule, $0) }
    }

    private mutating func lookForTargets(
        _ rule: ResolutionRule, _ aliases: TextureAliases
    ) -> Resolution.Outcome? {
        guard !aliases.isEmpty else { return nil }
        for read in texts[.any] {
            for target in aliases.targets(of: read.text) {
                for read in ReferenceTexts(target.path, isFileURI: false)[.any] {
                    // Targets are relative to the document; some writers take them from the map.
                    for start in [folder, target.folder, ""] {
                        guard case .file(let path) = BundlePath.resolve(read.text, against: start),
                            let outcome = look(at: path, rule, .certain)
                        else { continue }
                        return outcome
                    }
                }
            }
        }
        return nil
    }
}

// Rules that keep the end of a reference and look for it in other folders.

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
