/// One request and its answer: hands the head and the body on as they come. A class because it is called
/// back while the request runs.
final class Transfer: TransferReceiver {
    /// What the receiver does with a body.
    enum BodyUse {
        case taken
        /// Of no use: it is not waited for, unless it is so short that the connection is worth more.
        case ignored
    }

    /// What takes the answer; what it throws ends the request.
    struct Receiver {
        /// The head of an answer that is no redirect, unless these are taken as well.
        var head: (ResponseHead) throws(DownloadFailure) -> BodyUse
        /// The next bytes of a body that is taken.
        var body: (UnsafeRawBufferPointer) throws(DownloadFailure) -> Void
    }

    /// What a request that did not fail has led to.
    enum Outcome {
        case taken
        case ignored
        case redirect(to: [UInt8])
    }

    private enum Phase {
        case head
        case body
        /// The body is read to its end and dropped.
        case draining(left: Int)
        case ignored
        case redirected(to: [UInt8])
        case refused(DownloadFailure)
    }

    private let headerLimit: Int
    private let takesRedirects: Bool
    private let signal: StopSignal
    private let receiver: Receiver
    private var head = ResponseHead()
    private var headerBytes = 0
    private var phase = Phase.head

    /// A body that is read only to keep its connection.
    private static let worthDraining = 16 << 10

    init(headerLimit: Int, takesRedirects: Bool = false, stoppedBy signal: StopSignal, receiver: Receiver) {
        self.headerLimit = headerLimit
        self.takesRedirects = takesRedirects
        self.signal = signal
        self.receiver = receiver
    }

    /// Blocks until the answer is whole, or is known to be none that is wanted.
    ///
    /// - Parameter received: Bytes on disk and what was expected, for the error of a body that broke off.
    func run(
        _ request: Request, within limits: DownloadLimits, on loop: TransferLoop,
        received: () -> (Int64, of: Int64?) = { (0, nil) }
    ) throws(DownloadFailure) -> Outcome {
        let ending = try loop.run(request, within: limits, stoppedBy: signal, to: self)
        switch phase {
        case .refused(let failure): throw failure
        case .redirected(let location): return .redirect(to: location)
        case .ignored, .draining: return .ignored
        case .body where ending.isWhole: return .taken
        case .head where ending.isWhole: throw .connectionBroken(reason: "the server gave no final answer")
        case .head, .body:
            let (bytes, total) = received()
            throw ending.failure(received: bytes, expected: total)
        }
    }
}

// MARK: - What arrives

extension Transfer {
    /// Takes one header line; whether the transfer shall go on.
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= headerLimit else { return refuse(.headerTooLarge(limit: headerLimit)) }
        switch phase {
        case .head: return head.read(line) ? decide() : true
        case .body, .draining: return true  // trailers of a chunked body
        case .ignored, .redirected, .refused: return false
        }
    }

    /// Takes the next bytes of the body; whether the transfer shall go on.
    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !signal.isStopped else { return refuse(.cancelled) }
        switch phase {
        case .head, .ignored, .redirected, .refused: return false
        case .draining(let left):
            phase = bytes.count <= left ? .draining(left: left - bytes.count) : .ignored
            return bytes.count <= left
        case .body:
            do throws(DownloadFailure) {
                try receiver.body(bytes)
                return true
            } catch { return refuse(error) }
        }
    }

    /// The head is whole: whether the transfer shall go on.
    private func decide() -> Bool {
        guard !head.contradicts else {
            return refuse(.connectionBroken(reason: "the answer's Content-Length is no number, or there are several"))
        }
        switch head.kind {
        case .interim: return true
        case .redirect(let location) where !takesRedirects:
            phase = .redirected(to: location)
            return false
        case .redirect, .file, .part, .notModified, .notSatisfiable, .refusal:
            do throws(DownloadFailure) {
                switch try receiver.head(head) {
                case .taken: phase = .body
                case .ignored: phase = isWorthDraining ? .draining(left: Self.worthDraining) : .ignored
                }
            } catch { return refuse(error) }
            if case .ignored = phase { return false }
            return true
        }
    }

    private var isWorthDraining: Bool {
        if case .notModified = head.kind { return true }
        return head.contentLength.map { $0 <= Self.worthDraining } ?? false
    }

    private func refuse(_ failure: DownloadFailure) -> Bool {
        phase = .refused(failure)
        return false
    }
}

/// What every download of one downloader has in common.
struct TransferConfiguration: Sendable {
    var cache: DownloadCache
    var limits: DownloadLimits
    /// With the policy and the options of every request.
    var pool: LoopPool
    var environment: FetchEnvironment
}

// Redirects are followed here and not by libcurl, so that every address passes the same door.

/// A download's way over redirects: the address it has come to, and what may still be sent there.
///
/// Everything by which the user shows who asks (headers, bearer token, netrc; user name and password of the address) is
/// dropped as soon as scheme, host or port change, and stays dropped if a later hop comes back. A redirect from https to
/// http is refused under the closed policy; under the open one it is followed, without any of these.
struct Hops: Sendable {
    /// As it was asked for.
    let first: WebAddress
    private(set) var address: WebAddress
    private(set) var credentials = Request.Credentials.sent
    /// Redirects so far.
    private(set) var count = 0
    private let policy: NetworkPolicy

    /// Nothing is checked yet: ``TransferLoop`` does it with every request.
    init(from first: WebAddress, under policy: NetworkPolicy) {
        self.first = first
        self.policy = policy
        address = first
    }

    /// Takes one redirect. Where its target is refused, ``address`` is that target already, to be named in the error.
    mutating func follow(_ location: [UInt8], atMost limit: Int) throws(DownloadFailure) {
        guard count < limit else { throw .tooManyRedirects(limit: limit) }
        count += 1
        let origin = address
        address = try origin.following(location)
        if !address.hasSameOrigin(as: first) { credentials = .dropped }
        try policy.checkRedirect(from: origin, to: address)
        try policy.check(address)
    }

    /// The way from its beginning.
    var fromFirst: Hops { Hops(from: first, under: policy) }

    /// The request to be made next.
    func request(_ method: RequestMethod = .get, _ fields: [Request.Field] = []) -> Request {
        Request(address: address, method: method, fields: fields, credentials: credentials)
    }
}

/// The body of a good answer on its way to disk, held against the budget and against being a page.
struct ReceivedBody {
    let file: PartialFile
    /// Bytes there will be in all; `nil` where the server does not say.
    let expected: Int64?
    private let limit: Int64
    private var sniffer: PageSniffer?

    /// - Parameters:
    ///   - file: Begun, or gone on with.
    ///   - expected: Of the whole file, as far as the head says.
    init(to file: PartialFile, expected: Int64?, limit: Int64) {
        (self.file, self.expected, self.limit) = (file, expected, limit)
        // The first bytes of what is gone on with were looked at when they came.
        sniffer = file.size == 0 ? PageSniffer() : nil
    }

    var progress: DownloadProgress { DownloadProgress(received: file.size, expected: expected) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        guard Int64(bytes.count) <= limit - file.size else { throw .tooLarge(announced: nil, limit: limit) }
        sniffer?.look(at: bytes)
        guard sniffer?.verdict != .page else { throw .page(contentType: nil) }
        try file.write(bytes)
    }

    /// Refuses by the head alone what can be refused by it.
    static func check(_ head: ResponseHead, expected: Int64?, limit: Int64) throws(DownloadFailure) {
        if let expected, expected > limit { throw .tooLarge(announced: expected, limit: limit) }
        if let type = head.contentType, isPage(type) { throw .page(contentType: type) }
    }

    private static func isPage(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return type == "text/html" || type == "application/xhtml+xml"
    }
}

/// Tells an HTML page from a model by its first bytes, however they are split.
struct PageSniffer {
    enum Verdict: Hashable { case page, other }

    private enum State { case looking(start: [UInt8]), settled(Verdict) }

    /// As much as is ever looked at.
    private static let window = 1024
    private static let pageStarts = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script"]
        .map { Array($0.utf8) }

    private var state = State.looking(start: [])

    /// `nil` while the bytes so far could begin either.
    var verdict: Verdict? {
        switch state {
        case .looking: nil
        case .settled(let verdict): verdict
        }
    }

    /// Takes the next bytes; later ones no longer matter once there is a verdict.
    mutating func look(at bytes: UnsafeRawBufferPointer) {
        switch state {
        case .settled: return
        case .looking(let before):
            let start = before + bytes.prefix(Self.window - before.count)
            let verdict = Self.judge(start[...]) ?? (start.count < Self.window ? nil : .other)
            state = verdict.map(State.settled) ?? .looking(start: start)
        }
    }

    private static func judge(_ bytes: ArraySlice<UInt8>) -> Verdict? {
        var rest = bytes
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
            if rest.starts(with: "<?".utf8) {
                guard let after = skip("?>", in: rest) else { return nil }
                rest = after
            } else if rest.starts(with: "<!--".utf8) {
                guard let after = skip("-->", in: rest) else { return nil }
                rest = after
            } else {
                break
            }
        }
        let lowered = rest.prefix(16).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        if pageStarts.contains(where: { lowered.starts(with: $0) }) { return .page }
        // A byte order mark, instruction or comment may be cut short as well.
        let beginnings = pageStarts + [Array("<!--".utf8), Array("<?".utf8), [0xef, 0xbb, 0xbf]]
        return beginnings.contains(where: { $0.starts(with: lowered) }) ? nil : .other
    }

    private static func skip(_ end: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let mark = Array(end.utf8)
        var rest = bytes
        while rest.count >= mark.count {
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
