/// An error that brings what was found before it.
public protocol FindingsCarrying: Error {
    var findings: FindingLog { get }
}
