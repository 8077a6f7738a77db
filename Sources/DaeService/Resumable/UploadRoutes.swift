// The tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload).

import DaeCore
import Daedalus
import Hummingbird

/// Uploads that can be gone on with after a break.
struct UploadRoutes: Sendable {
    let tools: ServiceTools

    private static let version = "1.0.0"
    private static let pieceType = "application/offset+octet-stream"

    private var uploads: ResumableUploads { ResumableUploads(tools: tools) }

    func add(to group: RouterGroup<ServiceContext>) {
        group.on("uploads", method: .options) { _, _ in options() }
        group.on("uploads/:id", method: .options) { _, _ in options() }
        group.post("uploads") { request, context in try await answer(request) { try await begin(request, context) } }
        group.head("uploads/:id") { request, context in
            try await answer(request) { offset(try await uploads.upload(try context.parameters.require("id"))) }
        }
        group.patch("uploads/:id") { request, context in
            try await answer(request) { try await append(request, context) }
        }
        group.delete("uploads/:id") { request, context in
            try await answer(request) {
                let id = try context.parameters.require("id")
                try await uploads.remove(id)
                if let id = AssetID(id) { tools.note("endUpload", id, context) }
                return Response(status: .noContent)
            }
        }
        // Not of the protocol: which asset it became.
        group.get("uploads/:id") { _, context in
            Response.json(try await uploads.upload(try context.parameters.require("id")).json(tools.base))
        }
    }

    // MARK: - Requests

    private func options() -> Response {
        Response(
            status: .noContent,
            headers: Self.fields([
                ("Tus-Resumable", Self.version), ("Tus-Version", Self.version),
                ("Tus-Max-Size", String(tools.settings.contentLimit)),
                ("Tus-Extension", "creation,creation-with-upload,termination,checksum,expiration"),
                ("Tus-Checksum-Algorithm", UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: ",")),
            ]))
    }

    private func begin(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard let length = try Self.number(request, "Upload-Length") else {
            throw Problem(.badRequest, nil, "Upload-Length is missing; it cannot be deferred.")
        }
        let checksum = try Self.parsed(request, "Upload-Checksum", UploadChecksum.init)
        let metadata = try Self.parsed(request, "Upload-Metadata", UploadMetadata.init)
        var upload = try await uploads.begin(length: length, metadata: metadata, by: context.client)
        // The asset that it becomes has the same id.
        tools.note("beginUpload", upload.id, context)
        var headers = [("Location", upload.path)]
        if request.headers[.contentType]?.lowercased() == Self.pieceType {
            upload = try await uploads.append(
                request.body, of: upload.id.text, at: 0, declared: Self.contentLength(request), checksum: checksum)
            headers.append(("Upload-Offset", String(upload.received)))
            note(upload, context)
        }
        return Response(status: .created, headers: Self.fields(headers + Self.progress(upload)))
    }

    private func offset(_ upload: ResumableUpload) -> Response {
        var headers = [
            ("Upload-Offset", String(upload.received)), ("Upload-Length", String(upload.length)),
            ("Cache-Control", "no-store"),
        ]
        if let metadata = upload.metadata { headers.append(("Upload-Metadata", metadata)) }
        return Response(status: .ok, headers: Self.fields(headers + Self.progress(upload)))
    }

    private func append(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard request.headers[.contentType]?.lowercased() == Self.pieceType else {
            throw Problem(.unsupportedMediaType, nil, "Content-Type must be \(Self.pieceType).")
        }
        guard let offset = try Self.number(request, "Upload-Offset") else {
            throw Problem(.badRequest, nil, "Upload-Offset is missing.")
        }
        let checksum = try Self.parsed(request, "Upload-Checksum", UploadChecksum.init)
        let upload = try await uploads.append(
            request.body, of: id, at: offset, declared: Self.contentLength(request), checksum: checksum)
        note(upload, context)
        let headers = [("Upload-Offset", String(upload.received))]
        return Response(status: .noContent, headers: Self.fields(headers + Self.progress(upload)))
    }

    /// Of one that is whole.
    private func note(_ upload: ResumableUpload, _ context: ServiceContext) {
        if upload.received == upload.length { tools.note(.add, upload.id, context) }
    }

    /// Until when it is kept, or the asset that it became.
    private static func progress(_ upload: ResumableUpload) -> [(String, String)] {
        let expires = ("Upload-Expires", HTTPTime.text(upload.expires))
        return upload.assetPath.map { [expires, ("Asset-Location", $0)] } ?? [expires]
    }

    /// Every answer of the protocol, a refusal too, says its version; a request has to.
    private func answer(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        let mark = Self.fields([("Tus-Resumable", Self.version)])
        do {
            guard Self.field(request, "Tus-Resumable") == Self.version else {
                var problem = Problem(
                    .preconditionFailed, nil, "Tus-Resumable is missing or another; expected \(Self.version).")
                problem.headers = Self.fields([("Tus-Version", Self.version)])
                throw problem
            }
            var response = try await body()
            response.headers.append(contentsOf: mark)
            return response
        } catch var problem as Problem {
            problem.headers.append(contentsOf: mark)
            if problem.status == .contentTooLarge {
                problem.headers.append(contentsOf: Self.fields([("Tus-Max-Size", "\(tools.settings.contentLimit)")]))
            }
            throw problem
        }
    }

    // MARK: - Header fields

    private static func field(_ request: Request, _ name: String) -> String? {
        HeaderName(name).flatMap { request.headers[$0] }
    }

    private static func parsed<Value>(
        _ request: Request, _ name: String, _ parse: (String) throws(UploadHeaderFault) -> Value
    ) throws(Problem) -> Value? {
        guard let text = field(request, name) else { return nil }
        do throws(UploadHeaderFault) { return try parse(text) } catch { throw Problem(.badRequest, nil, error.text) }
    }

    private static func number(_ request: Request, _ name: String) throws(Problem) -> Int64? {
        guard let text = field(request, name) else { return nil }
        guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Problem(.badRequest, nil, "\(name) is '\(text.prefix(40))'; expected a count of bytes.")
        }
        return number
    }

    private static func contentLength(_ request: Request) -> Int64? {
        request.headers[.contentLength].flatMap { Int64($0) }
    }

    private static func fields(_ fields: [(String, String)]) -> HTTPFields {
        var all = HTTPFields()
        for (name, value) in fields {
            if let name = HeaderName(name) { all[name] = value }
        }
        return all
    }
}

/// A moment as HTTP writes it. Source: RFC 9110, 5.6.7.
enum HTTPTime {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter milliseconds: Since 1970, UTC.
    static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let (day, month) = (Int(parts.tm_wday), Int(parts.tm_mon))
        let date = "\(days[day]), \(two(parts.tm_mday)) \(months[month]) \(parts.tm_year + 1900)"
        return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
