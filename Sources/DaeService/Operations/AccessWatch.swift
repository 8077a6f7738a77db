import Daedalus
import Logging

/// Tells in the log which tokens and keys come and go and what tokens may have, whoever decides that: most are made by
/// commands beside the service.
struct AccessWatch {
    private let tools: ServiceTools
    /// What was there before is not told.
    private var isFirst = true
    /// By their ids.
    private var tokens: [String: StoredToken] = [:]
    private var keys: Set<String> = []

    init(_ tools: ServiceTools) { self.tools = tools }

    mutating func look() async throws {
        let present = try await tools.access.tokens()
        let active = Set(try await tools.access.keys().filter { $0.phase == .active }.map(\.id))
        if !isFirst {
            for token in present {
                guard let known = tokens[token.id] else {
                    logChange("token added", token)
                    continue
                }
                if known.quota != token.quota { logChange("token limited", token) }
            }
            let ids = Set(present.map(\.id))
            for token in tokens.values where !ids.contains(token.id) { logChange("token revoked", token) }
            for key in active.subtracting(keys).sorted() {
                tools.audit.notice("key added", metadata: ["key": "\(key)"])
            }
            for key in keys.subtracting(active).sorted() {
                tools.audit.notice("key retired", metadata: ["key": "\(key)"])
            }
        }
        (isFirst, keys) = (false, active)
        tokens = Dictionary(present.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func logChange(_ message: Logger.Message, _ token: StoredToken) {
        func number(_ limit: Int64?) -> Logger.MetadataValue { limit.map { "\($0)" } ?? "none" }
        let quota = token.quota
        tools.audit.notice(
            message,
            metadata: [
                "token": "\(token.name)", "scope": "\(token.scope.rawValue)",
                "quota": [
                    "assets": number(quota.assets), "bytes": number(quota.bytes), "requests": number(quota.requests),
                ],
            ])
    }
}
