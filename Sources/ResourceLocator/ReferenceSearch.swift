import URIReference

/// One walk through the rules for one reference.
struct ReferenceSearch {
    private let text: String
    private let folder: String
    private let container: any ResourceContainer
    private let baseNames: BaseNameIndex
    /// Whether the reference, taken at its word, leads above the bundle's top.
    private var leavesBundle = false  // a fact about the reference
    private(set) var trace: [Resolution.Candidate] = []

    init(_ text: String, folder: String, in container: any ResourceContainer, _ baseNames: BaseNameIndex) {
        self.text = text
        self.folder = folder
        self.container = container
        self.baseNames = baseNames
    }

    var isAbsolute: Bool {
        ReferenceReading.allCases.contains { reading in
            reading.texts(of: text).contains { PathAnchor($0).isAbsolute }
        }
    }

    /// Tries rule after rule until one decides.
    mutating func run() -> Resolution.Outcome {
        for rule in ResolutionRule.allCases {
            if let outcome = attempt(rule) { return outcome }
        }
        return leavesBundle ? .blocked(.leavesBundle) : .missing
    }

    private mutating func attempt(_ rule: ResolutionRule) -> Resolution.Outcome? {
        switch rule.recipe {
        case .path(let reading, from: let start, let confidence):
            for text in reading.texts(of: text) {
                guard let path = look(for: text, from: start, by: rule) else { continue }
                return .found(path: path, rule: rule, confidence: confidence)
            }
            return nil
        case .baseName:
            for name in names {
                if let outcome = look(forName: name, by: rule) { return outcome }
            }
            return nil
        }
    }

    // MARK: Paths

    /// The path that the text leads to, if there is a file and it was not looked for before.
    private mutating func look(
        for text: String, from start: ResolutionRule.Start, by rule: ResolutionRule
    ) -> String? {
        switch target(of: text, from: start) {
        case nil, .folder:
            return nil
        case .outside:
            // A relative path read against the top, where it does not belong, is our own try.
            if start == .document || isAbsolute { leavesBundle = true }
            note(rule, text, .outside)
            return nil
        case .file(let path):
            guard !isTried(path) else { return nil }
            let isThere = container.contains(path)
            note(rule, path, isThere ? .hit : .miss)
            return isThere ? path : nil
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

    private func isTried(_ path: String) -> Bool {
        trace.contains { $0.path.utf8.elementsEqual(path.utf8) && $0.result != .outside }
    }

    private mutating func note(_ rule: ResolutionRule, _ path: String, _ result: Resolution.Candidate.Result) {
        let candidate = Resolution.Candidate(rule: rule, path: path, result: result)
        if !trace.contains(candidate) { trace.append(candidate) }
    }

    // MARK: Base names

    /// The names that the reference may end in, most literal first, each once.
    private var names: [String] {
        var names: [String] = []
        for reading in ReferenceReading.allCases {
            for text in reading.texts(of: text) {
                let name = BundlePath.baseName(of: text)
                // With a back-slash left in it, it is a path; another reading gives its name.
                guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "\\")) else {
                    continue
                }
                if !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
            }
        }
        return names
    }

    private mutating func look(forName name: String, by rule: ResolutionRule) -> Resolution.Outcome? {
        switch baseNames.match(name, near: folder) {
        case .none:
            note(rule, name, .miss)
            return nil
        case .unique(let path):
            note(rule, path, .hit)
            return .found(path: path, rule: rule, confidence: .likely)
        case .nearest(let path):
            note(rule, path, .hit)
            return .found(path: path, rule: rule, confidence: .guess)
        case .several(let paths, let count):
            note(rule, name, .several(count))
            return .ambiguous(paths: paths, count: count, rule: rule)
        }
    }
}
