import DaeCore
import Daedalus
import FoundationEssentials

/// Where an asset's bytes came from.
enum AssetOrigin: Sendable, Equatable {
    case address(String)
    /// Bytes that a client sent.
    case upload
}

/// One asset as it is kept.
struct AssetRecord: Sendable, Equatable {
    let id: AssetID
    let name: String
    let origin: AssetOrigin
    /// `nil` until its bytes are here.
    var content: StoredContent?
    var state: AssetState
    /// Milliseconds since 1970, UTC.
    let created: Int64
    var changed: Int64
    /// The token of whoever added it; `nil` where that is not known.
    var addedBy: String?
    var details = AssetDetails()

    /// What the state machine calls it.
    var source: String {
        switch origin {
        case .address(let url): url
        case .upload: name
        }
    }

    /// What a request that adds it asks for: of one that is sent again it is the same. An expiry is none of it, since it
    /// may be counted from when the request is sent.
    func order() throws -> String {
        let order =
            switch origin {
            case .address(let url): "add \(name)\n\(url)"
            case .upload: "add \(name)\n\(content?.digest.hex ?? "")"
            }
        let more =
            try (details.labels.values.isEmpty ? [] : [StateText.text(details.labels.values)])
            + (details.download.map { [try StateText.text($0)] } ?? [])
        return ([order] + more).joined(separator: "\n")
    }
}

/// What an asset's bytes are, wherever the ``ObjectStore`` has them.
struct StoredContent: Sendable, Equatable {
    let digest: SHA256Digest
    let bytes: Int64
    /// The file's name, which says beside the bytes what it is.
    let name: String
    /// Under which what was read of it is kept.
    let key: ContentKey
    /// What the bytes are in, as the row said that it was read from; `nil` for what was not read from one.
    var object: ObjectKey?
}

extension StoredContent {
    /// - Parameter file: Where the bytes are now.
    init(digest: SHA256Digest, bytes: Int64, name: String, in file: String) {
        self.init(
            digest: digest, bytes: bytes, name: name, key: ContentKey(digest: digest, name: name, file: file))
    }
}

/// The query of a link that was added. What stands there may let whoever has it in elsewhere, so it is shown to nobody but
/// whoever added it.
struct LinkSecret: Sendable {
    private let query: String
    private let addedBy: String?

    /// What is shown instead.
    private static let mark = "?hidden"

    /// `nil` for a link without a query.
    init?(url: String, addedBy: String?) {
        guard let start = url.firstIndex(of: "?") else { return nil }
        let query = url[start...].prefix { $0 != "#" }
        guard query.utf8.count > 1 else { return nil }
        self.query = String(query)
        self.addedBy = addedBy
    }

    func isShown(to client: Client) -> Bool {
        switch client {
        // All are one.
        case .anyone: true
        case .token(let id, _, _): id == addedBy
        case .stranger: false
        }
    }

    /// A link, or a text about it, as everybody may see it.
    static func hidden(in text: String, about url: String) -> String {
        LinkSecret(url: url, addedBy: nil)?.hidden(in: text) ?? text
    }

    /// A text, or JSON, without it.
    func hidden(in text: String) -> String {
        let escaped = String(decoding: JSONValue.string(query).text(.compact).dropFirst().dropLast(), as: UTF8.self)
        return text.replacing(query, with: Self.mark).replacing(escaped, with: Self.mark)
    }
}

extension AssetRecord {
    /// What of its link not everybody may see.
    var secret: LinkSecret? {
        switch origin {
        case .address(let url): LinkSecret(url: url, addedBy: addedBy)
        case .upload: nil
        }
    }

    /// The asset as a client may see it.
    func seen(by client: Client) throws -> AssetRecord {
        guard case .address(let url) = origin, let secret, !secret.isShown(to: client) else { return self }
        return AssetRecord(
            id: id, name: name, origin: .address(secret.hidden(in: url)), content: content,
            state: try StateText.read(AssetState.self, secret.hidden(in: try StateText.text(state))),
            created: created, changed: changed, addedBy: addedBy, details: details)
    }
}

extension ServiceEvent {
    /// The data as a client may see it.
    func data(for client: Client) -> String {
        guard let secret, !secret.isShown(to: client) else { return data }
        return secret.hidden(in: data)
    }
}

/// The name of what was read of some bytes. Equal archives of names that end alike are read once. Where the bytes are no
/// archive the file's own name stands in what was read, as that of the bundle's one file, and so it is in the key.
struct ContentKey: Sendable, Hashable {
    let digest: SHA256Digest
    /// As it stands in paths and in the database.
    let text: String

    /// - Parameters:
    ///   - name: As ``FileName/clean(_:)`` gives it.
    ///   - file: Where the bytes are.
    init(digest: SHA256Digest, name: String, file: String) {
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        if ["zae", "kmz", "zip"].contains(ending), Self.beginsAsArchive(file) {
            self.init(digest, "\(digest.hex).\(ending)")
        } else {
            self.init(digest, "\(digest.hex).\(SHA256Digest(hashing: Array(name.utf8)).hex.prefix(32))")
        }
    }

    /// - Parameter text: A key that was kept; `nil` for that of other bytes.
    init?(digest: SHA256Digest, text: String) {
        let hex = digest.hex
        let ending = text.utf8.dropFirst(hex.utf8.count + 1)
        guard text == hex || text.hasPrefix(hex + ".") && ending.allSatisfy(Self.isAllowed) else { return nil }
        self.init(digest, text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private init(_ digest: SHA256Digest, _ text: String) { (self.digest, self.text) = (digest, text) }

    /// Those with something before their first entry are read once a name, as what is no archive.
    private static func beginsAsArchive(_ file: String) -> Bool {
        guard let file = try? OpenedFile(file), let start = try? file.read(at: 0, count: 2) else { return false }
        return start.elementsEqual("PK".utf8)
    }
}

/// Library values as their own JSON, and back.
enum StateText {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// As a part of a larger JSON text.
    static func json(_ value: some Encodable) throws -> JSONValue {
        try JSONValue(text: Array(try JSONEncoder().encode(value)))
    }
}
