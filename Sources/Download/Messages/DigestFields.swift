import ContentHash

/// SHA-256 values that a server sends beside the bytes; other algorithms count for nothing.
struct DigestFields: Sendable, Hashable {
    /// Of the whole file, whatever part of it this answer holds: `Repr-Digest` (RFC 9530), `Digest` (RFC 3230).
    private(set) var whole: [SHA256Digest] = []
    /// Of this answer's own bytes: `Content-Digest` (RFC 9530).
    private(set) var content: [SHA256Digest] = []

    /// `sha-256=:base64:`, a list by commas.
    mutating func readRepresentation(_ field: some StringProtocol) { whole += Self.structured(field) }

    mutating func readContent(_ field: some StringProtocol) { content += Self.structured(field) }

    /// `SHA-256=base64`, a list by commas.
    mutating func readInstance(_ field: some StringProtocol) {
        whole += Self.members(field).compactMap { $0.name == "sha-256" ? Base64.digest($0.value) : nil }
    }

    private static func structured(_ field: some StringProtocol) -> [SHA256Digest] {
        members(field).compactMap { name, value in
            guard name == "sha-256", value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else {
                return nil
            }
            return Base64.digest(value[..<end].dropFirst())
        }
    }

    private static func members(_ field: some StringProtocol) -> [(name: String, value: Substring)] {
        Substring(field).split(separator: ",").compactMap { member in
            let trimmed = member.drop { $0 == " " || $0 == "\t" }
            guard let mark = trimmed.firstIndex(of: "=") else { return nil }
            return (trimmed[..<mark].lowercased(), trimmed[trimmed.index(after: mark)...])
        }
    }
}

enum Base64 {
    /// The 32 bytes that 43 digits and a `=` stand for.
    static func digest(_ text: Substring) -> SHA256Digest? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: " ") }
        guard digits.count == 43 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return SHA256Digest(bytes: bytes)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
