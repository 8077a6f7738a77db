import URIReference

/// One walk through the rules for one reference.
struct ReferenceSearch {
    let text: String
    let texts: ReferenceTexts
    /// The document's, from the root.
    let folder: String
    let use: ResourceUse
    let ground: SearchGround
    /// Whether the reference, taken at its word, leads above the bundle's top, and may not.
    private var leavesBundle = false  // a fact about the reference
    private(set) var trace: [Resolution.Candidate] = []
    /// What was looked up, from the root.
    private var tried: Set<ExactName> = []

    init(
        _ text: String, isFileURI: Bool = false, folder: String, _ use: ResourceUse, in ground: SearchGround
    ) {
        self.text = text
        self.texts = ReferenceTexts(text, isFileURI: isFileURI)
        self.folder = folder
        self.use = use
        self.ground = ground
    }

    var isAbsolute: Bool { texts.isAbsolute }

    /// Tries rule after rule until one decides.
    mutating func run() -> Resolution.Outcome {
        for rule in ResolutionRule.allCases where use.allows(rule) {
            if let outcome = attempt(rule) { return outcome }
        }
        return leavesBundle ? .blocked(.leavesBundle) : .missing
    }

    private mutating func attempt(_ rule: ResolutionRule) -> Resolution.Outcome? {
        switch rule.recipe {
        case .path(let reading, let comparisons, let start, let confidence):
            return lookForPath(rule, reading, comparisons, start, confidence)
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

    mutating func note(_ rule: ResolutionRule, _ shown: String, _ result: Resolution.Candidate.Result) {
        trace.append(Resolution.Candidate(rule: rule, path: shown, result: result))
    }

    /// Whether the file is there; told once for each path.
    mutating func isThere(_ path: String, by rule: ResolutionRule) -> Bool {
        guard tried.insert(ExactName(path)).inserted else { return false }
        let isThere = ground.container.contains(path)
        note(rule, ground.frame.outward(path), isThere ? .hit : .miss)
        return isThere
    }

    mutating func found(
        _ path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
    ) -> Resolution.Outcome {
        .found(path: ground.frame.outward(path), rule: rule, confidence: confidence)
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
            let isThere = ground.host.contains(file)
            note(rule, file.shown, isThere ? .hit : .miss)
            if isThere { return .outside(file, rule: rule, confidence: confidence) }
        }
        return nil
    }

    /// A path that leads out of what it starts from.
    mutating func noteEscape(_ rule: ResolutionRule, _ text: String) {
        leavesBundle = true
        noteOutside(rule, text)
    }

    mutating func noteOutside(_ rule: ResolutionRule, _ text: String) {
        let candidate = Resolution.Candidate(rule: rule, path: text, result: .outside)
        if !trace.contains(candidate) { trace.append(candidate) }
    }

    /// A path that only a folder can have, or that only folders have.
    mutating func noteFolder(_ rule: ResolutionRule, _ path: String) {
        guard tried.insert(ExactName(path + "/")).inserted else { return }
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
                trace[index] = .init(rule: candidate.rule, path: candidate.path, result: .folder)
            case .ancestorSuffix, .siblingFolder, .resourceBundle, .namedFolder, .fuelCache, .textureAlias,
                .baseName, .otherExtension, .imageName:
                continue
            }
        }
    }
}
