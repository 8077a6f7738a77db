import DaeCore

/// An error that stops one operation: its code is also a ``FindingCode``, so that a failure can be looked up like a finding.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    var code: FindingCode { get }
    /// Where it happened, as far as known.
    var place: Place { get }
    /// One sentence: what, and what was expected.
    var message: String { get }
}

extension CodedError {
    /// `entry:line:column: message`.
    public var description: String {
        let place = place.description
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

/// Why an operation was stopped: a bundle that cannot be opened, an entry or a document that cannot be read to its end, an
/// action that is not possible. What is merely unusual is a ``Finding``.
public struct CodedFailure: CodedError, Hashable {
    /// What kind of failure it is.
    public let code: FindingCode
    /// Where it is; empty where it is in no document.
    public var place: Place
    /// What is wrong and what was expected, as one sentence for people.
    public let message: String
    /// What was found before it; empty where its maker collects nothing.
    public var findings = FindingLog()

    /// A failure of operations of one's own.
    ///
    /// - Parameter message: What is wrong and what was expected, as one sentence.
    public init(_ code: FindingCode, at place: Place = Place(), _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    /// In an entry of a bundle, whose path is shown without control characters and cut behind 200.
    package init(_ code: FindingCode, entry: String?, _ message: String) {
        self.init(code, at: Place(entry: entry?.printable(limit: 200)), message)
    }

    /// The same, in `entry` if none was known, with all that was found before it.
    package func within(entry: String? = nil, findings: FindingLog) -> CodedFailure {
        var failure = self
        failure.place = place.within(entry: entry)
        failure.findings = findings
        return failure
    }
}
