// Worker events carry their attempt: after a cancel and a retry, the old worker may still have something to say.

/// Which try at an asset this is, from 1; every retry begins the next.
public struct Attempt: Sendable, Hashable, Comparable {
    public static let first = Attempt(unchecked: 1)

    public let number: Int

    /// `nil` below 1.
    public init?(_ number: Int) {
        guard number >= 1 else { return nil }
        self.number = number
    }

    private init(unchecked number: Int) { self.number = number }

    /// The try after this; the last number there is stays itself.
    public var next: Attempt { number == .max ? self : Attempt(unchecked: number + 1) }

    public static func < (left: Attempt, right: Attempt) -> Bool { left.number < right.number }
}

extension Attempt: CustomStringConvertible {
    public var description: String { String(number) }
}

extension Attempt: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let attempt = Attempt(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "An attempt counts from 1.")
        }
        self = attempt
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
