import Daedalus
import Glibc
import Hummingbird
import Logging

/// An asset's converted model: made when it is first asked for, or ahead of that.
struct ModelFile: Sendable {
    let tools: ServiceTools
    let derivations: Derivations

    func path(_ content: StoredContent) -> String { tools.folder.results(content.key) + "/model.glb" }

    /// Returns when it is there.
    func make(_ asset: AssetRecord, _ content: StoredContent) async throws {
        let path = path(content)
        guard access(path, R_OK) != 0 else { return }
        try await derivations.make("model:\(content.key.text)", .model, of: asset, output: path).check()
    }

    /// Begins to make it. How that ends is told to who asks for the model.
    func prepare(_ asset: AssetRecord) async throws {
        guard let content = asset.content, access(path(content), R_OK) != 0 else { return }
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
