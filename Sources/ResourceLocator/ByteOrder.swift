// A plain comparison of two strings takes composed and decomposed letters for equal, and sorts accordingly.

extension String {
    /// Whether both have the same bytes.
    func hasBytes(of other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.span.commonCount(with: other.utf8.span) == utf8.count
    }

    /// Whether it begins with the bytes of another.
    func hasBytePrefix(_ prefix: String) -> Bool {
        utf8.count >= prefix.utf8.count && utf8.span.commonCount(with: prefix.utf8.span) == prefix.utf8.count
    }

    /// Whether it is the path of something below a folder.
    func isBelow(_ folder: String) -> Bool {
        let length = folder.utf8.count
        return utf8.count > length && utf8.span[length] == Self.slash && hasBytePrefix(folder)
    }

    /// Whether it stands before the paths of all that is below a folder.
    func precedesAll(below folder: String) -> Bool {
        let (own, others) = (utf8.span, folder.utf8.span)
        let common = own.commonCount(with: others)
        guard common < own.count else { return true }
        return own[common] < (common < others.count ? others[common] : Self.slash)
    }

    private static let slash = UInt8(ascii: "/")

    /// - Parameter byte: Of ASCII.
    func holds(_ byte: UInt8) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] == byte { return true }
        return false
    }

    /// Whether it stands before another by their bytes.
    func precedesByBytes(_ other: String) -> Bool {
        let (own, others) = (utf8.span, other.utf8.span)
        let common = own.commonCount(with: others)
        guard common < own.count, common < others.count else { return own.count < others.count }
        return own[common] < others[common]
    }
}

extension Span<UInt8> {
    /// How many bytes are the same at the head of both.
    fileprivate func commonCount(with other: Span<UInt8>) -> Int {
        let most = Swift.min(count, other.count)
        var common = 0
        while common < most, self[common] == other[common] { common += 1 }
        return common
    }
}
