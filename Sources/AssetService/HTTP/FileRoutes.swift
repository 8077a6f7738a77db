import Daedalus
import Glibc
import Hummingbird

/// The files of a bundle.
struct FileRoutes: Sendable {
    let tools: ServiceTools
    let results: ResultRoutes

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("assets/:id/files") { _, context in try await list(context) }
        group.get("assets/:id/files/**") { request, context in
            try await file(request, context)
        }
    }

    private func list(_ context: ServiceContext) async throws -> Response {
        let (asset, content) = try await results.ready(context)
        guard let answer = try await results.answer("files.json", asset, content, source: nil) else {
            throw Problem(.notFound, nil, "Nothing was read of it.")
        }
        return answer
    }

    private func file(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (asset, content) = try await results.ready(context)
        guard let path = Self.entry(request.uri.path, of: asset.id) else {
            throw Problem(.badRequest, nil, "The path is no UTF-8 when its percent signs are decoded.")
        }
        // The name comes from outside: it is looked up in the bundle, and never in the file system.
        let name = SHA256Digest(hashing: Array(path.utf8)).hex
        let folder = tools.folder.results(content.key) + "/files"
        let copy = folder + "/" + name
        if !ResultFile.use(copy) {
            try ServiceFolder.make(folder)
            try await results.derivations.make(
                "file:\(content.key.text):\(name)", .entry(path: path), of: asset, output: copy
            ).check()
        }
        return try FileAnswer(
            path: copy, type: ContentTypes.type(of: path),
            tag: "\(content.digest.hex.prefix(32))-\(name.prefix(32))",
            attachment: FileName.clean(path), trust: .stranger
        ).response(to: request)
    }

    /// What stands behind `/files/` in a request's path.
    static func entry(_ path: String, of id: AssetID) -> String? {
        let prefix = "/v1/assets/\(id.text)/files/"
        guard path.hasPrefix(prefix) else { return nil }
        return PercentText.decoded(path.dropFirst(prefix.utf8.count))
    }
}
