/// What a `file://` address names on this machine, with an entry behind `!/` if there is one. Source: RFC 8089.
struct FilePath {
    /// Behind scheme and host, as it was written.
    private let text: String

    /// `nil` for an address of another scheme or machine.
    init?(_ address: String) {
        guard address.prefix(7).lowercased() == "file://" else { return nil }
        let rest = address.dropFirst(7)
        let host = rest.prefix { $0 != "/" }
        guard host.isEmpty || host.lowercased() == "localhost", rest.count > host.count else { return nil }
        text = String(rest.dropFirst(host.count))
    }

    /// The path and the entry: as a path is split, but what is behind the mark stays as it was written.
    func source(where exists: (String) -> Bool) -> (AssetSource.Location, entry: String?) {
        let whole = Self.path(text)
        // A mark behind a query or fragment parts the entry from them.
        let hasLateMark = text.drop { $0 != "?" && $0 != "#" }.firstRange(of: AssetSource.mark) != nil
        if let whole, !hasLateMark, exists(whole) { return (.path(whole), nil) }
        let split = text.lastSplit(at: AssetSource.mark) { left in Self.path(left).map(exists) ?? false }
        if let split, let path = Self.path(split.left) { return (.path(path), split.right) }
        return (.path(whole ?? text), nil)
    }

    /// Without query and fragment, `%20` and the like decoded; `nil` where that gives no path.
    private static func path(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.prefix { $0 != "?" && $0 != "#" }.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let high = hexadecimal(digits.first), let low = hexadecimal(digits.last) else {
                return nil
            }
            bytes.append(high << 4 | low)
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8?) -> UInt8? {
        digit.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
    }
}
