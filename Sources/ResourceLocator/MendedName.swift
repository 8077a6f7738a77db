// Packers that know no UTF-8 take its bytes for the letters of an old code page, and write those as UTF-8 again: a file
// `für.png` then is called `fÃ¼r.png` or `f├╝r.png`.

import Archive

/// Names whose UTF-8 was taken for another encoding.
enum MendedName {
    /// The path as it was before; `nil` where no part of it looks like that.
    static func path(_ path: String) -> String? {
        guard !path.isASCII else { return nil }
        var isMended = false
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
            guard let mended = name(part) else { return String(part) }
            isMended = true
            return mended
        }
        return isMended ? parts.joined(separator: "/") : nil
    }

    private static func name(_ name: Substring) -> String? {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        return undone(name, CodePage1252.encode) ?? undone(name, CodePage437.encode)
    }

    /// The text of the bytes that the letters had in a code page, if it is UTF-8.
    private static func undone(_ name: Substring, _ encode: (Unicode.Scalar) -> UInt8?) -> String? {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            guard let byte = encode(scalar) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
