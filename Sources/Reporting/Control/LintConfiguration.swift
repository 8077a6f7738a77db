public import Diagnostics

/// What a `.daelint.json` says; its schema is committed as `daelint.schema.json`.
public struct LintConfiguration: Sendable, Equatable {
    /// Of the file itself, without the profile's.
    public var rules = FindingRules()
    public var failOn: Severity?
    public var profile: ValidationProfile?
    /// A path, relative to the file's folder.
    public var baseline: String?

    public init() {}

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
