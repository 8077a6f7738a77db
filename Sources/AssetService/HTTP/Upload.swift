import Daedalus
import Hummingbird

/// A file that a client sent, whole and on the disk.
struct Upload {
    let path: String
    let digest: SHA256Digest
    let bytes: Int64
}

/// What a request brings: a file's bytes, and what the client calls it.
struct ReceivedFile {
    let upload: Upload
    let name: String?

    /// Takes the file from the body, or from the first part of a form that is one.
    static func receive(_ request: Request, limit: Int64, to path: String) async throws -> ReceivedFile {
        let declared = request.headers[.contentLength].flatMap { Int64($0) }
        let type = request.headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("multipart/") else {
            if let declared, declared > limit { throw UploadFile.tooLarge(limit) }
            return try await whole(request, declared: declared, to: UploadFile(path, limit: limit))
        }
        guard let reader = MultipartReader(contentType: type) else {
            throw Problem(
                .unsupportedMediaType, nil,
                "'\(type.prefix(100))' is no multipart/form-data with a boundary of 1 to 70 characters.")
        }
        // Forms have little beside the file.
        if let declared, declared > limit + Int64(UploadForm.otherLimit) { throw UploadFile.tooLarge(limit) }
        var form = UploadForm(reader: reader, path: path, limit: limit)
        for try await buffer in request.body { try form.read(Array(buffer: buffer)) }
        return try await form.finish()
    }

    private static func whole(_ request: Request, declared: Int64?, to file: UploadFile) async throws -> ReceivedFile {
        for try await buffer in request.body { try file.write(Array(buffer: buffer)[...]) }
        if let declared, file.bytes != declared {
            throw Problem(.badRequest, .downloadTruncated, "\(file.bytes) of \(declared) bytes came.")
        }
        let name = request.headers[.contentDisposition].flatMap { SuggestedName.name(in: Array($0.utf8)) }
        return ReceivedFile(upload: try await file.finish(), name: name)
    }
}
