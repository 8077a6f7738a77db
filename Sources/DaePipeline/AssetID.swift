/// The name of one asset in a pipeline: 1 to 64 letters, digits, `-` or `_`, so that it can stand in a path and in a log.
public struct AssetID: Sendable, Hashable {
    public let text: String

    /// `nil` when `text` has another length or other characters.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// A new name from 128 random bits, as 32 hexadecimal digits.
    public static func random() -> AssetID {
        var generator = SystemRandomNumberGenerator()
        return AssetID(unchecked: hexadecimal(generator.next()) + hexadecimal(generator.next()))
    }

    private init(unchecked text: String) { self.text = text }

    private static func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension AssetID: CustomStringConvertible {
    public var description: String { text }
}

extension AssetID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = AssetID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "An asset's id is 1 to 64 letters, digits, '-' or '_'.")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

// Worker events carry their attempt: after a cancel and a retry, the old worker may still have something to say.

/// Which try at an asset this is, from 1; every retry begins the next.
public struct Attempt: Sendable, Hashable, Comparable {
    package static let first = Attempt(unchecked: 1)

    public let number: Int

    /// `nil` below 1.
    package init?(_ number: Int) {
        guard number >= 1 else { return nil }
        self.number = number
    }

    private init(unchecked number: Int) { self.number = number }

    /// The try after this; the last number there is stays itself.
    package var next: Attempt { number == .max ? self : Attempt(unchecked: number + 1) }

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
