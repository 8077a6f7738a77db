/// Looks for the mark that ends a comment, an instruction or a CDATA section, in bytes that come in pieces.
struct EndMark {
    enum Kind {
        case comment, instruction, cdata
    }

    let kind: Kind
    private let mark: [UInt8]
    /// How many of its bytes were seen.
    private var matched = 0

    init(_ kind: Kind) {
        self.kind = kind
        mark =
            switch kind {
            case .comment: Array("-->".utf8)
            case .instruction: Array("?>".utf8)
            case .cdata: Array("]]>".utf8)
            }
    }

    /// Where the mark ends, which the bytes from `start` on may go on with or have; `nil` where it does not end in them.
    mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            if matched == 0 {
                guard let first = bytes.firstIndex(of: mark[0], from: at, before: bytes.count) else { return nil }
                at = first
            }
            let byte = bytes[at]
            at += 1
            if byte == mark[matched] {
                matched += 1
                if matched == mark.count { return at }
            } else if !(byte == mark[0] && matched == 2) {
                // After `--` or `]]` one more of the same keeps both; anything else starts again.
                matched = byte == mark[0] ? 1 : 0
            }
        }
        return nil
    }
}
