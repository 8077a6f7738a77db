public import Diagnostics

extension Resolution {
    /// What is odd about an image whose file this is the resolution of; empty where it was found as written.
    public func imageFindings(at place: Place = Place()) -> [Finding] {
        var findings: [Finding] = []
        if isAbsolute {
            findings.append(
                finding(.imageURIAbsolute, at: place, "the path \(Self.shown(reference)) is absolute, not relative"))
        }
        if let finding = outcomeFinding(at: place) { findings.append(finding) }
        return findings
    }

    private func outcomeFinding(at place: Place) -> Finding? {
        let name = Self.shown(reference)
        switch outcome {
        case .found(_, _, .certain), .remote, .embedded:
            return nil
        case .found(let path, let rule, let confidence):
            return finding(
                .imageFoundByFallback, at: place, "\(name) was found as \(Self.shown(path)) (\(rule.rawValue))",
                [
                    .init("path", path), .init("rule", rule.rawValue), .init("confidence", confidence.rawValue),
                ])
        case .missing where reference.allSatisfy(\.isWhitespace):
            return finding(.imageEmptyURI, at: place, "no file is named")
        case .missing:
            return finding(.imageNotFound, at: place, "\(name) was not found; \(trace.count) places were looked at")
        case .ambiguous(let paths, let count, _):
            return finding(
                .imageAmbiguous, at: place, "\(name) could be any of \(count) files",
                paths.map { .init("path", $0) })
        case .blocked(.leavesBundle):
            return finding(.resourceEscapesRoot, at: place, "\(name) leads out of the bundle")
        case .blocked(.controlCharacter), .blocked(.tooLong):
            return finding(.imageNotFound, at: place, "\(name) was not looked for: \(outcome)")
        }
    }

    private func finding(
        _ code: FindingCode, at place: Place, _ message: String, _ arguments: [Finding.Argument] = []
    ) -> Finding {
        Finding(code, at: place, message, arguments: [.init("reference", Self.shown(reference))] + arguments)
    }
}
