import Daedalus
import Hummingbird
import Logging

/// An asset's converted model: made when it is first asked for, or ahead of that.
struct ModelFile: Sendable {
    let tools: ServiceTools
    let derivations: Derivations

    /// The file's own name is not in it.
    func path(_ content: StoredContent) -> String {
        tools.results.path("model.glb", of: tools.results.reading(of: content))
    }

    /// Returns when it is there.
    func make(_ asset: AssetRecord, _ content: StoredContent) async throws {
        let path = path(content)
        guard !ResultFile.use(path) else { return }
        let key = tools.results.reading(of: content).key
        try ServiceFolder.make(tools.folder.results(key))
        try await derivations.make("model:\(key.text)", .model, of: asset, output: path).check()
    }

    /// Begins to make it. How that ends is told to who asks for the model.
    func prepare(_ asset: AssetRecord) async throws {
        guard let content = asset.content, !ResultFile.use(path(content)) else { return }
        guard await derivations.hasRoom else {
            throw Problem(.tooManyRequests, nil, "Too many wait for a worker already.", retryAfter: 5)
        }
        Task {
            do { try await make(asset, content) } catch {
                tools.log.warning("model: \(error)", metadata: ["asset": "\(asset.id)"])
            }
        }
    }
}
