import Glibc

/// What a document announces, by a plain look at its tags: independent of the reader that is measured.
struct DocumentScan {
    /// Numbers of all `<float_array>`s.
    private(set) var reals = 0
    /// Elements with an id.
    private(set) var ids = 0
    private(set) var nodes = 0

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { scan($0) }
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        guard var place = bytes.baseAddress else { return }
        let end = place + bytes.count
        while let open = memchr(place, Int32(UInt8(ascii: "<")), end - place),
            let close = memchr(open, Int32(UInt8(ascii: ">")), end - UnsafeRawPointer(open))
        {
            let tag = String(
                decoding: UnsafeRawBufferPointer(start: open, count: UnsafeRawPointer(close) - UnsafeRawPointer(open)),
                as: UTF8.self)
            if tag.hasPrefix("<node ") { nodes += 1 }
            if tag.contains(" id=\"") { ids += 1 }
            if tag.hasPrefix("<float_array ") { reals += Self.count(in: tag) }
            place = UnsafeRawPointer(close) + 1
        }
    }

    private static func count(in tag: String) -> Int {
        guard let start = tag.firstRange(of: " count=\"")?.upperBound else { return 0 }
        return Int(tag[start...].prefix { $0.isNumber }) ?? 0
    }
}
