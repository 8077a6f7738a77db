// What is accepted here is less than XML allows: the rest is left to libxml2 to judge.

import CTextScan
import Glibc

enum XMLNameRules {
    /// Bytes of a name; what is longer is odd enough.
    static let longest = 1000

    /// Whether a name may begin with the byte.
    static func mayBegin(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 }

    /// Whether the bytes, valid UTF-8, are certainly a name without a colon.
    static func isSurelyName(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count > 0, count <= longest else { return false }
        var at = 0
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                at += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                guard at > 0 else { return false }
                at += 1
            // U+00C0 to U+01FF but the signs of times and division, U+0400 to U+047F.
            case 0xC3 where at + 1 < count && bytes[at + 1] != 0x97 && bytes[at + 1] != 0xB7: at += 2
            case 0xC4...0xC7, 0xD0, 0xD1: at += 2
            // U+5000 to U+9FFF
            case 0xE5...0xE9: at += 3
            default: return false
            }
        }
        return at == count
    }

    private static let schemes: [StaticString] = ["http://", "https://"]
    private static let reserved: [StaticString] = ["http://www.w3.org/XML/1998", "http://www.w3.org/2000/xmlns"]

    /// Whether the text is certainly a namespace's name that nothing is to be said against.
    static func isSurelyNamespace(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, isLetter(first), text.count <= longest else { return false }
        var at = 0
        for scheme in schemes where begins(text, with: scheme) {
            at = scheme.utf8CodeUnitCount
            guard at < text.count, isLetter(text[at]) else { return false }
        }
        for name in reserved where begins(text, with: name) { return false }
        while at < text.count {
            let byte = text[at]
            guard isLetter(byte) || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_") else {
                return false
            }
            at += 1
        }
        return true
    }

    private static func begins(_ text: UnsafeRawBufferPointer, with name: StaticString) -> Bool {
        guard let start = text.baseAddress, text.count >= name.utf8CodeUnitCount else { return false }
        return memcmp(start, name.utf8Start, name.utf8CodeUnitCount) == 0
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

/// What the texts of ids and names consist of, sixteen bytes at a time.
package enum NameBytes {
    /// Whether so many bytes, at least 8, are letters, digits, `-`, `.` and `_` of ASCII alone.
    package static func areAll(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        precondition(count >= 8, "fewer bytes than are read")
        return dae_are_in_names(base.assumingMemoryBound(to: UInt8.self), count) != 0
    }
}
