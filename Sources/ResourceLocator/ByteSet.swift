/// Which bytes occur in a text: most references hold none of those by which they could be read in several ways.
struct ByteSet: Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    /// Of those that are no ASCII, whether any occurs.
    private var others: UInt64 = 0

    init(_ text: String) {
        let bytes = text.utf8.span
        for index in bytes.indices {
            let bit = UInt64(1) << UInt64(bytes[index] & 63)
            switch bytes[index] {
            case 0..<64: first |= bit
            case 64..<128: second |= bit
            default: others |= bit
            }
        }
    }

    /// - Parameter character: Of ASCII.
    func contains(_ character: Unicode.Scalar) -> Bool {
        guard character.value < 128 else { return false }
        return (character.value < 64 ? first : second) & 1 << UInt64(character.value & 63) != 0
    }

    /// Whether a control character of ASCII occurs.
    var hasControl: Bool { first & 0xFFFF_FFFF != 0 || contains("\u{7F}") }
}
