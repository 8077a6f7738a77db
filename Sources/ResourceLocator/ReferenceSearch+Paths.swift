import URIReference

extension ReferenceSearch {
    /// The file that a reading of the whole reference leads to.
    mutating func lookForPath(
        _ rule: ResolutionRule, _ reading: ReferenceReading, _ comparisons: [PathComparison],
        _ start: ResolutionRule.Start, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        for comparison in comparisons {
            for text in texts[reading] {
                let confidence = Self.confidence(confidence, comparison, isLatin1: texts.isLatin1(text))
                guard let target = target(of: text, from: start) else { continue }
                switch target {
                case .folder(let path):
                    // A relative path read against the top is our own try.
                    if comparison == .bytes, start == .document || isAbsolute { noteFolder(rule, path) }
                case .outside:
                    if comparison == .bytes, let outcome = lookAbove(text, rule, start, confidence) { return outcome }
                case .file(let path):
                    if let outcome = look(for: path, comparison, rule, confidence) { return outcome }
                }
            }
        }
        return nil
    }

    /// How sure a hit is that needs a guess at an encoding.
    private static func confidence(
        _ confidence: Resolution.Confidence, _ comparison: PathComparison, isLatin1: Bool
    ) -> Resolution.Confidence {
        switch comparison {
        case .mended: .guess
        case .bytes, .canonical, .folded: isLatin1 ? .likely : confidence
        }
    }

    /// `nil` where the text starts from elsewhere than `start`.
    private func target(of text: String, from start: ResolutionRule.Start) -> BundlePath.Target? {
        switch (PathAnchor(text), start) {
        case (.document(let path), .document): BundlePath.resolve(path, against: folder)
        case (.document(let path), .top), (.top(let path), .top): BundlePath.resolve(path)
        case (.top, .document), (.drive, .document), (.drive, .top), (.scheme, .document), (.scheme, .top): nil
        }
    }

    private mutating func look(
        for path: String, _ comparison: PathComparison, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        let paths: [String]
        switch comparison {
        case .bytes:
            return look(at: path, rule, confidence)
        case .canonical:
            guard !path.isASCII else { return nil }
            paths = ground.indexes.canonicalPaths.paths(of: path)
        case .mended:
            guard !path.isASCII else { return nil }
            let direct = ground.indexes.mendedPaths.paths(of: path)
            // Or the document has it so, and the file is named as it should be.
            let mended = direct.isEmpty ? MendedName.path(path) : nil
            paths = mended.map(ground.indexes.canonicalPaths.paths) ?? direct
        case .folded:
            paths = ground.indexes.foldedPaths.paths(of: path.caseFolded)
        }
        guard let first = paths.first else { return nil }
        guard paths.count == 1 else {
            return ambiguous(paths, count: paths.count, of: ground.frame.outward(path), rule)
        }
        return take(first, rule, confidence)
    }

    /// A path above the bundle's top: of a lone document it may be a file there.
    private mutating func lookAbove(
        _ text: String, _ rule: ResolutionRule, _ start: ResolutionRule.Start, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        guard start == .document, ground.host.mayLeaveRoot else {
            // A relative path read against the top, where it does not belong, is our own try.
            if start == .document || (isAbsolute && !ground.host.mayLeaveRoot) {
                noteEscape(rule, text)
            } else {
                noteOutside(rule, text)
            }
            return nil
        }
        let (levels, path) = BundlePath.climb(text, from: folder)
        let shown = ground.frame.outward(String(repeating: "../", count: levels) + path)
        guard let file = ground.host.fileAbove(levels: levels, path: path, shown: shown) else {
            noteOutside(rule, text)
            return nil
        }
        return firstThere(of: [file], rule, confidence)
    }

    // MARK: - Parts of the path

    /// Parts of a path that are kept, its name among them.
    private static let longestSuffix = 6

    /// The end of the reference's path, the longest first, below the document's folder and those around it.
    mutating func lookForSuffix(_ rule: ResolutionRule) -> Resolution.Outcome? {
        for tail in tails {
            for length in stride(from: tail.count, through: 2, by: -1) {
                let suffix = tail.suffix(length).joined(separator: "/")
                for place in places {
                    let path = BundlePath.join(place, suffix)
                    if let outcome = look(at: path, rule, .likely) { return outcome }
                }
            }
        }
        // What lies beside the document is nearer than any folder of textures.
        for tail in tails {
            guard let name = tail.last else { continue }
            if let outcome = look(at: BundlePath.join(folder, String(name)), rule, .likely) { return outcome }
        }
        return nil
    }

    /// The folders where textures usually lie.
    private static let siblings = ["textures", "images", "materials/textures", "maps"]

    /// The reference's name in a folder of textures beside the document, or beside its folder.
    mutating func lookBeside(_ rule: ResolutionRule) -> Resolution.Outcome? {
        for name in texts.names {
            for place in places.prefix(2) {
                guard mayExist(name) else {
                    let siblings = "{\(Self.siblings.joined(separator: ","))}"
                    note(rule, ground.frame.outward(BundlePath.join(place, "\(siblings)/\(name)")), .miss)
                    continue
                }
                for sibling in Self.siblings {
                    let path = BundlePath.join(place, BundlePath.join(sibling, name))
                    if let outcome = look(at: path, rule, .likely) { return outcome }
                }
            }
        }
        return nil
    }

    /// The reference among files that packing has moved.
    mutating func lookInResources(_ rule: ResolutionRule) -> Resolution.Outcome? {
        let resources = ground.indexes.resources
        var keys: [String] = []
        for text in texts[.any] {
            guard case .document(let path) = PathAnchor(text),
                case .file(let whole) = BundlePath.resolve(path, against: folder)
            else { continue }
            keys.append(whole)
        }
        for tail in texts.tails(most: Self.longestSuffix) {
            for length in stride(from: tail.count, through: 1, by: -1) {
                keys.append(tail.suffix(length).joined(separator: "/"))
            }
        }
        for key in keys {
            switch resources.match(key, near: folder) {
            case .none: continue
            case .several(let paths, let count): return ambiguous(paths, count: count, of: key, rule)
            case .unique(let path): return take(path, rule, .likely)
            case .nearest(let path): return take(path, rule, .guess)
            }
        }
        if let name = texts.names.first { note(rule, name, .miss) }
        return nil
    }

    /// The ends of paths that are no address, whose name the bundle has somewhere.
    private var tails: [[Substring]] {
        if case .scheme = PathAnchor(text) { return [] }
        return texts.tails(most: Self.longestSuffix).filter { $0.last.map { mayExist(String($0)) } ?? false }
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
