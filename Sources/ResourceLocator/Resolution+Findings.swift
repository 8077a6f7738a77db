public import Diagnostics
import URIReference

extension Resolution {
    /// What is odd about an image whose file this is the resolution of; empty where it was found as written.
    public func imageFindings(at place: Place = Place()) -> [Finding] {
        var findings: [Finding] = []
        if isAbsolute {
            findings.append(
                finding(.imageURIAbsolute, at: place, "the path \(Self.shown(reference)) is absolute, not relative"))
        }
        guard namesFolder else { return findings + outcomeFindings(at: place) }
        var folder = finding(.imageURIIsDirectory, at: place, "\(Self.shown(reference)) is a folder, not an image")
        switch outcome {
        case .missing:
            // Why nothing was found is said by that.
            folder.severity = .error
            return findings + [folder]
        case .found, .outside, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded:
            return findings + [folder] + outcomeFindings(at: place)
        }
    }

    /// That the file lies outside the bundle, whatever it is; empty where it does not.
    public func outsideFindings(at place: Place = Place()) -> [Finding] {
        switch outcome {
        case .outside(let file, let rule, _):
            [
                finding(
                    .resourceOutside, at: place,
                    "\(Self.shown(reference)) is \(Self.shown(file.shown)), outside the bundle",
                    [.init("path", file.shown), .init("rule", rule.rawValue)])
            ]
        case .found, .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: []
        }
    }

    private func outcomeFindings(at place: Place) -> [Finding] {
        let name = Self.shown(reference)
        switch outcome {
        // Why something was not fetched is told by who fetched.
        case .found(_, _, .certain), .remote, .fetched, .unfetched, .embedded:
            return []
        case .found(let path, let rule, let confidence):
            return [fallback(path, rule, confidence, at: place)]
        case .outside(_, _, .certain):
            return outsideFindings(at: place)
        case .outside(let file, let rule, let confidence):
            return outsideFindings(at: place) + [fallback(file.shown, rule, confidence, at: place)]
        case .missing where isEmpty:
            return [finding(.imageEmptyURI, at: place, "no file is named")]
        case .missing:
            if let unknown = trace.first(where: { $0.result == .unknownName }) { return [self.unknown(unknown, place)] }
            if let scheme = URIReference(reference).unknownScheme { return [unsupported(scheme, place)] }
            return [
                finding(
                    .imageNotFound, at: place,
                    "\(name) was not found; \(trace.count) places were looked at\(obstacle.map { ", and \($0)" } ?? "")"
                )
            ]
        case .ambiguous(let paths, let count, _):
            return [
                finding(
                    .imageAmbiguous, at: place, "\(name) could be any of \(count) files",
                    paths.map { .init("path", $0) })
            ]
        case .blocked(.leavesBundle):
            return [finding(.resourceEscapesRoot, at: place, "\(name) leads out of the bundle")]
        case .blocked(.controlCharacter), .blocked(.tooLong):
            return [finding(.imageNotFound, at: place, "\(name) was not looked for: \(outcome)")]
        }
    }

    /// What lies where a file should, as a clause; `nil` where nothing does.
    private var obstacle: String? {
        let candidate = trace.first { $0.result == .link || $0.result == .special }
        let result = candidate?.result == .link ? "a link, which is not followed" : "no regular file"
        return candidate.map { "\(Self.shown($0.path)) is \(result)" }
    }

    private var isEmpty: Bool { reference.allSatisfy(\.isWhitespace) }

    private func fallback(
        _ path: String, _ rule: ResolutionRule, _ confidence: Confidence, at place: Place
    ) -> Finding {
        finding(
            .imageFoundByFallback, at: place,
            "\(isEmpty ? "what names no file" : Self.shown(reference)) was found as \(Self.shown(path)) (\(rule.rawValue))",
            [.init("path", path), .init("rule", rule.rawValue), .init("confidence", confidence.rawValue)])
    }

    private func unknown(_ candidate: Candidate, _ place: Place) -> Finding {
        let isPackage = candidate.rule == .rosPackage
        return finding(
            isPackage ? .resourcePackageUnknown : .resourceModelUnknown, at: place,
            "\(Self.shown(reference)) was not found; no \(isPackage ? "package" : "model") is called \(Self.shown(candidate.path))",
            [.init("name", candidate.path)])
    }

    private func unsupported(_ scheme: String, _ place: Place) -> Finding {
        let known = URIReference.followedSchemes.sorted().joined(separator: ", ")
        var finding = finding(
            .uriUnsupportedScheme, at: place,
            "\(Self.shown(reference)) was not found: its scheme is \(Self.shown(scheme)); known are \(known)",
            [.init("scheme", scheme)])
        finding.severity = .error
        return finding
    }

    private func finding(
        _ code: FindingCode, at place: Place, _ message: String, _ arguments: [Finding.Argument] = []
    ) -> Finding {
        Finding(code, at: place, message, arguments: [.init("reference", Self.shown(reference))] + arguments)
    }
}
