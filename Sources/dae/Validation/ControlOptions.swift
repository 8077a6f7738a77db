import ArgumentParser
import DaeCore
import Daedalus

/// Which findings count, and how much, as the command line says it.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The mildest severity that makes the exit code 1: error, warning, info or hint (default: error).",
            valueName: "severity"))
    var failOn: NamedSeverity?

    @Option(
        help: ArgumentHelp(
            "Codes that do not count, parted by commas; NAME_* for all that begin so.", valueName: "codes"))
    var ignore: [String] = []

    @Option(help: ArgumentHelp("Codes that alone count, parted by commas.", valueName: "codes"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("Give a code another severity; several parted by commas.", valueName: "code=severity"))
    var override: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show at most so many findings of a source, the worst ones; the rest are counted.", valueName: "n"))
    var maxFindings: Int?

    @Option(
        help: ArgumentHelp(
            "The mildest severity that is shown: error, warning, info or hint; what is milder is counted.",
            valueName: "severity"))
    var minSeverity: NamedSeverity?

    @Option(
        help: ArgumentHelp(
            "What the scene is meant for: default, strict, gazebo, gltf or realitykit.", valueName: "profile"),
        transform: Self.profile)
    var profile: ValidationProfile?

    @Option(
        help: ArgumentHelp(
            "An earlier report of --format json: what stands in it neither fails nor is shown.", valueName: "file"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Take this file instead of the .daelint.json that is nearest upwards from each source.", valueName: "file"))
    var config: String?

    @Flag(help: "Look for no .daelint.json.")
    var noConfig = false

    mutating func validate() throws {
        _ = try rules()
        if let maxFindings, maxFindings < 0 {
            throw ValidationError("--max-findings is \(maxFindings); expected 0 or more.")
        }
        if noConfig, config != nil { throw ValidationError("--config and --no-config exclude each other.") }
    }

    func rules() throws -> FindingRules {
        var rules = FindingRules()
        rules.maxFindings = maxFindings
        rules.minSeverity = minSeverity?.severity
        rules.ignored = Set(try Self.codes(ignore, "--ignore"))
        if !only.isEmpty { rules.only = Set(try Self.codes(only, "--only")) }
        for text in Self.parts(override) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let severity = Severity(rawValue: parts[1]) else {
                throw ValidationError(
                    "--override: expected CODE=error, =warning, =info or =hint, not \(text.withoutControls).")
            }
            for code in try Self.codes([parts[0]], "--override") { rules.overrides[code] = severity }
        }
        return rules
    }

    private static func profile(_ text: String) throws -> ValidationProfile {
        if let profile = ValidationProfile(rawValue: text) { return profile }
        let known = ValidationProfile.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("unknown profile \(text.withoutControls); expected one of \(known).")
    }

    private static func parts(_ lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    private static func codes(_ lists: [String], _ option: String) throws -> [FindingCode] {
        try parts(lists).flatMap { text in
            do throws(CodePattern.Unknown) {
                return try CodePattern.codes(text)
            } catch {
                let hint = Severity(rawValue: text.lowercased()) == nil ? "" : " For severities see --min-severity."
                throw ValidationError("\(option): \(error.description.withoutControls.asSentence)\(hint)")
            }
        }
    }
}

/// The severities as the command line spells them.
enum NamedSeverity: String, ExpressibleByArgument, CaseIterable {
    case error, warning, info, hint

    var severity: Severity {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .hint: .hint
        }
    }
}

/// Small files of a person's own, read whole.
enum ControlFile {
    static let name = ".daelint.json"

    /// - Parameter limit: In bytes; what is larger is refused.
    static func bytes(_ path: String, limit: Int) throws(ControlError) -> [UInt8] {
        do throws(SystemError) {
            if let bytes = try OpenFile(path, .reading).bytes(limit: limit) { return bytes }
        } catch { throw ControlError(file: path, message: error.reason) }
        throw ControlError(file: path, message: "larger than \(limit) bytes")
    }

    /// The nearest `.daelint.json` in a folder or above it; `nil` where there is none.
    static func nearest(above folder: String) -> String? {
        guard let real = try? RealPath.of(folder) else { return nil }
        var place = Substring(real)
        while true {
            let path = (place == "/" ? "" : place) + "/" + name
            if access(String(path), F_OK) == 0 { return String(path) }
            guard place.count > 1, let slash = place.lastIndex(of: "/") else { return nil }
            place = slash == place.startIndex ? "/" : place[..<slash]
        }
    }

    /// What kind of thing a path leads to; `nil` for nothing.
    static func kind(_ path: String) -> FileMetadata.Kind? { FileMetadata(following: path)?.kind }

    /// A path that a file in `folder` names.
    static func path(_ path: String, from folder: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
}
