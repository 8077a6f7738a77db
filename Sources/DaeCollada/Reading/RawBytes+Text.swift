import DaeCore

extension UnsafeRawBufferPointer {
    /// Without the white space around it.
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start] <= 0x20 { start += 1 }
        while end > start, self[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Whether the bytes are the same.
    @inline(__always)
    func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let other = other.baseAddress else { return true }
        return memcmp(own, other, count) == 0
    }

    /// Whether they are a text's.
    @inline(__always)
    func isUTF8(of text: String) -> Bool { text.utf8.span.withUnsafeBytes { isSame(as: $0) } }
}

extension String {
    /// Whether a word stands in it, by its bytes.
    func hasBytes(of word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        return utf8.span.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count >= length else { return length == 0 }
            return (0...bytes.count - length).contains { memcmp(start + $0, word.utf8Start, length) == 0 }
        }
    }

    /// From UTF-8.
    init(xml bytes: UnsafeRawBufferPointer) {
        self = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }
}
