import Daedalus
import Hummingbird

/// A file that a client sent, whole and on the disk.
struct Upload {
    let path: String
    let digest: SHA256Digest
    let bytes: Int64
    /// How many of them count as kept already.
    var counted: Int64 = 0
}

/// What a request brings: a file's bytes, and what the client calls it.
struct ReceivedFile {
    let upload: Upload
    let name: String?

    /// Refuses a body that is too long by its own word.
    static func checkLength(_ request: Request, limit: Int64) throws(Problem) {
        guard let declared = declared(request) else { return }
        // Forms have little beside the file.
        let other = isForm(request) ? Int64(UploadForm.otherLimit) : 0
        guard declared - other <= limit else { throw UploadFile.tooLarge(limit) }
    }

    /// Takes the file from the body, or from the first part of a form that is one.
    static func receive(_ request: Request, limit: Int64, to path: String) async throws -> ReceivedFile {
        guard isForm(request) else { return try await whole(request, to: UploadFile(path, limit: limit)) }
        let type = request.headers[.contentType] ?? ""
        guard let reader = MultipartReader(contentType: type) else {
            throw Problem(
                .unsupportedMediaType, nil,
                "'\(type.prefix(100))' is no multipart/form-data with a boundary of 1 to 70 characters.")
        }
        var form = UploadForm(reader: reader, path: path, limit: limit)
        try await request.body.take { try form.read(Array(buffer: $0)) }
        return try await form.finish()
    }

    private static func whole(_ request: Request, to file: UploadFile) async throws -> ReceivedFile {
        try await request.body.take { try file.write(Array(buffer: $0)[...]) }
        if let declared = declared(request), file.bytes != declared {
            throw Problem(.badRequest, .downloadTruncated, "\(file.bytes) of \(declared) bytes came.")
        }
        let name =
            request.uri.queryParameters["name"].map(String.init)
            ?? request.headers[.contentDisposition].flatMap { SuggestedName.name(in: Array($0.utf8)) }
        if file.opening == UInt8(ascii: "{"), !isDeclaredFile(request, name) {
            throw Problem(
                .unsupportedMediaType, nil,
                "The body looks like JSON. To add an address send it with 'Content-Type: application/json'.")
        }
        return ReceivedFile(upload: try await file.finish(), name: name)
    }

    /// Whether the request says that its body is a file, by its name or by its type. curl's own type says nothing.
    private static func isDeclaredFile(_ request: Request, _ name: String?) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        if type == ContentTypes.unknown || ContentTypes.isKnown(type) { return true }
        return name.map { ContentTypes.type(of: $0) != ContentTypes.unknown } ?? false
    }

    private static func isForm(_ request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("multipart/") ?? false
    }

    private static func declared(_ request: Request) -> Int64? {
        request.headers[.contentLength].flatMap { Int64($0) }
    }
}
