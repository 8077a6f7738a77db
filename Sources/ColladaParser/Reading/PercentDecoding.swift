import URIReference

extension String {
    /// Without the XML white space around it.
    var trimmed: String {
        guard let first = utf8.firstIndex(where: { $0 > 0x20 }), let last = utf8.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        return String(self[first...last])
    }

    /// With each `%` and two hexadecimal digits replaced by their byte, once; as it is where that is no text.
    var percentDecoded: String { PercentEncoding.decode(self) ?? self }
}
