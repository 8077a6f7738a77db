import URIReference

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
    mutating func firstThere(
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
    mutating func noteEscape(_ rule: ResolutionRule, _ text: String) {
        leavesBundle = true
        noteOutside(rule, text)
    }

    mutating func noteOutside(_ rule: ResolutionRule, _ text: String) {
        let candidate = Resolution.Candidate(rule: rule, path: text, folder: nil, result: .outside)
        if !trace.contains(candidate) { trace.append(candidate) }
    }

    /// A path that only a folder can have, or that only folders have.
    mutating func noteFolder(_ rule: ResolutionRule, _ path: String) {
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
