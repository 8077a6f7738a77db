// Totals come from servers and archives, which may lie; this type is where a lie ends.

/// How much of a stage is done, and of how much in all: bytes or entries. Never negative, never more than the total.
public struct Tally: Sendable, Hashable {
    public static let none = Tally(done: 0)

    public let done: Int64
    /// `nil` until it is known, and again once it has been exceeded.
    public let total: Int64?

    /// Negative numbers count as 0; a total below `done` was wrong and is forgotten.
    public init(done: Int64, of total: Int64? = nil) {
        let done = max(0, done)
        self.done = done
        self.total = total.flatMap { $0 < done ? nil : $0 }
    }

    /// `nil` for numbers that no tally has; for values read from outside.
    init?(exactly done: Int64, of total: Int64?) {
        self.init(done: done, of: total)
        guard self.done == done, self.total == total else { return nil }
    }

    /// The newer count; a total that it does not name is the one known before.
    func advanced(to newer: Tally) -> Tally { Tally(done: newer.done, of: newer.total ?? total) }

    /// Share that is done, 0...1; `nil` while the total is unknown.
    public var fraction: Double? { total.map { $0 == 0 ? 1 : Double(done) / Double($0) } }
}
