import Glibc

/// The line that most documents begin with.
enum XMLDeclaration {
    /// How most of them are to the letter, but for the capitals of the encoding.
    private static let common: StaticString = #"<?xml version="1.0" encoding="utf-8"?>"#
    private static let commonLetters = 30..<33

    /// Whether bytes begin with such a one.
    static func isCommon(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = common.utf8CodeUnitCount
        let behind = commonLetters.upperBound
        guard bytes.count >= count, let start = bytes.baseAddress,
            memcmp(start, common.utf8Start, commonLetters.lowerBound) == 0
        else { return false }
        return commonLetters.allSatisfy { bytes[$0] | 0x20 == common.utf8Start[$0] }
            && memcmp(start + behind, common.utf8Start + behind, count - behind) == 0
    }

    /// Whether it is one of version 1.0 that nothing is to be said against. The encoding was heeded before.
    static func isUsual(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.count == common.utf8CodeUnitCount, isCommon(bytes) { return true }
        var rest = bytes[...]
        guard take("<?xml", &rest), takeSpace(&rest), take("version", &rest), let version = value(&rest),
            version.elementsEqual("1.0".utf8)
        else { return false }
        var hasSpace = takeSpace(&rest)
        if hasSpace, take("encoding", &rest) {
            guard let name = value(&rest), let first = name.first, isLetter(first),
                name.allSatisfy({
                    isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "._-".utf8.contains($0)
                })
            else { return false }
            hasSpace = takeSpace(&rest)
        }
        if hasSpace, take("standalone", &rest) {
            guard let answer = value(&rest), answer.elementsEqual("yes".utf8) || answer.elementsEqual("no".utf8) else {
                return false
            }
            takeSpace(&rest)
        }
        return rest.elementsEqual("?>".utf8)
    }

    private static func take(_ text: StaticString, _ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: expected) else { return false }
        rest = rest.dropFirst(expected.count)
        return true
    }

    @discardableResult
    private static func takeSpace(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let before = rest.count
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return rest.count < before
    }

    /// What stands between quotation marks behind an equals sign.
    private static func value(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>? {
        takeSpace(&rest)
        guard take("=", &rest) else { return nil }
        takeSpace(&rest)
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: quote) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
