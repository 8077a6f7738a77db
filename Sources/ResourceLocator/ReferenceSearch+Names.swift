import BundleManifest
import URIReference

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
