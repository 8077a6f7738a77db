/// The extra fields of one header (APPNOTE 6.3, section 4.5): a window of `bytes`, parted as far as its lengths hold.
struct ExtraFields {
    let bytes: [UInt8]
    let range: Range<Int>

    enum ID: UInt16 {
        case zip64 = 0x0001
        case ntfsTimes = 0x000A
        case unixTimes = 0x5455
        case oldUnixTimes = 0x5855
        case unicodePath = 0x7075
        case aes = 0x9901
    }

    /// Where the body of the first field of this kind lies.
    func body(_ id: ID) -> Range<Int>? {
        var index = range.lowerBound
        while range.upperBound - index >= 4, let kind = bytes.number16(at: index),
            let count = bytes.number16(at: index + 2)
        {
            let start = index + 4
            guard Int(count) <= range.upperBound - start else { return nil }
            if kind == id.rawValue { return start..<start + Int(count) }
            index = start + Int(count)
        }
        return nil
    }

    /// The long forms of those of `fields` that are saturated, in ZIP64's order; `nil` where one is not there.
    func widened(_ fields: UInt32?...) -> [UInt64]? {
        guard fields.contains(.max) else { return fields.map { UInt64($0 ?? 0) } }
        guard let body = body(.zip64) else { return nil }
        var index = body.lowerBound
        var wide: [UInt64] = []
        for field in fields {
            guard let field else { return nil }
            guard field == .max else {
                wide.append(UInt64(field))
                continue
            }
            guard index + 8 <= body.upperBound, let value = bytes.number64(at: index) else { return nil }
            wide.append(value)
            index += 8
        }
        return wide
    }

    /// When the file was last changed, by the field that is most exact.
    var modified: EntryDate? {
        if let body = body(.ntfsTimes), body.count >= 32, bytes.number16(at: body.lowerBound + 4) == 1,
            let ticks = bytes.number64(at: body.lowerBound + 8)
        {
            return EntryDate(ntfsTicks: ticks)
        }
        if let body = body(.unixTimes), body.count >= 5, bytes[body.lowerBound] & 1 == 1,
            let seconds = bytes.number32(at: body.lowerBound + 1)
        {
            return EntryDate(unixSeconds: Int32(bitPattern: seconds))
        }
        if let body = body(.oldUnixTimes), body.count >= 8, let seconds = bytes.number32(at: body.lowerBound + 4) {
            return EntryDate(unixSeconds: Int32(bitPattern: seconds))
        }
        return nil
    }
}
