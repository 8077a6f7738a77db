import DaeCore
import Daedalus
import FoundationEssentials

/// What a client says of an asset beside where its bytes are.
struct AssetDetails: Sendable, Equatable {
    var labels = AssetLabels()
    /// When the service removes it by itself, in milliseconds since 1970, UTC; `nil` for never.
    var expires: Int64?
    /// How its link is downloaded. Of an asset that was kept it is read for its worker alone.
    var download: DownloadDetails?

    /// As events tell of them.
    var json: JSONValue { ["labels": labels.json, "expires": JSONValue(expires)] }
}

/// Why labels, an expiry or headers of a client cannot be taken.
struct AssetDetailFault: Error {
    /// The member or parameter.
    let name: String
    let text: String

    init(name: String, text: String) { (self.name, self.text) = (name, text) }

    /// - Parameters:
    ///   - kind: `member` or `parameter`.
    ///   - expected: Those that there are.
    init(unknown kind: String, _ name: String, expected: String) {
        self.name = name.printable(limit: 40)
        text = "There is no \(kind) '\(self.name)' here; expected \(expected)."
    }
}

/// Names with values by which assets are found again.
struct AssetLabels: Sendable, Equatable {
    private(set) var values: [String: String] = [:]

    /// Labels of one asset at most.
    static let limit = 16
    private static let valueLimit = 200

    init() {}

    init(_ values: [String: String]) throws(AssetDetailFault) {
        guard values.count <= Self.limit else {
            throw Self.fault("There are \(values.count) labels; expected \(Self.limit) at most.")
        }
        for (name, value) in values { try Self.check(name, value) }
        self.values = values
    }

    /// - Parameter changes: Values by their names; `nil` for a label that goes.
    mutating func merge(_ changes: [String: String?]) throws(AssetDetailFault) {
        self = try AssetLabels(
            values.merging(changes.compactMapValues(\.self)) { _, new in new }
                .filter { changes[$0.key] != .some(nil) })
    }

    var json: JSONValue { .object(values.mapValues { .string($0) }) }

    /// Whether all of these are among them.
    func contain(_ others: AssetLabels) -> Bool { others.values.allSatisfy { values[$0] == $1 } }

    static func check(_ name: String, _ value: String) throws(AssetDetailFault) {
        guard isName(name) else {
            throw fault(
                "'\(name.printable(limit: 70))' is no name of a label; expected 1 to 63 lower-case letters, digits, '.', '_' "
                    + "or '-', the first a letter or a digit.")
        }
        guard value.utf8.count <= valueLimit, !value.unicodeScalars.contains(where: \.isControl) else {
            throw fault("The value of '\(name)' has more than \(valueLimit) bytes or controls.")
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard (1...63).contains(text.utf8.count), let first = text.utf8.first else { return false }
        return isLetterOrDigit(first) && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func fault(_ text: String) -> AssetDetailFault { AssetDetailFault(name: "labels", text: text) }
}

/// A label that assets are asked for: with a value, or with any.
struct LabelFilter: Sendable {
    let name: String
    let value: String?

    /// - Parameter text: `NAME=VALUE`, or `NAME`.
    init(_ text: some StringProtocol) throws(AssetDetailFault) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        (name, value) = (parts[0], parts.count > 1 ? parts[1] : nil)
        try AssetLabels.check(name, value ?? "")
    }
}

extension AssetDetails {
    /// - Parameters:
    ///   - labels: `NAME=VALUE` each.
    ///   - expires: Milliseconds as a text.
    ///   - now: The expiry lies behind it; `nil` where that was looked at before.
    init(labels: [some StringProtocol], expires: String?, now: Int64?) throws(AssetDetailFault) {
        var values: [String: String] = [:]
        for text in labels {
            let filter = try LabelFilter(text)
            guard let value = filter.value, values.updateValue(value, forKey: filter.name) == nil else {
                throw AssetDetailFault(
                    name: "label",
                    text: "'\(String(text).printable(limit: 70))' is no NAME=VALUE of a name that has no value yet.")
            }
        }
        self.labels = try AssetLabels(values)
        guard let expires else { return }
        guard let number = Int64(expires) else { throw Self.expiryFault(expires) }
        self.expires = try Self.expiry(number, now: now)
    }

    /// As the metadata of an upload has them: `labels` as JSON, and `expires`.
    init(_ metadata: UploadMetadata?, now: Int64?) throws(AssetDetailFault) {
        var details = try Self(labels: [String](), expires: metadata?["expires"], now: now)
        if let text = metadata?["labels"] {
            guard let values = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8)) else {
                throw AssetDetailFault(name: "labels", text: "labels is no JSON object of texts.")
            }
            details.labels = try AssetLabels(values)
        }
        self = details
    }

    /// - Parameter now: What is not behind it is refused: seconds in place of milliseconds would be long ago.
    static func expiry(_ number: Int64, now: Int64?) throws(AssetDetailFault) -> Int64 {
        // The end of the year 9999.
        guard number > now ?? 0, number <= 253_402_300_799_999 else { throw expiryFault(String(number)) }
        return number
    }

    private static func expiryFault(_ text: String) -> AssetDetailFault {
        AssetDetailFault(
            name: "expires",
            text: "expires is '\(text.printable(limit: 40))'; expected milliseconds since 1970, UTC, of a time to come."
        )
    }
}
