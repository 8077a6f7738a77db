import Daedalus
import Logging

/// Tells in the log which tokens and keys come and go, whoever makes or ends them: most are made by commands beside the
/// service.
struct AccessWatch {
    private let tools: ServiceTools
    /// What ``AccessStore/tokenChanges()`` was when they were looked at last; `nil` before that.
    private var changes: Int64?
    /// By their ids.
    private var tokens: [String: StoredToken] = [:]
    private var keys: Set<String> = []

    init(_ tools: ServiceTools) { self.tools = tools }

    mutating func look(_ changes: Int64) async throws {
        guard changes != self.changes else { return }
        let isFirst = self.changes == nil
        let present = try await tools.access.tokens()
        let active = Set(try await tools.access.keys().filter { $0.phase == .active }.map(\.id))
        if !isFirst {
            for token in present where tokens[token.id] == nil { tell("token added", token) }
            for token in tokens.values where !present.contains(where: { $0.id == token.id }) {
                tell("token revoked", token)
            }
            for key in active.subtracting(keys).sorted() {
                tools.audit.notice("key added", metadata: ["key": "\(key)"])
            }
            for key in keys.subtracting(active).sorted() {
                tools.audit.notice("key retired", metadata: ["key": "\(key)"])
            }
        }
        (self.changes, keys) = (changes, active)
        tokens = Dictionary(present.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func tell(_ message: Logger.Message, _ token: StoredToken) {
        tools.audit.notice(message, metadata: ["token": "\(token.name)", "scope": "\(token.scope.rawValue)"])
    }
}
