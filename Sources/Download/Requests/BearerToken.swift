/// A token that says who asks, as `Authorization: Bearer …`. No text shows it.
public struct BearerToken: Sendable {
    let text: String

    /// - Throws: ``RequestHeaderError`` where it is empty or holds anything but visible ASCII.
    public init(_ text: String) throws(RequestHeaderError) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw RequestHeaderError(.token)
        }
        self.text = text
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    public var description: String { HeaderText.mask }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
