import Daedalus
import Glibc
import Hummingbird

/// The files of a bundle.
struct FileRoutes: Sendable {
    let tools: ServiceTools
    let results: ResultRoutes

    func add(to group: RouterGroup<some RequestContext>) {
        group.get("assets/:id/files") { _, context in try await list(context.parameters) }
        group.get("assets/:id/files/**") { request, context in
            try await file(request, context.parameters)
        }
    }

    private func list(_ parameters: Parameters) async throws -> Response {
        let (asset, content) = try await results.ready(parameters)
        return ResultRoutes.answer(try await results.text("files.json", asset, content) ?? [])
    }

    private func file(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let (asset, content) = try await results.ready(parameters)
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
