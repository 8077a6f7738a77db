enum ReportURI {
    /// A path, or an address as it is, as a relative or absolute reference.
    static func encoded(_ address: String) -> String {
        if let scheme = ["http://", "https://"].first(where: { address.lowercased().hasPrefix($0) }) {
            return scheme + escaped(String(address.dropFirst(scheme.count)), keeping: "/?#[]@:!$&'()*+,;=%")
        }
        var path = Substring(address)
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        return (path.hasPrefix("/") ? "file://" : "") + escaped(String(path), keeping: "/!$&'()*+,;=@")
    }

    private static func escaped(_ text: String, keeping: StaticString) -> String {
        let kept = keeping.withUTF8Buffer { Array($0) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                if kept.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
