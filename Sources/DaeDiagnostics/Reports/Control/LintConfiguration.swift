/// What a `.daelint.json` says; its schema is committed as `daelint.schema.json`.
public struct LintConfiguration: Sendable, Equatable {
    /// Of the file itself, without the profile's.
    public var rules = FindingRules()
    package var failOn: Severity?
    package var profile: ValidationProfile?
    /// A path, relative to the file's folder.
    package var baseline: String?

    package init() {}

    /// - Parameters:
    ///   - text: The file's bytes.
    ///   - file: Its name, for errors.
    public init(parsing text: [UInt8], file: String) throws(ControlError) {
        let values: [LocatedJSON]
        do { values = try LocatedJSON.values(in: text) } catch {
            throw ControlError(file: file, line: error.line, message: "no valid JSON: \(error.message)")
        }
        guard let root = values.first, values.count == 1, case .object(let members) = root.value else {
            throw ControlError(
                file: file, line: values.dropFirst().first?.line ?? values.first?.line ?? 1,
                message: "expected one object")
        }
        var seen: Set<String> = []
        for (key, line, value) in members {
            guard seen.insert(key).inserted else {
                throw ControlError(file: file, line: line, message: "\(Self.shown(key)) stands here twice")
            }
            do { try take(key, value) } catch {
                throw ControlError(file: file, line: error.line ?? line, message: error.message)
            }
        }
    }

    private struct Fault: Error {
        var line: Int?
        var message: String
    }

    private mutating func take(_ key: String, _ value: LocatedJSON) throws(Fault) {
        switch key {
        case "$schema": _ = try Self.text(value, key)
        case "ignore": rules.ignored = try Self.codes(value, key)
        case "only": rules.only = try Self.codes(value, key)
        case "override": rules.overrides = try Self.overrides(value)
        case "failOn": failOn = try Self.severity(value, key)
        case "maxFindings":
            guard case .integer(let number) = value.value, let count = Int(exactly: number), count >= 0 else {
                throw Fault(line: value.line, message: "maxFindings must be a whole number from 0 on")
            }
            rules.maxFindings = count
        case "minSeverity": rules.minSeverity = try Self.severity(value, key)
        case "profile":
            let name = try Self.text(value, key)
            guard let profile = ValidationProfile(rawValue: name) else {
                let known = ValidationProfile.allCases.map(\.rawValue).joined(separator: ", ")
                throw Fault(line: value.line, message: "unknown profile \(Self.shown(name)); expected one of \(known)")
            }
            self.profile = profile
        case "baseline": baseline = try Self.text(value, key)
        default:
            throw Fault(
                message:
                    "unknown key \(Self.shown(key)); expected ignore, only, override, failOn, maxFindings, minSeverity, profile or baseline"
            )
        }
    }

    private static func text(_ value: LocatedJSON, _ key: String) throws(Fault) -> String {
        guard let text = value.string, !text.isEmpty else {
            throw Fault(line: value.line, message: "\(key) must be a text")
        }
        return text
    }

    private static func severity(_ value: LocatedJSON, _ key: String) throws(Fault) -> Severity {
        guard let severity = value.string.flatMap(Severity.init) else {
            throw Fault(line: value.line, message: "\(shown(key)) must be error, warning, info or hint")
        }
        return severity
    }

    private static func codes(_ value: LocatedJSON, _ key: String) throws(Fault) -> Set<FindingCode> {
        guard let elements = value.array else {
            throw Fault(line: value.line, message: "\(key) must be a list of codes")
        }
        var codes: Set<FindingCode> = []
        for element in elements { codes.formUnion(try Self.codes(text(element, "a code"), element.line)) }
        return codes
    }

    private static func codes(_ text: String, _ line: Int) throws(Fault) -> [FindingCode] {
        do { return try CodePattern.codes(text) } catch { throw Fault(line: line, message: error.description) }
    }

    private static func overrides(_ value: LocatedJSON) throws(Fault) -> [FindingCode: Severity] {
        guard case .object(let members) = value.value else {
            throw Fault(line: value.line, message: "override must be an object of codes and severities")
        }
        var overrides: [FindingCode: Severity] = [:]
        for (name, line, value) in members {
            let severity = try severity(value, name)
            for code in try codes(name, line) { overrides[code] = severity }
        }
        return overrides
    }

    private static func shown(_ text: String) -> String { String(text.prefix(80)) }
}

/// Which findings count, and how much.
public struct FindingRules: Sendable, Equatable {
    /// Only these count; `nil` for all.
    public var only: Set<FindingCode>?
    /// These are neither shown nor counted.
    public var ignored: Set<FindingCode> = []
    /// Severities in place of those of the catalogue.
    public var overrides: [FindingCode: Severity] = [:]
    /// How many findings of a source are shown, at least 0, the worst ones; the rest are counted. `nil` for all that were kept.
    public var maxFindings: Int?
    /// What is milder is counted and not shown; `nil` for nothing.
    public var minSeverity: Severity?

    var leastShown: Severity { minSeverity ?? .hint }

    /// Rules that change nothing.
    public init() {}

    /// What of some findings counts by these rules, with the severities that they say; ``maxFindings`` aside, which is for
    /// reports.
    public func applied(to log: FindingLog) -> FindingLog {
        var result = FindingLog(capPerCode: log.capPerCode)
        for finding in log.findings where admits(finding.code) {
            var finding = finding
            finding.severity = overrides[finding.code] ?? finding.severity
            if finding.severity >= leastShown { result.add(finding) }
        }
        return result
    }

    package func admits(_ code: FindingCode) -> Bool { !ignored.contains(code) && only?.contains(code) != false }

    /// These rules, and where both say something what `later` says: naming a code brings back what was ignored.
    package func overlaid(by later: FindingRules) -> FindingRules {
        var rules = self
        rules.only = later.only ?? only
        rules.ignored.subtract(later.overrides.keys)
        if let only = later.only { rules.ignored.subtract(only) }
        rules.ignored.formUnion(later.ignored)
        rules.overrides.merge(later.overrides) { _, later in later }
        rules.maxFindings = later.maxFindings ?? maxFindings
        rules.minSeverity = later.minSeverity ?? minSeverity
        return rules
    }
}

/// A code as people write it: its whole name, or its beginning and a `*`.
package enum CodePattern {
    /// Nothing is called so.
    package struct Unknown: Error, Sendable, CustomStringConvertible {
        package let text: String
        /// The code that may be meant.
        package let nearest: FindingCode?

        package var description: String {
            let shown = String(text.prefix(80))
            return "unknown code \(shown)"
                + (nearest.map { "; did you mean \($0.rawValue)?" } ?? "; see dae explain --list")
        }
    }

    /// The codes that are meant, in capitals or not, in the catalogue's order; at least one.
    package static func codes(_ written: String) throws(Unknown) -> [FindingCode] {
        let text = written.uppercased()
        if let code = FindingCode(rawValue: text) { return [code] }
        if text.hasSuffix("*") {
            let start = text.dropLast()
            let codes = FindingCode.allCases.filter { $0.rawValue.hasPrefix(start) }
            if !codes.isEmpty { return codes }
        }
        let nearest = NearestName.of(text, among: FindingCode.allCases.lazy.map(\.rawValue))
        throw Unknown(text: written, nearest: nearest.flatMap(FindingCode.init))
    }
}

/// What a scene is meant for: a set of rules by name.
public enum ValidationProfile: String, Sendable, CaseIterable {
    /// The severities of the catalogue.
    case standard = "default"
    /// Every warning is an error.
    case strict
    /// A model of Gazebo, which takes meshes, materials and skeletons of a document and nothing else.
    case gazebo
    /// To be converted to glTF.
    case gltf
    /// To be converted to USDZ and shown by RealityKit.
    case realitykit

    /// What it changes.
    public var rules: FindingRules {
        var rules = FindingRules()
        switch self {
        case .standard: break
        case .strict:
            for code in FindingCode.allCases where code.severity == .warning { rules.overrides[code] = .error }
        case .gazebo:
            rules.ignored = [.cameraInvalid, .lightInvalid, .kinematicsExtension, .formulaUnsupported]
            rules.overrides = [
                .assetUnitMissing: .warning, .assetUpAxisMissing: .warning, .imageURIAbsolute: .error,
                .resourceOutside: .warning, .geometryUnsupportedKind: .error,
            ]
        case .gltf:
            rules.ignored = Self.mechanics
            rules.overrides = [
                .nodeTransformNonAffine: .error, .geometryUnsupportedKind: .error, .controllerChainUnsupported: .error,
                .skinTooManyInfluences: .warning, .animationUnknownInterpolation: .error,
                .animationTargetShared: .warning,
                .imageExtensionMismatch: .error,
            ]
        case .realitykit:
            rules.ignored = Self.mechanics
            rules.overrides = [
                .nodeTransformNonAffine: .error, .geometryUnsupportedKind: .error, .controllerChainUnsupported: .error,
                .skinTooManyInfluences: .warning, .assetUnitMissing: .warning, .imageExtensionMismatch: .error,
            ]
        }
        return rules
    }

    /// What neither glTF nor USDZ takes over.
    private static let mechanics = Set(
        FindingCode.allCases.filter { code in
            ["PHYSICS_", "KINEMATICS_", "FORMULA_"].contains { code.rawValue.hasPrefix($0) }
        })
}

/// Why a file that controls the validator cannot be used.
public struct ControlError: Error, Sendable, Equatable, CustomStringConvertible {
    package let file: String
    /// From 1; `nil` for the file as a whole.
    package let line: Int?
    package let message: String

    package init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `file:line: message`.
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + message }
}
