import Daedalus

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
    /// The asset as a client may see it.
    func seen(by client: Client) throws -> AssetRecord {
        guard case .address(let url) = origin, let secret = LinkSecret(url: url, addedBy: addedBy),
            !secret.isShown(to: client)
        else { return self }
        return AssetRecord(
            id: id, name: name, origin: .address(secret.hidden(in: url)), content: content,
            state: try StateText.read(AssetState.self, secret.hidden(in: try StateText.text(state))),
            created: created, changed: changed, addedBy: addedBy)
    }
}

extension ServiceEvent {
    /// The data as a client may see it.
    func data(for client: Client) -> String {
        guard let secret, !secret.isShown(to: client) else { return data }
        return secret.hidden(in: data)
    }
}
