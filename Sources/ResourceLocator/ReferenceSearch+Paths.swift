import URIReference

extension ReferenceSearch {
    /// The file that a reading of the whole reference leads to.
    ///
    /// - Parameter texts: Those of the reading.
    mutating func lookForPath(
        _ rule: ResolutionRule, _ texts: [ReadText], _ comparisons: [PathComparison],
        _ start: ResolutionRule.Start, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        for comparison in comparisons {
            for index in texts.indices {
                let text = texts[index].text
                let confidence = Self.confidence(confidence, comparison, isLatin1: self.texts.isLatin1(text))
                guard let target = texts[index].target(from: start) else { continue }
                switch target {
                case .folder(let path):
                    // A relative path read against the top is our own try.
                    if comparison == .bytes, start == .document || isAbsolute { noteFolder(rule, path) }
                case .outside:
                    if comparison == .bytes, let outcome = lookAbove(text, rule, start, confidence) { return outcome }
                case .file(let path):
                    // Of a document at the top, the rule for its folder has looked.
                    if start == .top, folder.isEmpty, texts[index].fromDocument != nil { continue }
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
            paths = ground.indexes.paths(folded: path.caseFolded)
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
}
