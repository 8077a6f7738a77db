import DaeCore
import DaeDownload

/// An object that is sent in parts: none of it is seen before the last step.
struct S3Upload: Sendable {
    static let mostParts = 10_000
    /// Bytes from which on objects are sent so.
    static let threshold: Int64 = 64 << 20
    static let ifAbsent: SignatureV4.Field = ("If-None-Match", "*")

    private static let smallestPart: Int64 = 8 << 20
    /// Parts under way, each of which is in memory.
    private static let atOnce = 3

    private let connection: S3Connection
    private let key: String
    private let source: any ByteSource
    private let sha256: SHA256Digest
    private let partBytes: Int64

    private struct Part: Sendable {
        let number: Int
        let etag: String
        let sha256: SHA256Digest
    }

    /// - Parameter key: Whole, with the location's prefix.
    init(_ connection: S3Connection, key: String, _ source: any ByteSource, _ sha256: SHA256Digest) {
        (self.connection, self.key, self.source, self.sha256) = (connection, key, source, sha256)
        partBytes = Self.partBytes(of: source.size)
    }

    /// So many that the parts suffice, in whole MiB.
    static func partBytes(of size: Int64) -> Int64 {
        let even = (size + Int64(mostParts) - 1) / Int64(mostParts)
        return max(smallestPart, ((even + (1 << 20) - 1) >> 20) << 20)
    }

    func run(ifAbsent: Bool) async throws(S3Error) -> S3Client.Placement {
        // The store says so only at the end, when all has been sent.
        if ifAbsent, await stored() != nil { return .alreadyThere }
        var request = S3Request(method: .post, key: key, query: [("uploads", "")])
        request.headers = [("x-amz-checksum-algorithm", "SHA256")]
        guard let id = S3Document(try await finish(request).body)?["UploadId"], !id.isEmpty else {
            throw .unexpected("an upload without a name")
        }
        do throws(S3Error) {
            let placement = try await complete(id, try await parts(id), ifAbsent: ifAbsent)
            if placement == .alreadyThere { await abort(id) }
            return placement
        } catch {
            await abort(id)
            throw error
        }
    }

    private func parts(_ id: String) async throws(S3Error) -> [Part] {
        let whole = S3Hasher()
        do {
            let parts = try await withThrowingTaskGroup(of: Part.self) { group in
                var (parts, number, offset): ([Part], Int, Int64) = ([], 0, 0)
                while offset < source.size {
                    if number - parts.count >= Self.atOnce, let part = try await group.next() { parts.append(part) }
                    let (bytes, digest) = try await piece(at: offset, whole)
                    number += 1
                    offset += Int64(bytes.count)
                    group.addTask { [number] in try await send(bytes, digest, number, id) }
                }
                for try await part in group { parts.append(part) }
                return parts
            }
            // What is there now is another content than was named, or has changed.
            guard whole.finish() == sha256 else { throw S3Error.checksumMismatch(key: key) }
            return parts.sorted { $0.number < $1.number }
        } catch let error as S3Error { throw error } catch { throw .cancelled }
    }

    /// Reads and hashes on a thread of its own.
    private func piece(at offset: Int64, _ whole: S3Hasher) async throws(S3Error) -> ([UInt8], SHA256Digest) {
        let result = await JoinedThread.run { [source, partBytes] in
            Result { () throws(ByteSourceError) in
                let bytes = try source.bytes(at: offset, count: Int(partBytes))
                bytes.withUnsafeBytes { whole.update($0) }
                return (bytes, SHA256Digest(hashing: bytes))
            }
        }
        switch result {
        case .success((let bytes, let digest)) where !bytes.isEmpty: return (bytes, digest)
        case .success: throw .file("the file became shorter while it was sent")
        case .failure(let error): throw .file("the file cannot be read: \(error.reason)")
        case nil: throw .file("the system gave no thread")
        }
    }

    private func send(_ bytes: [UInt8], _ digest: SHA256Digest, _ number: Int, _ id: String) async throws(S3Error)
        -> Part
    {
        var request = S3Request(method: .put, key: key, query: [("partNumber", "\(number)"), ("uploadId", id)])
        request.headers = [("x-amz-checksum-sha256", digest.base64)]
        (request.content, request.sha256) = (.bytes(bytes), digest)
        guard let etag = try await connection.send(request).head.etag else {
            throw .unexpected("a part without an ETag")
        }
        return Part(number: number, etag: etag, sha256: digest)
    }

    private func complete(_ id: String, _ parts: [Part], ifAbsent: Bool) async throws(S3Error) -> S3Client.Placement {
        let rows = parts.map {
            "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag.escapedForHTML)</ETag>"
                + "<ChecksumSHA256>\($0.sha256.base64)</ChecksumSHA256></Part>"
        }
        let xmlns = "http://s3.amazonaws.com/doc/2006-03-01/"
        let body = Array("<CompleteMultipartUpload xmlns=\"\(xmlns)\">\(rows.joined())</CompleteMultipartUpload>".utf8)
        var request = S3Request(method: .post, key: key, query: [("uploadId", id)])
        request.headers = ifAbsent ? [Self.ifAbsent] : []
        (request.content, request.sha256) = (.bytes(body), SHA256Digest(hashing: body))
        do throws(S3Error) {
            // A store may answer 200 first and say only then that it failed.
            let document = S3Document(try await connection.send(request).body)
            guard let document, document.name != "Error" else {
                throw .transient("it answered \(document?["Code"]?.printable(limit: 80) ?? "nothing")")
            }
            return .stored
        } catch {
            if ifAbsent, error.isPreconditionFailed { return .alreadyThere }
            // It may have been completed by an attempt whose answer was lost.
            guard await isThere(after: error) else { throw error }
            return .stored
        }
    }

    private func stored() async -> HTTPAnswerHead? {
        try? await connection.send(S3Request(method: .head, key: key)).head
    }

    private func isThere(after error: S3Error) async -> Bool {
        switch error {
        case .transient, .unreachable, .refused("NoSuchUpload", _), .unexpected:
            return await stored()?.contentLength == source.size
        case .configuration, .credentials, .bucketAbsent, .keyAbsent, .wrongRegion, .refused, .clockSkew,
            .checksumMismatch, .tooLarge, .outOfRange, .file, .cancelled:
            return false
        }
    }

    /// What fails here is left to the bucket's rules for its life.
    private func abort(_ id: String) async {
        _ = try? await finish(S3Request(method: .delete, key: key, query: [("uploadId", id)]))
    }

    /// Sends a request to its end, also where this task was cancelled: an upload whose name is not known cannot be ended.
    private func finish(_ request: S3Request) async throws(S3Error) -> S3Answer {
        let task = Task { [connection] () -> Result<S3Answer, S3Error> in
            do throws(S3Error) { return .success(try await connection.send(request)) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }
}
