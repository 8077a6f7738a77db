// The command line's progress line and the service's representation are both made from this, so that they never differ.

import Diagnostics

/// What is shown of a state and what may be done about it, as a function of the state alone.
public struct AssetStatePresentation: Sendable, Hashable {
    /// One word, such as `Downloading`.
    public let title: String
    /// How far, and with what; free of control characters.
    public let detail: String
    /// 0...1; `nil` when it cannot be known.
    public let fraction: Double?
    public let actions: [AssetAction.Kind]

    public init(_ state: AssetState) {
        title = state.title
        detail = Self.detail(of: state)
        fraction = state.progress
        actions = state.availableActions
    }

    /// `Downloading  42 %  1.2 MB of 2.9 MB, https://…`, without a line break.
    public var line: String {
        // Rounded down: 100 % is said when all is there.
        let percent = fraction.map { "  \(Int($0 * 100)) %" } ?? ""
        return "\(title)\(percent)  \(detail)"
    }

    private static func detail(of state: AssetState) -> String {
        let text =
            switch state {
            case .downloading(let download): amount(download.bytes, in: ByteCount.text) + ", \(download.source)"
            case .unzipping(let unzip): amount(unzip.entries, in: entries) + ", \(unzip.archive)"
            case .parsing(let parse): amount(parse.bytes, in: ByteCount.text) + ", \(parse.document)"
            case .ready(let ready): detail(of: ready.summary)
            case .failed(let failure): detail(of: failure)
            }
        return Printable.text(text) + again(state)
    }

    private static func detail(of summary: AssetSummary) -> String {
        let findings = [
            counted(summary.findings.errors, "error"), counted(summary.findings.warnings, "warning"),
        ].compactMap(\.self)
        let counts = ["\(number(summary.nodes, "node"))", "\(number(summary.triangles, "triangle"))"] + findings
        return summary.document + ": " + counts.joined(separator: ", ")
    }

    private static func detail(of failure: AssetState.Failure) -> String {
        let place = failure.place.description
        let message = place.isEmpty ? failure.message : "\(place): \(failure.message)"
        return "\(failure.stage.rawValue), \(failure.code.rawValue): \(message)"
    }

    private static func amount(_ tally: Tally, in unit: (Int64) -> String) -> String {
        tally.total.map { "\(unit(tally.done)) of \(unit($0))" } ?? unit(tally.done)
    }

    private static func entries(_ count: Int64) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    private static func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private static func counted(_ count: Int, _ noun: String) -> String? { count == 0 ? nil : number(count, noun) }

    private static func again(_ state: AssetState) -> String {
        state.attempt == .first ? "" : " (attempt \(state.attempt))"
    }
}
