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
