import DaeCore

/// One walk through the rules for one reference.
struct ReferenceSearch {
    let text: String
    let texts: ReferenceTexts
    /// The document's, from the root.
    let folder: String
    /// The document itself, from the root; "" where that does not matter.
    let document: String
    let use: ResourceUse
    private let rules: ResourceLocator.Rules
    let ground: SearchGround
    /// Whether the reference, taken at its word, leads above the bundle's top, and may not.
    private var leavesBundle = false
    // Several rules ask for these, and most references are found before any does.
    private(set) lazy var names: [String] = Self.names(of: tails)
    private(set) lazy var stems: [String] = Self.stems(of: names)
    private(set) lazy var tails: [PathTail] = texts.tails(most: Self.longestSuffix)
    /// Those that are no address, whose name the bundle has somewhere.
    private(set) lazy var likelyTails: [PathTail] = Self.tails(tails, of: text, in: ground)
    private(set) var trace: [Resolution.Candidate] = []
    /// What was looked up, from the root.
    private var tried = TriedPaths()

    init(
        _ text: String, isFileURI: Bool = false, folder: String, document: String = "", _ use: ResourceUse,
        _ rules: ResourceLocator.Rules = .all, in ground: SearchGround
    ) {
        self.rules = rules
        self.text = text
        self.texts = ReferenceTexts(text, isFileURI: isFileURI, folder: folder)
        self.folder = folder
        self.document = document
        self.use = use
        self.ground = ground
    }

    var isAbsolute: Bool { texts.isAbsolute }

    /// Tries rule after rule until one decides.
    mutating func run() -> Resolution.Outcome {
        // What a manifest says of this very document holds before all that its names could mean.
        if isTried(.textureAlias), let outcome = lookForOwnAlias(.textureAlias) { return outcome }
        for rule in ResolutionRule.allCases where isTried(rule) {
            if let outcome = attempt(rule) { return outcome }
        }
        return leavesBundle ? .blocked(.leavesBundle) : .missing
    }

    /// What an image is that names no file.
    mutating func findByImage() -> Resolution.Outcome {
        isTried(.imageName) ? lookForImageName(.imageName) ?? .missing : .missing
    }

    private func isTried(_ rule: ResolutionRule) -> Bool {
        switch rules {
        case .all: use.allows(rule)
        case .literal: use.allows(rule) && rule.isLiteral
        }
    }

    private mutating func attempt(_ rule: ResolutionRule) -> Resolution.Outcome? {
        switch rule.recipe {
        case .path(let reading, let comparisons, let start, let confidence):
            let texts = texts[reading]
            return texts.isEmpty ? nil : lookForPath(rule, texts, comparisons, start, confidence)
        case .ancestorSuffix: return lookForSuffix(rule)
        case .siblingFolder: return lookBeside(rule)
        case .resourceBundle: return lookInResources(rule)
        case .namedFolder(let kind): return lookInNamed(kind, rule)
        case .fuelCache: return nil  // such an address is no path; see find(_:)
        case .textureAlias: return lookForAlias(rule)
        case .baseName: return lookForName(rule)
        case .otherExtension: return lookForStem(rule)
        case .imageName: return lookForImageName(rule)
        }
    }

    // MARK: Noting

    /// Candidates of most references that lead to nothing.
    private static let usualTrace = 12

    mutating func note(
        _ rule: ResolutionRule, _ shown: String, _ result: Resolution.Candidate.Result, in folder: String? = nil
    ) {
        // One name may be led to by several readings.
        if let last = trace.indices.last, trace[last].rule == rule, trace[last].result == result,
            trace[last].path == shown, trace[last].folder == folder
        {
            return
        }
        if trace.isEmpty { trace.reserveCapacity(Self.usualTrace) }
        trace.append(.init(rule: rule, path: shown, folder: folder, result: result))
    }

    /// The file at a path, if it is there and was not looked up before.
    mutating func look(
        at path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        guard tried.insert(path) else { return nil }
        let presence = ground.container.presence(of: path)
        switch presence {
        case .file, .linked: return take(path, presence, rule, confidence)
        case .none, .link, .folder, .special, .unreadable:
            let result = Resolution.Candidate.Result(presence, meansPath: rule.startsFromDocument)
            note(rule, ground.frame.outward(path), result)
            return nil
        }
    }

    /// A file of the list.
    mutating func take(
        _ path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome {
        take(path, ground.container.presence(of: path), rule, confidence)
    }

    private mutating func take(
        _ path: String, _ presence: ResourcePresence, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome {
        let shown = ground.frame.outward(path)
        note(rule, shown, .hit)
        switch presence {
        case .linked(let target):
            return .outside(HostFile(target, shown: shown), rule: rule, confidence: confidence)
        // What is listed was there a moment ago.
        case .file, .none, .link, .folder, .special, .unreadable:
            return .found(path: shown, rule: rule, confidence: confidence)
        }
    }

    mutating func ambiguous(
        _ paths: [String], count: Int, of name: String, _ rule: ResolutionRule
    ) -> Resolution.Outcome {
        note(rule, name, .several(count))
        let shown = paths.prefix(Resolution.shownPaths).map(ground.frame.outward)
        return .ambiguous(paths: shown, count: count, rule: rule)
    }

    /// Tries files of this machine one after another.
    private mutating func firstThere(
        of files: [HostFile], _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome? {
        for file in files {
            let presence = ground.host.presence(of: file)
            switch presence {
            case .file:
                note(rule, file.shown, .hit, in: file.root.named)
                return .outside(file, rule: rule, confidence: confidence)
            case .linked(let target):
                note(rule, file.shown, .hit, in: file.root.named)
                return .outside(HostFile(target, shown: file.shown), rule: rule, confidence: confidence)
            case .none, .link, .folder, .special, .unreadable:
                note(rule, file.shown, .init(presence, meansPath: true), in: file.root.named)
            }
        }
        return nil
    }

    /// A path that leads out of what it starts from.
    private mutating func noteEscape(_ rule: ResolutionRule, _ text: String) {
        leavesBundle = true
        noteOutside(rule, text)
    }

    private mutating func noteOutside(_ rule: ResolutionRule, _ text: String) {
        let candidate = Resolution.Candidate(rule: rule, path: text, folder: nil, result: .outside)
        if !trace.contains(candidate) { trace.append(candidate) }
    }

    /// A path that only a folder can have, or that only folders have.
    private mutating func noteFolder(_ rule: ResolutionRule, _ path: String) {
        guard tried.insert(path + "/") else { return }
        note(rule, ground.frame.outward(path), .folder)
    }

    /// Of the paths that were looked up in vain, those that folders have are told so.
    mutating func markFolders() {
        for index in trace.indices where trace[index].result == .miss {
            let candidate = trace[index]
            switch candidate.rule.recipe {
            case .path(_, _, let start, _):
                let path = ground.frame.inward(candidate.path)
                // The top is a folder always; only what was written may mean it.
                guard start == .document || !path.isEmpty, ground.indexes.isFolder(path) else { continue }
                trace[index] = .init(rule: candidate.rule, path: candidate.path, folder: nil, result: .folder)
            case .ancestorSuffix, .siblingFolder, .resourceBundle, .namedFolder, .fuelCache, .textureAlias,
                .baseName, .otherExtension, .imageName:
                continue
            }
        }
    }
}

extension ReferenceSearch {
    /// A file of a package or model, by its name.
    private mutating func lookInNamed(_ kind: NamedFolder.Kind, _ rule: ResolutionRule) -> Resolution.Outcome? {
        let addresses = texts[.literal].compactMap { read -> NamedAddress? in
            switch read.anchor {
            case .scheme: NamedAddress(read.text, kind)
            case .document, .top, .drive: nil
            }
        }
        guard !addresses.isEmpty else { return nil }
        for address in addresses {
            guard let path = path(of: address, rule) else { continue }
            let options = ground.host.files(kind, address.name, path, isOption: true)
            if let outcome = firstThere(of: options, rule, .certain) { return outcome }
            if let folder = ground.indexes.named(kind).folder(address.name),
                let outcome = look(at: BundlePath.join(folder, path), rule, .certain)
            {
                return outcome
            }
            let others = ground.host.files(kind, address.name, path, isOption: false)
            if let outcome = firstThere(of: others, rule, .certain) { return outcome }
        }
        // Nothing tells where the name's folder is: folders so called, else the bundle is what the name means.
        for address in addresses {
            guard case .file(let path) = BundlePath.resolve(address.path) else { continue }
            for place in namedPlaces(address.name) {
                if let outcome = look(at: BundlePath.join(place, path), rule, .likely) { return outcome }
            }
            if !isKnown(address, kind) { note(rule, address.name, .unknownName) }
        }
        return nil
    }

    /// A file of Fuel that is on this machine or in the bundle.
    mutating func find(_ address: FuelAddress) -> Resolution.Outcome? {
        let rule = ResolutionRule.fuelCache
        if let outcome = firstThere(of: ground.host.files(address), rule, .certain) { return outcome }
        let folder = ground.indexes.named(.model).folder(address.model)
        return folder.flatMap { look(at: BundlePath.join($0, address.path), rule, .likely) }
    }

    private mutating func path(of address: NamedAddress, _ rule: ResolutionRule) -> String? {
        switch BundlePath.resolve(address.path) {
        case .file(let path): return path
        case .folder: return nil
        case .outside:
            noteEscape(rule, text)
            return nil
        }
    }

    /// Folders around the document that bear the name, one so called beside each, and at last the top itself.
    private func namedPlaces(_ name: String) -> [String] {
        var named: [String] = []
        var beside: [String] = []
        for place in places {
            if BundlePath.baseName(of: place) == name { named.append(place) }
            beside.append(BundlePath.join(place, name))
        }
        return named + beside + [""]
    }

    private func isKnown(_ address: NamedAddress, _ kind: NamedFolder.Kind) -> Bool {
        ground.indexes.named(kind).folder(address.name) != nil || ground.host.knows(kind, address.name)
            || places.contains { place in
                BundlePath.baseName(of: place) == address.name
                    || ground.indexes.isFolder(BundlePath.join(place, address.name))
            }
    }
}

extension ReferenceSearch {
    /// The file that a reading of the whole reference leads to.
    ///
    /// - Parameter texts: Those of the reading.
    private mutating func lookForPath(
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
