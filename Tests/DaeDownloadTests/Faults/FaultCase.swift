import DaeDiagnostics
import TestSupport
import Testing

/// A row of the table: what a server does wrong, and what a download makes of it.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// What a client must be able to do before the row can be asked of it.
    enum Skill: Sendable, CaseIterable {
        /// A single request.
        case asking
        /// Requests again after failures that pass, from where it stopped.
        case resuming
        /// Unpacks a coding that it did not ask for.
        case decoding
        /// Holds the bytes against the digests that a server sends.
        case verifying
    }

    enum Expectation: Sendable {
        /// The resource's bytes as they are in the end.
        case sameBytes(requests: ClosedRange<Int>)
        /// The same, with a finding of this code.
        case finding(String, requests: ClosedRange<Int>)
        /// No file.
        case failure(FindingCode, requests: ClosedRange<Int>)

        var requests: ClosedRange<Int> {
            switch self {
            case .sameBytes(let requests), .finding(_, let requests), .failure(_, let requests): requests
            }
        }
    }

    let name: String
    var resource = FaultResource(Self.bytes)
    /// What goes wrong with the first requests.
    var script: [Fault]
    /// What goes wrong with every later one.
    var after = Fault.none
    /// The same for what redirects lead to, which is the same resource.
    var scriptOfMoved: [Fault] = []
    var scheme = "http"
    let skill: Skill
    let expectation: Expectation
    /// Bytes of all bodies together at most: shows that what was there was not fetched again.
    var bodyBytes = Int.max

    init(_ name: String, _ skill: Skill, _ script: Fault..., expecting expectation: Expectation) {
        self.name = name
        self.skill = skill
        self.script = script
        self.expectation = expectation
    }

    static let path = "/model.zip"
    static let moved = "/moved.zip"
    static let count = 200_000
    static let bytes = FaultResource.noise(count)

    var testDescription: String { name }

    /// Ready to be asked.
    func server() throws -> FaultServer {
        let server = try FaultServer([Self.path: resource, Self.moved: resource])
        server.play(script, then: after, at: Self.path)
        server.play(scriptOfMoved, at: Self.moved)
        return server
    }

    /// What the file holds once the script has been played.
    var finalBytes: [UInt8] {
        script.reduce(resource.bytes) { bytes, fault in
            if case .replaced(let resource) = fault { return resource.bytes }
            if case .replacedUnnoticed(let resource) = fault { return resource.bytes }
            return bytes
        }
    }
}

// MARK: - Writing rows

extension FaultCase {
    /// With another resource.
    func of(_ resource: FaultResource) -> FaultCase {
        var row = self
        row.resource = resource
        return row
    }

    /// Where the script's last fault never ends.
    func forEver() -> FaultCase {
        var row = self
        row.after = row.script.last ?? .none
        return row
    }

    func thenAtMoved(_ faults: Fault...) -> FaultCase {
        var row = self
        row.scriptOfMoved = faults
        return row
    }

    /// Whose bodies have no more bytes than this together.
    func within(_ bytes: Int) -> FaultCase {
        var row = self
        row.bodyBytes = bytes
        return row
    }

    func by(_ scheme: String) -> FaultCase {
        var row = self
        row.scheme = scheme
        return row
    }
}
