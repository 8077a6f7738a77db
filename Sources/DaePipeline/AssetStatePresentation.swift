// The command line's progress line and the service's representation are both made from this, so that they never differ.

import DaeCore
import DaeDiagnostics

/// What is shown of a state and what may be done about it, as a function of the state and its asset's source.
public struct AssetStatePresentation: Sendable, Hashable {
    /// One word, such as `Downloading`.
    package let title: String
    /// How far, and with what; free of control characters.
    package let detail: String
    /// 0...1; `nil` when it cannot be known.
    package let fraction: Double?
    package let actions: [AssetAction.Kind]

    /// - Parameter source: Named while it is fetched, without what is secret in it; `nil` to leave it out.
    public init(_ state: AssetState, source: String? = nil) {
        title = state.title
        detail = Self.detail(of: state, source)
        fraction = state.progress
        actions = state.availableActions
    }

    /// `Downloading  42 %  1.2 MB of 2.9 MB, https://…`, without a line break.
    public var line: String {
        guard let fraction, fraction < 1 else { return "\(title)  \(detail)" }
        return "\(title)  \(Int(fraction * 100)) %  \(detail)"
    }

    private static func detail(of state: AssetState, _ source: String?) -> String {
        let text =
            switch state {
            case .downloading(let download):
                bytes(download.bytes) + (source.map { ", " + SourceAddress.display($0) } ?? "")
            case .unzipping(let unzip): entries(unzip) + ", \(unzip.archive)"
            case .parsing(let parse): bytes(parse.bytes) + ", \(parse.document)"
            case .ready(let ready): detail(of: ready.summary)
            case .failed(let failure): detail(of: failure)
            }
        return text.printable() + again(state)
    }

    private static func detail(of summary: AssetSummary) -> String {
        var counts = [number(summary.nodes, "node", "nodes"), number(summary.triangles, "triangle", "triangles")]
        let findings = summary.findings
        if findings.errors > 0 { counts.append(number(findings.errors, "error", "errors")) }
        if findings.warnings > 0 { counts.append(number(findings.warnings, "warning", "warnings")) }
        return summary.document + ": " + counts.joined(separator: ", ")
    }

    private static func detail(of failure: AssetState.Failure) -> String {
        let place = failure.place.description
        let message = place.isEmpty ? failure.message : "\(place): \(failure.message)"
        return "\(failure.stage.rawValue), \(failure.code.rawValue): \(message)"
    }

    private static func bytes(_ tally: StageProgress) -> String {
        let done = ByteCount.text(tally.done)
        return tally.total.map { "\(done) of \(ByteCount.text($0))" } ?? done
    }

    private static func entries(_ unzip: AssetState.Unzip) -> String {
        let all = unzip.entriesTotal ?? unzip.entriesDone
        let done = unzip.entriesTotal.map { _ in "\(unzip.entriesDone) of " } ?? ""
        return done + number(all, "entry", "entries")
    }

    private static func number(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    private static func again(_ state: AssetState) -> String {
        state.attempt == .first ? "" : " (attempt \(state.attempt))"
    }
}

/// Sizes for people.
enum ByteCount {
    private static let units: [(size: Int64, name: String)] = [
        (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"),
    ]

    /// In decimal units with one place, cut and not rounded, so that it never says more than is there.
    static func text(_ bytes: Int64) -> String {
        guard let unit = units.first(where: { bytes >= $0.size }) else {
            return bytes == 1 ? "1 byte" : "\(bytes) bytes"
        }
        return "\(bytes / unit.size).\(bytes % unit.size / (unit.size / 10)) \(unit.name)"
    }
}
