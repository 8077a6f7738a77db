import DaeCore
import Daedalus
import Hummingbird
import Logging

/// What is known of one asset, in the forms that it is asked for in.
struct ResultRoutes: Sendable {
    let tools: ServiceTools
    let assets: AssetRoutes
    let derivations: Derivations

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("assets/:id/inspect") { request, context in try await inspect(request, context) }
        group.get("assets/:id/tree") { request, context in try await tree(request, context) }
        group.get("assets/:id/report") { request, context in try await report(request, context) }
        for served in ServedModel.allCases {
            group.get(RouterPath("assets/:id/\(served.name)")) { request, context in
                try await model(served, request, context)
            }
        }
        group.get("assets/:id/changes") { request, context in try await changes(request, context) }
        group.get("assets/:id/thumbnail.png") { request, context in try await thumbnail(request, context) }
        group.get("assets/:id/original") { request, context in try await original(request, context) }
    }

    // MARK: - As it was read

    private func inspect(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let asset = try await assets.asset(context)
        guard asset.state.isSettled else { throw Self.unsettled(asset) }
        if let content = asset.content,
            let answer = try await answer("inspect.json", asset, content, source: asset.source)
        {
            return answer
        }
        // It failed before there was anything to read.
        guard let failure = asset.state.failure else { throw Problem(.notFound, nil, "Nothing was read of it.") }
        let whole = InspectionFailure(
            source: Inspection.Source(input: SourceAddress.display(asset.source)), stage: .init(failure.stage),
            code: failure.code, message: failure.message, place: failure.place)
        return .json(whole.json)
    }

    private func tree(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (asset, content) = try await ready(context)
        guard let answer = try await answer("tree.json", asset, content, source: asset.source) else {
            throw Problem(.notFound, nil, "Nothing was read of it.")
        }
        return answer
    }

    /// What a reading gave, with the asset's name; made again where it was removed. `nil` where nothing was read.
    ///
    /// - Parameter source: What stands for `source.input` in it; `nil` for what has none.
    func answer(
        _ name: String, _ asset: AssetRecord, _ content: StoredContent, source: String?
    ) async throws -> Response? {
        let place = ResultPlace(content: content.key)
        var file = try await tools.opened(place.key(name))
        if file == nil {
            if !asset.state.isReady, try await tools.results.state(of: content) == nil { return nil }
            try await derivations.make("read:\(content.key.text)", .process(.first), of: asset, into: place).check()
            file = try await tools.objects.open(place.key(name))
        }
        guard let file else { throw StorageError(name, ENOENT) }
        return try await TextAnswer(file: file, text: source.map { NamedText(source: $0) }).response()
    }

    // MARK: - Made when it is asked for

    private func report(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let asset = try await assets.asset(context)
        guard let content = asset.content, asset.state.isSettled else { throw Self.unsettled(asset) }
        let form = try ReportForm(request)
        // A report names its source in many places; equal bytes of another name have one of their own.
        let name = SHA256Digest(hashing: Array(asset.source.utf8)).hex.prefix(32)
        let place = ResultPlace(content: content.key, folder: "reports/\(name)")
        let file = try await tools.opened(place.key(form.fileName)) {
            try await derivations.make("report:\(content.key.text):\(name)", .report, of: asset, into: place).check()
        }
        let tag = "\(content.digest.hex.prefix(32))-\(name)-\(form.rawValue)-\(Daed.version)"
        return try await FileAnswer(file: file, type: form.type, tag: tag, ranges: .ignored).response(to: request)
    }

    private func model(
        _ served: ServedModel, _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let form = try ModelForm(served, compact: request.uri.queryParameters["compact"])
        let (asset, content) = try await ready(context)
        let answer = FileAnswer(
            file: try await ModelFile(form: form, tools: tools, derivations: derivations).opened(asset, content),
            type: served.mediaType,
            tag: "\(content.digest.hex.prefix(32))-\(form)-\(Daed.version)",
            attachment: "\(Self.stem(asset.name)).\(served.rawValue)")
        var response = try await answer.response(to: request)
        // RFC 8288: the same model in its other formats.
        if let name = HeaderName("link") {
            let others = ServedModel.allCases.filter { $0 != served }
            response.headers[name] = others.map {
                "<\(asset.path)/\($0.name)>; rel=\"alternate\"; type=\"\($0.mediaType)\""
            }.joined(separator: ", ")
        }
        return response
    }

    private func changes(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let text = request.uri.queryParameters["format"].map(String.init) ?? ServedModel.glb.rawValue
        guard let served = ServedModel(rawValue: text) else {
            throw Problem.parameter(
                "format", text, expected: ServedModel.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let form = try ModelForm(served, compact: request.uri.queryParameters["compact"])
        let (asset, content) = try await ready(context)
        let file = ModelFile(form: form, tools: tools, derivations: derivations)
        return try await FileAnswer(
            file: file.changes(asset, content), type: "application/json",
            tag: "\(content.digest.hex.prefix(32))-\(form)-changes-\(Daed.version)", ranges: .ignored
        ).response(to: request)
    }

    /// Pixels of a side.
    private static let sides = 64...1024

    private func thumbnail(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (asset, content) = try await ready(context)
        let text = request.uri.queryParameters["size"].map(String.init) ?? "256"
        guard let side = Int(text), Self.sides.contains(side) else {
            throw Problem.parameter(
                "size", text, expected: "\(Self.sides.lowerBound) to \(Self.sides.upperBound) pixels")
        }
        let place = ResultPlace(content: content.key)
        let file = try await tools.opened(place.key(ResultName.thumbnail(side: side))) {
            try await derivations.make(
                "picture:\(content.key.text):\(side)", .picture(side: side), of: asset, into: place
            ).check()
        }
        return try await FileAnswer(
            file: file, type: "image/png", tag: "\(content.digest.hex.prefix(32))-\(side)-png-\(Daed.version)",
            ranges: .ignored
        ).response(to: request)
    }

    // MARK: - Strangers' bytes

    private func original(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let asset = try await assets.asset(context)
        guard let content = asset.content else { throw Self.unsettled(asset) }
        guard let object = try await tools.intake.object(of: content),
            let file = try await tools.objects.open(object)
        else {
            throw Problem(
                .internalServerError, .ioError,
                "Its original is lost; `daed doctor` says more to whoever runs the service."
            )
        }
        return try await FileAnswer(
            file: file, type: ContentTypes.type(of: content.name), tag: content.digest.hex, attachment: asset.name,
            trust: .stranger
        ).response(to: request)
    }

    // MARK: - What an asset has

    func ready(_ context: ServiceContext) async throws -> (AssetRecord, StoredContent) {
        let asset = try await assets.asset(context)
        guard asset.state.isReady, let content = asset.content else { throw Self.unsettled(asset) }
        return (asset, content)
    }

    /// There is nothing yet, or there never will be.
    private static func unsettled(_ asset: AssetRecord) -> Problem {
        guard let failure = asset.state.failure else {
            return Problem(
                .conflict, .assetActionRefused, "The asset is still \(asset.state.kind.rawValue).", retryAfter: 1)
        }
        // It comes into the log, too.
        let message = LinkSecret.hidden(in: failure.message, about: asset.source)
        return Problem(.conflict, failure.code, "The asset failed: \(message)")
    }

    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }
}

/// The forms of a report. Raw values are endings.
enum ReportForm: String, CaseIterable {
    case json
    case sarif
    case markdown = "md"

    var fileName: String { "report.\(rawValue)" }

    var type: String {
        switch self {
        case .json: "application/json"
        case .sarif: "application/sarif+json"
        case .markdown: "text/markdown; charset=utf-8"
        }
    }

    /// The form that a request wants: by `?format=`, else by `Accept`.
    fileprivate init(_ request: Request) throws(Problem) {
        if let text = request.uri.queryParameters["format"] {
            switch text {
            case "json": self = .json
            case "sarif": self = .sarif
            case "md", "markdown": self = .markdown
            default:
                throw .parameter("format", text, expected: "json, sarif or md")
            }
            return
        }
        let accepted = request.headers[.accept]?.lowercased() ?? ""
        self =
            accepted.contains("sarif") ? .sarif : accepted.contains("text/markdown") ? .markdown : .json
    }
}

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
        let name = ResultName.entry(path)
        let place = ResultPlace(content: content.key, folder: "files")
        let file = try await tools.opened(place.key(name)) {
            try await results.derivations.make(
                "file:\(content.key.text):\(name)", .entry(path: path), of: asset, into: place
            ).check()
        }
        return try await FileAnswer(
            file: file, type: ContentTypes.type(of: path),
            tag: "\(content.digest.hex.prefix(32))-\(name.prefix(32))",
            attachment: FileName.clean(path), trust: .stranger
        ).response(to: request)
    }

    /// What stands behind `/files/` in a request's path.
    static func entry(_ path: String, of id: AssetID) -> String? {
        let prefix = "/v1/assets/\(id.text)/files/"
        guard path.hasPrefix(prefix) else { return nil }
        return PercentEncoding.decodeStrictly(path.dropFirst(prefix.utf8.count))
    }
}
