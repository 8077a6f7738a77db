/// Text that the hot loops may read without a bound at every byte: its last byte is white space, so every token ends
/// inside it, and ``padding`` bytes of anything can be read behind it, so eight bytes may be loaded wherever a token is.
struct PaddedText {
    static let padding = 8
    /// White space enough behind a text that all of it lies in its ``PaddedText``, in bytes.
    static let room = padding + 1

    let base: UnsafeRawPointer
    let count: Int

    /// Takes text that keeps the promise.
    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    /// Takes the longest beginning of `bytes` that keeps the promise; `nil` where there is none.
    init?(longestIn bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        var count = bytes.count - Self.padding
        while count > 0, !Byte.isSpace(bytes[count - 1]) { count -= 1 }
        guard count > 0 else { return nil }
        self.base = base
        self.count = count
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
}

extension UnsafeRawBufferPointer {
    /// The token at a place in a ``PaddedText``.
    init(tokenAt start: UnsafeRawPointer) {
        var end = start
        while !Byte.isSpace(end.load(as: UInt8.self)) { end += 1 }
        self.init(start: start, count: end - start)
    }
}
