import ContentHash

/// The body of a good answer on its way to disk, held against the budget and against being a page.
struct ReceivedBody {
    let head: ResponseHead
    let file: PartialFile
    private let limit: Int64
    private var sniffer = PageSniffer()

    /// Refuses by the head alone what can be refused by it; begins the file otherwise.
    init(
        _ head: ResponseHead, from address: WebAddress, to file: PartialFile, _ configuration: TransferConfiguration
    ) throws(DownloadFailure) {
        self.head = head
        limit = configuration.limits.bytes
        if let announced = head.bodyLength, announced > limit {
            throw .tooLarge(announced: announced, limit: limit)
        }
        if let type = head.contentType, Self.isPage(type) { throw .page(contentType: type) }
        self.file = file
        // Nobody asks for a rest yet, so that nothing is kept for it.
        try file.begin(url: address.display, validators: Validators(), total: head.bodyLength)
    }

    /// Bytes there will be in all; `nil` where the server does not say.
    var expected: Int64? { head.bodyLength }

    var progress: DownloadProgress { DownloadProgress(received: file.size, expected: expected) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        guard Int64(bytes.count) <= limit - file.size else { throw .tooLarge(announced: nil, limit: limit) }
        sniffer.look(at: bytes)
        guard sniffer.verdict != .page else { throw .page(contentType: nil) }
        try file.write(bytes)
    }

    /// Makes the file visible once it is as long as announced. A digest that was asked for is to be compared here.
    func commit(from address: WebAddress) throws(DownloadFailure) -> DownloadedFile {
        if let expected, expected != file.size { throw .truncated(received: file.size, expected: expected) }
        let size = file.size
        let (path, digest) = try file.commit()
        return DownloadedFile(
            path: path, size: size, sha256: digest, url: address.display, contentType: head.contentType,
            suggestedName: SuggestedName.make(disposition: head.contentDisposition, path: address.path))
    }

    private static func isPage(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return type == "text/html" || type == "application/xhtml+xml"
    }
}
