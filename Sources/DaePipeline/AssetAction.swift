/// What a person, the command line or the HTTP service may ask for. One enum, one way in: ``AssetPipeline/perform(_:)``.
public enum AssetAction: Sendable, Hashable {
    /// Takes in a source and sets to work on it.
    case add(AssetSource)
    /// Begins the next attempt at an asset whose failure allows it.
    case retry(AssetID)
    /// Stops the work; the asset settles as failed and can be tried again. A ready one stays so: its conversions stop.
    case cancel(AssetID)
    /// Writes a ready asset's model, where the operations have a place for it; the service makes it ahead of its being
    /// asked for.
    case convert(AssetID)
    /// Stops the work if need be, and forgets the asset and its product.
    case remove(AssetID)

    /// Takes in a file or a folder of this machine, or one document within it (``AssetSource/path(_:entry:)``).
    public static func add(path: String, entry: String? = nil) -> AssetAction { .add(.path(path, entry: entry)) }

    /// Takes in a file on the web, which is all that a stranger's text may name.
    public static func add(url: String) -> AssetAction { .add(.url(url)) }

    /// Takes in a file that is in memory; its name's ending says what it is where the bytes alone do not.
    public static func add(bytes: [UInt8], name: String) -> AssetAction { .add(.bytes(bytes, name: name)) }

    /// Takes in what a person at a terminal wrote.
    package static func add(source: String) -> AssetAction { .add(.typed(source)) }

    /// An action without the asset it is about. Raw values are what is written.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        case add, retry, cancel, convert, remove
    }

    /// The action without its asset.
    public var kind: Kind {
        switch self {
        case .add: .add
        case .retry: .retry
        case .cancel: .cancel
        case .convert: .convert
        case .remove: .remove
        }
    }

    /// What the machine of the asset is told; `nil` for what makes or forgets an asset, which is no event of its.
    package var event: AssetStateMachine.Event? {
        switch self {
        case .retry: .retry
        case .cancel: .cancel
        case .convert: .convert
        case .add, .remove: nil
        }
    }

    /// The asset it is about; `nil` for one that is still to be made.
    public var asset: AssetID? {
        switch self {
        case .add: nil
        case .retry(let id), .cancel(let id), .convert(let id), .remove(let id): id
        }
    }
}

/// One line of the audit trail: an action that was accepted.
public struct PerformedAction: Sendable, Hashable {
    /// From 1, without gaps: a gap shows an observer what it was too slow for.
    public let number: Int64
    /// What was asked for.
    public let action: AssetAction
    /// The asset it was about, the new one's for an `add`.
    public let asset: AssetID
    /// Milliseconds since 1970, UTC, by the pipeline's own clock.
    public let at: Int64

    /// For tests and previews.
    public init(number: Int64, action: AssetAction, asset: AssetID, at: Int64) {
        (self.number, self.action, self.asset, self.at) = (number, action, asset, at)
    }
}

// {"version": 1, "action": "retry", "asset": "…"}; an `add` has an address as its "source", or a "path". Over HTTP the
// asset stands in the path and may be left out of the body; a body that names another asset than the path is refused.

extension AssetAction {
    /// What a decoder is told (its `userInfo`) where the asset is known and the text may leave it out.
    package static func userInfo(asset: AssetID) -> [CodingUserInfoKey: any Sendable] {
        assetKey.map { [$0: asset] } ?? [:]
    }

    private static let assetKey = CodingUserInfoKey(rawValue: "AssetAction.asset")
}

extension AssetAction: Codable {
    private enum Key: String, CodingKey {
        case version, action, asset, source, path, entry
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.checkVersion(at: .version)
        switch try container.name(Kind.self, at: .action) {
        case .add:
            let entry = try container.decodeIfPresent(String.self, forKey: .entry)
            if let path = try container.decodeIfPresent(String.self, forKey: .path) {
                self = .add(.path(path, entry: entry))
            } else {
                self = .add(.url(try container.decode(String.self, forKey: .source), entry: entry))
            }
        case .retry: self = .retry(try Self.asset(in: container, decoder))
        case .cancel: self = .cancel(try Self.asset(in: container, decoder))
        case .convert: self = .convert(try Self.asset(in: container, decoder))
        case .remove: self = .remove(try Self.asset(in: container, decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(WireFormat.version, forKey: .version)
        try container.encode(kind, forKey: .action)
        switch self {
        case .add(let source):
            try container.encodeIfPresent(source.entry, forKey: .entry)
            switch source.kind {
            case .url(let web): try container.encode(web.address, forKey: .source)
            case .path(let path): try container.encode(path, forKey: .path)
            case .typed, .reader:
                throw EncodingError.invalidValue(
                    source,
                    .init(codingPath: encoder.codingPath, debugDescription: "'\(source)' means something here alone."))
            }
        case .retry(let id), .cancel(let id), .convert(let id), .remove(let id):
            try container.encode(id, forKey: .asset)
        }
    }

    private static func asset(
        in container: KeyedDecodingContainer<Key>, _ decoder: any Decoder
    ) throws -> AssetID {
        guard let known = assetKey.flatMap({ decoder.userInfo[$0] as? AssetID }) else {
            return try container.decode(AssetID.self, forKey: .asset)
        }
        if let written = try container.decodeIfPresent(AssetID.self, forKey: .asset), written != known {
            throw container.refusal(.asset, "The action names '\(written)' but was sent to '\(known)'.")
        }
        return known
    }
}

/// The name of one asset in a pipeline: 1 to 64 letters, digits, `-` or `_`, so that it can stand in a path and in a log.
public struct AssetID: Sendable, Hashable {
    /// As it stands in paths and logs.
    public let text: String

    /// `nil` when `text` has another length or other characters.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// A new name from 128 random bits, as 32 hexadecimal digits.
    package static func random() -> AssetID {
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

    /// From 1.
    public let number: Int

    /// `nil` below 1.
    public init?(_ number: Int) {
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
