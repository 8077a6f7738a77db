/// An error that stops one operation: its code is also a ``FindingCode``, so that a failure can be looked up like a finding.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
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
