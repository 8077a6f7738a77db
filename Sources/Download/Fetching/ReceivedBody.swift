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
