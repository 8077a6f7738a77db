package import DaeCore
import DaeDownload
import FoundationEssentials

/// The objects below one location of an S3 store.
///
/// Transfers run on threads of their own, one each, and keep their connections. Cancelling the task ends a transfer. No
/// wait is without a bound: see ``S3Settings/patience`` and ``S3Settings/retries``.
package struct S3Client: Sendable {
    /// The largest object: in ten thousand parts of 64 MiB, of which a few are in memory at once.
    package static let mostBytes: Int64 = Int64(S3Upload.mostParts) * (64 << 20)
    /// Keys in one page of a list.
    package static let pageKeys = 1000
    /// Seconds that a presigned address may last.
    package static let longestPresigned = 604_800

    let connection: S3Connection

    /// Nothing is asked yet: see ``check()``.
    package init(
        _ location: S3Location, _ settings: S3Settings, environment: S3Environment = .live
    ) throws(S3Error) {
        connection = try S3Connection(location, settings, environment)
    }

    /// What a put led to.
    package enum Placement: Sendable, Hashable {
        case stored
        /// It was there before, and was wanted only where absent.
        case alreadyThere
    }

    /// What a store says of an object.
    package struct Object: Sendable, Hashable {
        package let key: String
        /// Bytes of all of it.
        package let size: Int64
        /// With its quotes.
        package let etag: String?
        /// In seconds since 1970.
        package let modified: Int64?
    }

    /// A stretch of a list.
    package struct Page: Sendable, Hashable {
        /// By the bytes of their keys.
        package let objects: [Object]
        /// Whether others follow the last of these.
        package let hasMore: Bool
    }
}

// MARK: - Writing

extension S3Client {
    /// Stores an object. It is seen when it is whole, or not at all.
    ///
    /// - Parameters:
    ///   - sha256: Of the content: the store refuses other bytes.
    ///   - ifAbsent: Whether an object that is there stays as it is. That it is there is no error.
    @discardableResult
    package func put(
        _ content: S3Content, key: String, sha256: SHA256Digest, ifAbsent: Bool = false
    ) async throws(S3Error) -> Placement {
        let (whole, source) = (try wholeKey(key), try content.source())
        guard source.size <= Self.mostBytes else { throw .tooLarge(key: whole, limit: Self.mostBytes) }
        guard source.size < S3Upload.threshold else {
            return try await S3Upload(connection, key: whole, source, sha256).run(ifAbsent: ifAbsent)
        }
        var request = S3Request(method: .put, key: whole, content: content, sha256: sha256)
        request.headers = [("x-amz-checksum-sha256", sha256.base64)] + (ifAbsent ? [S3Upload.ifAbsent] : [])
        do throws(S3Error) { _ = try await connection.send(request) } catch {
            guard ifAbsent, error.isPreconditionFailed else { throw error }
            return .alreadyThere
        }
        return .stored
    }

    /// Removes an object; one that is not there is no error.
    package func delete(_ key: String) async throws(S3Error) {
        let request = S3Request(method: .delete, key: try wholeKey(key))
        do throws(S3Error) { _ = try await connection.send(request) } catch {
            guard case .keyAbsent = error else { throw error }
        }
    }

    /// Finds out whether the bucket is there and may be listed and written.
    package func check() async throws(S3Error) {
        _ = try await list(limit: 1)
        // One for all: what a check leaves that is broken off is removed by the next.
        let key = "daedalus-check"
        try await put(.bytes([]), key: key, sha256: SHA256Digest(hashing: []))
        try await delete(key)
    }

    private func wholeKey(_ key: String) throws(S3Error) -> String {
        let whole = connection.location.prefix + key
        guard !key.isEmpty, S3Location.isKey(whole) else {
            throw .configuration("\(key.printable()) can be no key of an object")
        }
        return whole
    }
}

extension S3Error {
    var isPreconditionFailed: Bool {
        if case .refused(_, 412) = self { true } else { false }
    }
}

extension SHA256Digest {
    var base64: String { Data(bytes).base64EncodedString() }
}

// MARK: - Reading

extension S3Client {
    /// What is known of an object.
    package func head(_ key: String) async throws(S3Error) -> Object {
        let answer = try await connection.send(S3Request(method: .head, key: try wholeKey(key)))
        return try Object(answer.head, key)
    }

    /// Begins to read an object; a fault on the way is mended by asking for the rest of the same version.
    ///
    /// - Parameters:
    ///   - range: Of its bytes; ends beyond the last are cut.
    ///   - sha256: Of all bytes that are asked for: where others came the end of the body is an error.
    package func get(
        _ key: String, range: Range<Int64>? = nil, sha256: SHA256Digest? = nil
    ) async throws(S3Error) -> (object: Object, body: S3Body) {
        let request = try reading(key, range)
        let body = S3Body(connection, request, sha256)
        return (try Object(try await body.head(), key), body)
    }

    /// Reads a whole object into a new file, which is there when it is whole, or not at all.
    @discardableResult
    package func get(_ key: String, to file: String, sha256: SHA256Digest? = nil) async throws(S3Error) -> Object {
        let request = try reading(key, nil)
        let target = try Self.onDisk { () throws(SystemError) in try AtomicFile(file) }
        let hasher = S3Hasher()
        let sink = S3Sink(head: { _ in }) { bytes throws(S3Error) in
            hasher.update(bytes)
            try Self.onDisk { () throws(SystemError) in try target.file.write(bytes.bytes) }
        }
        let answer = try await connection.send(request, to: sink)
        guard sha256 == nil || hasher.finish() == sha256 else {
            throw .checksumMismatch(key: connection.location.prefix + key)
        }
        try Self.onDisk { () throws(SystemError) in try target.place(.none) }
        return try Object(answer.head, key)
    }

    private static func onDisk<Value>(_ work: () throws(SystemError) -> Value) throws(S3Error) -> Value {
        do throws(SystemError) { return try work() } catch { throw .file("\(error)") }
    }

    private func reading(_ key: String, _ range: Range<Int64>?) throws(S3Error) -> S3Request {
        guard range.map({ $0.lowerBound >= 0 && !$0.isEmpty }) ?? true else { throw .outOfRange(key: key) }
        return S3Request(key: try wholeKey(key), range: range)
    }

    /// A page of the objects whose keys begin with `prefix` and come behind `last`.
    package func list(
        prefix: String = "", after last: String? = nil, limit: Int = pageKeys
    ) async throws(S3Error) -> Page {
        let start = connection.location.prefix
        var request = S3Request()
        request.query = [("list-type", "2"), ("max-keys", "\(min(max(limit, 1), Self.pageKeys))")]
        request.query.append(("prefix", start + prefix))
        if let last { request.query.append(("start-after", start + last)) }
        let answer = try await connection.send(request)
        guard let document = S3Document(answer.body), document.name == "ListBucketResult" else {
            throw .unexpected("a list that is none")
        }
        var objects: [Object] = []
        for element in document.elements where element.name == "Contents" {
            guard let key = element["Key"]?.utf8, key.starts(with: start.utf8),
                let size = element["Size"].flatMap({ Int64($0) })
            else { throw .unexpected("a list with an object that was not asked for, or has no size") }
            objects.append(
                Object(
                    key: String(decoding: key.dropFirst(start.utf8.count), as: UTF8.self), size: size,
                    etag: element["ETag"], modified: element["LastModified"].flatMap(S3Time.seconds)))
        }
        return Page(objects: objects, hasMore: document["IsTruncated"] == "true" && !objects.isEmpty)
    }

    /// An address at which whoever has it can read the object for a while, without credentials. It is a secret.
    ///
    /// - Parameters:
    ///   - seconds: At most a week, and no longer than the credentials last.
    ///   - contentType: What the answer says instead of what is stored.
    ///   - disposition: As a `Content-Disposition`.
    package func presignedGet(
        _ key: String, seconds: Int, contentType: String? = nil, disposition: String? = nil
    ) async throws(S3Error) -> String {
        let (endpoint, signer) = (connection.endpoint, try await connection.signer())
        var message = SignatureV4.Message(method: "GET", host: endpoint.host, path: endpoint.path(try wholeKey(key)))
        if let contentType { message.query.append(("response-content-type", contentType)) }
        if let disposition { message.query.append(("response-content-disposition", disposition)) }
        let left = signer.credentials.expires.map { Int(clamping: $0 - signer.time) } ?? seconds
        let lasting = max(1, min(seconds, left, Self.longestPresigned))
        return endpoint.url(message.path, signer.presignedQuery(message, seconds: lasting))
    }
}

extension S3Client.Object {
    init(_ head: HTTPAnswerHead, _ key: String) throws(S3Error) {
        guard let size = head.wholeSize ?? head.contentLength else { throw .unexpected("an object without a length") }
        self.init(key: key, size: size, etag: head.etag, modified: head.lastModified)
    }
}
