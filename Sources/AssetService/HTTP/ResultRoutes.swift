import Daedalus
import Glibc
import Hummingbird

/// What is known of one asset, in the forms that it is asked for in.
struct ResultRoutes: Sendable {
    let tools: ServiceTools
    let assets: AssetRoutes
    let derivations: Derivations

    func add(to group: RouterGroup<some RequestContext>) {
        group.get("assets/:id/inspect") { request, context in try await inspect(request, context.parameters) }
        group.get("assets/:id/tree") { request, context in try await tree(request, context.parameters) }
        group.get("assets/:id/report") { request, context in try await report(request, context.parameters) }
        group.get("assets/:id/model.glb") { request, context in try await model(request, context.parameters) }
        group.get("assets/:id/original") { request, context in try await original(request, context.parameters) }
    }

    // MARK: - As it was read

    private func inspect(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let asset = try await assets.asset(parameters)
        guard asset.state.isSettled else { throw Self.unsettled(asset) }
        if let content = asset.content, let text = try await text("inspect.json", asset, content) {
            return Self.answer(SourceName.replaced(in: text, by: asset.source))
        }
        // It failed before there was anything to read.
        guard let failure = asset.state.failure else { throw Problem(.notFound, nil, "Nothing was read of it.") }
        let whole = InspectionFailure(
            source: Inspection.Source(input: AssetSource.display(asset.source)), stage: .init(failure.stage),
            code: failure.code, message: failure.message, place: failure.place)
        return .json(whole.json)
    }

    private func tree(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let (asset, content) = try await ready(parameters)
        let text = try await text("tree.json", asset, content) ?? []
        return Self.answer(SourceName.replaced(in: text, by: asset.source))
    }

    /// What a reading gave, with the asset's name; made again where it was removed. `nil` where nothing was read.
    func text(_ name: String, _ asset: AssetRecord, _ content: StoredContent) async throws -> [UInt8]? {
        var reading = tools.results.reading(of: content)
        if !ResultFile.use(tools.results.path(name, of: reading)) {
            guard asset.state.isReady || tools.results.state(of: content) != nil else { return nil }
            let output = tools.results.path(name, of: reading)
            try await derivations.make(
                "read:\(reading.key.text)", .process(.init(source: asset.source)), of: asset, output: output
            ).check()
            reading = tools.results.reading(of: content)
        }
        return reading.named(try TextFile.bytes(tools.results.path(name, of: reading)))
    }

    static func answer(_ json: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    // MARK: - Made when it is asked for

    private func report(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let asset = try await assets.asset(parameters)
        guard let content = asset.content, asset.state.isSettled else { throw Self.unsettled(asset) }
        let form = try ReportForm(request)
        // A report names its source in many places; equal bytes of another name have one of their own.
        let name = SHA256Digest(hashing: Array(asset.source.utf8)).hex.prefix(32)
        let folder = tools.folder.results(content.key) + "/reports/\(name)"
        if !ResultFile.use("\(folder)/report.\(form.rawValue)") {
            try ServiceFolder.make(folder)
            try await derivations.make("report:\(content.key.text):\(name)", .report, of: asset, output: folder)
                .check()
        }
        let tag = "\(content.digest.hex.prefix(32))-\(name)-\(form.rawValue)-\(Daed.version)"
        return try FileAnswer(
            path: "\(folder)/report.\(form.rawValue)", type: form.type, tag: tag, ranges: .ignored
        ).response(to: request)
    }

    private func model(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let (asset, content) = try await ready(parameters)
        let file = ModelFile(tools: tools, derivations: derivations)
        try await file.make(asset, content)
        var answer = FileAnswer(
            path: file.path(content), type: "model/gltf-binary",
            tag: "\(content.digest.hex.prefix(32))-glb-\(Daed.version)")
        answer.attachment = Self.stem(asset.name) + ".glb"
        return try answer.response(to: request)
    }

    // MARK: - Strangers' bytes

    private func original(_ request: Request, _ parameters: Parameters) async throws -> Response {
        let asset = try await assets.asset(parameters)
        guard let content = asset.content, let path = try tools.blobs.file(content.digest) else {
            throw Self.unsettled(asset)
        }
        return try FileAnswer(
            path: path, type: ContentTypes.type(of: content.name), tag: content.digest.hex, attachment: asset.name,
            trust: .stranger
        ).response(to: request)
    }

    // MARK: - What an asset has

    func ready(_ parameters: Parameters) async throws -> (AssetRecord, StoredContent) {
        let asset = try await assets.asset(parameters)
        guard asset.state.isReady, let content = asset.content else { throw Self.unsettled(asset) }
        return (asset, content)
    }

    /// There is nothing yet, or there never will be.
    static func unsettled(_ asset: AssetRecord) -> Problem {
        guard let failure = asset.state.failure else {
            return Problem(.conflict, .assetActionRefused, "The asset is still \(asset.state.wireName).", retryAfter: 1)
        }
        return Problem(.conflict, failure.code, "The asset failed: \(failure.message)")
    }

    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }
}

/// In which form a report is wanted: by `?format=`, else by `Accept`. Raw values are endings.
enum ReportForm: String {
    case json
    case sarif
    case markdown = "md"

    var type: String {
        switch self {
        case .json: "application/json"
        case .sarif: "application/sarif+json"
        case .markdown: "text/markdown; charset=utf-8"
        }
    }

    init(_ request: Request) throws(Problem) {
        if let text = request.uri.queryParameters["format"] {
            switch text {
            case "json": self = .json
            case "sarif": self = .sarif
            case "md", "markdown": self = .markdown
            default:  // strings
                throw .parameter("format", text, expected: "json, sarif or md")
            }
            return
        }
        let accepted = request.headers[.accept]?.lowercased() ?? ""
        self =
            accepted.contains("sarif") ? .sarif : accepted.contains("text/markdown") ? .markdown : .json
    }
}

/// Results are kept under what their bytes are; each asset's answer bears its own name.
enum SourceName {
    /// Puts another name in the place of `source.input` of a report that this program wrote.
    static func replaced(in report: [UInt8], by name: String) -> [UInt8] {
        // Keys are sorted, and only the object itself begins a line with four spaces behind this one.
        guard let source = report.firstRange(of: Array("\n  \"source\": {".utf8)),
            let key = report[source.upperBound...].firstRange(of: Array("\n    \"input\": ".utf8)),
            let end = report[key.upperBound...].firstIndex(of: UInt8(ascii: "\n"))
        else { return report }
        let hasMore = report[report.index(before: end)] == UInt8(ascii: ",")
        let text = JSONValue.string(AssetSource.display(name)).text(.compact) + (hasMore ? [UInt8(ascii: ",")] : [])
        return report[..<key.upperBound] + text + report[end...]
    }
}
