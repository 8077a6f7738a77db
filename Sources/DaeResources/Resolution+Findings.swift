import DaeCore
package import DaeDiagnostics

extension Resolution {
    /// What is odd about an image whose file this is the resolution of; empty where it was found as written.
    package func imageFindings(at place: Place = Place()) -> [Finding] {
        var findings: [Finding] = []
        forEachImageRemark { findings.append(finding($0, at: place)) }
        return findings
    }

    /// Adds what ``imageFindings(at:)`` gives; a sentence is only made when it is kept.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether anything is drawn with the image: else it is no error that it was not found.
    ///   - told: Is left out.
    package func addImageFindings(
        to log: inout FindingLog, at place: Place, isNeeded: Bool = true, but told: FindingCode? = nil
    ) {
        forEachImageRemark { remark in
            guard remark.code != told else { return }
            let severity = !isNeeded && remark.code == .imageNotFound ? .warning : remark.severity
            log.add(remark.code, severity: severity) {
                var finding = finding(remark, at: place)
                finding.severity = severity
                return finding
            }
        }
    }

    /// That the file lies outside the bundle, whatever it is; empty where it does not.
    package func outsideFindings(at place: Place = Place()) -> [Finding] {
        switch outcome {
        case .outside(let file, let rule, _): [finding(.outside(file, rule), at: place)]
        case .found, .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: []
        }
    }

    /// One thing to be told, not yet in words.
    private enum Remark {
        case absolute
        /// A folder's path stands where an image's should.
        case folder(Severity)
        case outside(HostFile, ResolutionRule)
        case fallback(path: String, ResolutionRule, Confidence)
        case nothingNamed
        /// No package or model is called so.
        case unknownName(Candidate)
        case unknownScheme(String)
        case notFound
        case ambiguous(paths: [String], count: Int)
        case escapes
        case notLookedFor

        var code: FindingCode {
            switch self {
            case .absolute: .imageURIAbsolute
            case .folder: .imageURIIsDirectory
            case .outside: .resourceOutside
            case .fallback: .imageFoundByFallback
            case .nothingNamed: .imageEmptyURI
            case .unknownName(let candidate):
                candidate.rule == .rosPackage ? .resourcePackageUnknown : .resourceModelUnknown
            case .unknownScheme: .uriUnsupportedScheme
            case .notFound, .notLookedFor: .imageNotFound
            case .ambiguous: .imageAmbiguous
            case .escapes: .resourceEscapesRoot
            }
        }

        var severity: Severity {
            switch self {
            case .folder(let severity): severity
            case .unknownScheme: .error
            case .absolute, .outside, .fallback, .nothingNamed, .unknownName, .notFound, .notLookedFor, .ambiguous,
                .escapes:
                code.severity
            }
        }
    }

    private func forEachImageRemark(_ tell: (Remark) -> Void) {
        if isAbsolute { tell(.absolute) }
        guard namesFolder else { return forEachOutcomeRemark(tell) }
        switch outcome {
        case .missing:
            // Why nothing was found is said by that.
            tell(.folder(.error))
        case .found, .outside, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded:
            tell(.folder(FindingCode.imageURIIsDirectory.severity))
            forEachOutcomeRemark(tell)
        }
    }

    private func forEachOutcomeRemark(_ tell: (Remark) -> Void) {
        switch outcome {
        // Why something was not fetched is told by who fetched.
        case .found(_, _, .certain), .remote, .fetched, .unfetched, .embedded: break
        case .found(let path, let rule, let confidence): tell(.fallback(path: path, rule, confidence))
        case .outside(let file, let rule, let confidence):
            tell(.outside(file, rule))
            if confidence != .certain { tell(.fallback(path: file.shown, rule, confidence)) }
        case .missing: tell(missingRemark)
        case .ambiguous(let paths, let count, _): tell(.ambiguous(paths: paths, count: count))
        case .blocked(.leavesBundle): tell(.escapes)
        case .blocked(.controlCharacter), .blocked(.tooLong): tell(.notLookedFor)
        }
    }

    private var missingRemark: Remark {
        if isEmpty { return .nothingNamed }
        for index in trace.indices where trace[index].result == .unknownName { return .unknownName(trace[index]) }
        return URIReference.unknownScheme(of: reference).map { .unknownScheme($0) } ?? .notFound
    }

    private func finding(_ remark: Remark, at place: Place) -> Finding {
        let name = Self.shown(reference)
        return Finding(
            remark.code, at: place, sentence(remark, name), arguments: [.init("reference", name)] + arguments(remark),
            severity: remark.severity)
    }

    private func sentence(_ remark: Remark, _ name: String) -> String {
        switch remark {
        case .absolute: return "the path \(name) is absolute, not relative"
        case .folder: return "\(name) is a folder, not an image"
        case .outside(let file, _):
            let shown = Self.shown(file.shown)
            return shown == name ? "\(name) lies outside the bundle" : "\(name) is \(shown), outside the bundle"
        case .fallback(let path, let rule, _):
            return "\(isEmpty ? "what names no file" : name) was found as \(Self.shown(path)) (\(rule.rawValue))"
        case .nothingNamed: return "no file is named"
        case .unknownName(let candidate):
            let kind = candidate.rule == .rosPackage ? "package" : "model"
            return "\(name) was not found; no \(kind) is called \(Self.shown(candidate.path))"
        case .unknownScheme(let scheme):
            let known = URIReference.followedSchemes.sorted().joined(separator: ", ")
            return "\(name) was not found: its scheme is \(Self.shown(scheme)); known are \(known)"
        case .notFound:
            let obstacle = obstacle.map { ", and \($0)" } ?? ""
            return "\(name) was not found; \(trace.count) places were looked at\(obstacle)"
        case .ambiguous(_, let count): return "\(name) could be any of \(count) files"
        case .escapes: return "\(name) leads out of the bundle"
        case .notLookedFor: return "\(name) was not looked for: \(outcome)"
        }
    }

    /// The values in the sentence, behind the reference.
    private func arguments(_ remark: Remark) -> [Finding.Argument] {
        switch remark {
        case .absolute, .folder, .nothingNamed, .notFound, .escapes, .notLookedFor: []
        case .outside(let file, let rule): [.init("path", file.shown), .init("rule", rule.rawValue)]
        case .fallback(let path, let rule, let confidence):
            [.init("path", path), .init("rule", rule.rawValue), .init("confidence", confidence.rawValue)]
        case .unknownName(let candidate): [.init("name", candidate.path)]
        case .unknownScheme(let scheme): [.init("scheme", scheme)]
        case .ambiguous(let paths, _): paths.map { .init("path", $0) }
        }
    }

    /// What lies where a file should, as a clause; `nil` where nothing does.
    private var obstacle: String? {
        for candidate in trace {
            let path = Self.shown(candidate.path)
            switch candidate.result {
            case .link: return "\(path) is a link, which is not followed"
            case .special: return "\(path) is no regular file"
            case .unreadable: return "\(path) leads into an archive that cannot be opened"
            case .hit, .miss, .folder, .outside, .several, .unknownName: continue
            }
        }
        return nil
    }

    private var isEmpty: Bool {
        if let first = reference.utf8.first, (0x21..<0x7F).contains(first) { return false }
        return reference.allSatisfy(\.isWhitespace)
    }
}
