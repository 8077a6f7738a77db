// A document of gigabytes is converted in little memory: its arrays lie where whoever read it put them, and are had back
// one mesh or one curve at a time.

/// Numbers that lie outside of a scene.
public protocol NumberArchive: AnyObject, Sendable {
    /// - Returns: `nil` where they cannot be read.
    func reals(_ run: ArchivedRun) -> [Double]?
    /// - Returns: `nil` where they cannot be read.
    func integers(_ run: ArchivedRun) -> [Int32]?
}

/// Numbers that lie one behind the other in a ``NumberArchive``.
public struct ArchivedRun: Sendable, Hashable {
    /// The first one's byte.
    public let start: Int
    public let count: Int

    public init(start: Int, count: Int) {
        self.start = start
        self.count = count
    }
}
