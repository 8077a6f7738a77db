// Requests are signed as https://www.standardwebhooks.com says, so that receivers have libraries that verify them.

import DaeCore
import Daedalus
import FoundationEssentials

/// What a receiver may be told of.
enum WebhookEvent: String, Sendable, CaseIterable {
    /// An asset came to its end: it is ready, or failed.
    case settled
    case removed
}

/// Somebody outside who is told of assets.
struct Webhook: Sendable {
    let name: String
    let url: String
    let secret: WebhookSecret
    let events: Set<WebhookEvent>
    /// Only assets that have all of these.
    let labels: AssetLabels
    /// Milliseconds since 1970, UTC.
    let created: Int64

    /// Webhooks at most.
    static let limit = 16
}

/// How a receiver stands.
struct WebhookStatus: Sendable {
    let hook: Webhook
    let phase: Phase
    /// Events that wait for it.
    let waiting: Int64
    /// Events that found no room among those, or were tried for too long.
    let dropped: Int64
    /// Why the last try failed; `nil` behind one that did not.
    let fault: String?

    enum Phase: String, Sendable {
        case active
        /// It failed for so long that it is told of nothing any more, until it is put again.
        case parked
    }

    /// All but the secret.
    var json: JSONValue {
        [
            "name": .string(hook.name), "events": JSONValue(hook.events.map(\.rawValue).sorted()),
            "url": .string(LinkSecret.hidden(in: SourceAddress.display(hook.url), about: hook.url)),
            "labels": hook.labels.json, "created": .integer(hook.created), "state": .string(phase.rawValue),
            "waiting": .integer(waiting), "dropped": .integer(dropped), "fault": JSONValue(fault),
        ]
    }
}

/// One event on its way to one receiver.
struct WebhookDelivery: Sendable {
    let number: Int64
    /// The same however often it is tried.
    let id: String
    let hook: Webhook
    /// JSON.
    let body: String
    /// Milliseconds since 1970, UTC.
    let created: Int64
    /// How often it was tried, this time included.
    let attempts: Int

    /// Milliseconds for which it is tried; a receiver that took nothing else for so long is parked then.
    static let lifetime: Int64 = 24 * 3_600_000

    /// Before the next try: from a second to an hour, each about twice the last.
    private static let retries: RetryPolicy = {
        var policy = RetryPolicy()
        (policy.firstPause, policy.longestPause) = (1, 3600)
        return policy
    }()

    /// Milliseconds until the next try, some of them by chance.
    ///
    /// - Parameter chance: 0..<1.
    func pause(chance: Double) -> Int64 { Int64(Self.retries.pause(after: attempts, chance: chance) * 1000) }

    /// The headers by which a receiver knows whose it is.
    ///
    /// - Parameter now: Seconds since 1970, UTC.
    func headers(now: Int64) throws -> [RequestHeader] {
        [
            try RequestHeader("Webhook-Id", id), try RequestHeader("Webhook-Timestamp", String(now)),
            try RequestHeader("Webhook-Signature", hook.secret.signature(of: "\(id).\(now).\(body)")),
        ]
    }
}

/// What a receiver and the service share. No text shows it.
struct WebhookSecret: Sendable, Equatable {
    /// As it was given: `whsec_` and a key in base 64, or any text.
    let text: String
    private let key: [UInt8]

    /// `nil` for less than 16 and more than 200 bytes, and what is no base 64.
    init?(_ text: String) {
        let prefix = "whsec_"
        if text.hasPrefix(prefix) {
            guard let data = Data(base64Encoded: String(text.dropFirst(prefix.utf8.count))) else { return nil }
            key = Array(data)
        } else {
            key = Array(text.utf8)
        }
        guard (16...200).contains(key.count), text.utf8.count <= 400, !text.utf8.contains(0) else { return nil }
        self.text = text
    }

    func signature(of message: String) -> String {
        "v1," + Data(HMACSHA256.code(of: Array(message.utf8), key: key).bytes).base64EncodedString()
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    var description: String { "***" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
