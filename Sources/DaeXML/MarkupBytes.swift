// The one place where the tokenizer touches memory by its address: all else goes through spans, whose bounds are checked.

import DaeCore

extension Span where Element == UInt8 {
    /// The address of a byte, or of the end, of a span that is not empty; valid while the span is.
    @inline(__always)
    func address(_ index: Int) -> UnsafePointer<UInt8> {
        precondition(index >= 0 && index <= count && count > 0, "a byte that is not there")
        return withUnsafeBufferPointer { $0.baseAddress.unsafelyUnwrapped + index }
    }

    /// A stretch of the bytes, which are not empty, as events hand it over; valid while the span is.
    @inline(__always)
    func text(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        precondition(start >= 0 && start <= end && end <= count, "bytes that are not there")
        return withUnsafeBufferPointer {
            UnsafeRawBufferPointer(start: $0.baseAddress.map { $0 + start }, count: end &- start)
        }
    }

    /// Eight bytes, the first in the lowest place.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The same, where the caller knows that the bytes are there.
    @inline(__always)
    func word(unchecked index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// The first `length` (0...8) bytes from `index` on, and 0 behind them.
    @inline(__always)
    func word(at index: Int, length: Int) -> UInt64 {
        guard length > 0 else { return 0 }
        if index >= 0, count &- index >= 8 { return word(unchecked: index) & ByteWord.mask(length) }
        var word: UInt64 = 0
        for place in 0..<length { word |= UInt64(self[index + place]) << UInt64(8 &* place) }
        return word
    }

    /// Where a byte is first met from `start` on, before `end`; `nil` where it is not.
    func firstIndex(of value: UInt8, from start: Int, before end: Int) -> Int? {
        precondition(end <= count, "a byte that is not there")
        guard start < end, let found = memchr(address(start), Int32(value), end - start) else { return nil }
        return UnsafeRawPointer(address(0)).distance(to: UnsafeRawPointer(found))
    }

    /// Whether `length` bytes from `index` on are those of another span from `start` on.
    func matches(_ index: Int, _ other: Span<UInt8>, _ start: Int, _ length: Int) -> Bool {
        guard length <= count - index, length <= other.count - start else { return false }
        return length == 0 || memcmp(address(index), other.address(start), length) == 0
    }

    /// How far bytes go with a text of ASCII, from `index` on.
    func comparison(with text: StaticString, at index: Int = 0) -> TextComparison {
        let shared = Swift.min(count - index, text.utf8CodeUnitCount)
        guard shared > 0 else { return .cut }
        guard memcmp(address(index), text.utf8Start, shared) == 0 else { return .different }
        return shared == text.utf8CodeUnitCount ? .same : .cut
    }

    /// Whether the bytes from `index` on begin with a text of ASCII.
    func hasText(_ text: StaticString, at index: Int = 0) -> Bool { comparison(with: text, at: index) == .same }

    /// Whether the bytes from `index` on, in the UTF-8 of a valid text, are U+FFFE or U+FFFF, or too few to say.
    func isNoCharacter(at index: Int) -> Bool {
        guard index + 2 < count else { return true }
        return self[index + 1] == 0xBF && self[index + 2] >= 0xBE
    }
}

extension [UInt8] {
    /// A copy of a stretch of bytes.
    init(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
        self = bytes.extracting(start..<end).withUnsafeBufferPointer { Array($0) }
    }
}

/// How bytes compare with a text that may be longer than what is there.
enum TextComparison {
    case same, different
    /// All bytes that are there are the text's.
    case cut
}

/// Values of one kind at an address that stays; their memory is given back with the buffer.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private let start: UnsafeMutablePointer<Element>
    let capacity: Int

    init(repeating value: Element, capacity: Int) {
        start = .allocate(capacity: capacity)
        start.initialize(repeating: value, count: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < capacity, "no place in the buffer")
            return start[index]
        }
        @inline(__always) nonmutating set {
            precondition(index >= 0 && index < capacity, "no place in the buffer")
            start[index] = newValue
        }
    }

    /// The address of a value, valid as long as the buffer.
    @inline(__always)
    func address(_ index: Int) -> UnsafePointer<Element> {
        precondition(index >= 0 && index <= capacity, "no place in the buffer")
        return UnsafePointer(start + index)
    }

    /// The first `count` values, valid as long as the buffer.
    @inline(__always)
    func prefix(_ count: Int) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: address(0), count: min(count, capacity))
    }
}

/// Eight bytes at a time, in an integer: for the short runs that markup is made of quicker than a call of the C library.
enum ByteWord {
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The bits of the first so many bytes, none for 0 or less, all for 8 or more.
    @inline(__always)
    static func mask(_ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        return count >= 8 ? .max : UInt64.max >> UInt64(truncatingIfNeeded: 8 &* (8 &- count))
    }

    /// The high bits of bytes that are 0; the lowest of them is right, those above it may be too many.
    static func zeros(_ word: UInt64) -> UInt64 { (word &- repeated(1)) & ~word & highBits }

    /// The high bits of bytes that are 0, each of them right.
    static func exactZeros(_ word: UInt64) -> UInt64 {
        ~(((word & ~highBits) &+ ~highBits) | word | ~highBits)
    }

    /// The high bits of bytes that are `byte`; the lowest of them is right.
    static func matches(_ byte: UInt8, _ word: UInt64) -> UInt64 { zeros(word ^ repeated(byte)) }

    /// The high bits of bytes that are `byte`, each of them right.
    static func exactMatches(_ byte: UInt8, _ word: UInt64) -> UInt64 { exactZeros(word ^ repeated(byte)) }

    /// The high bits of bytes below `bound` (at most 0x80); the lowest of them is right.
    static func below(_ bound: UInt8, _ word: UInt64) -> UInt64 { (word &- repeated(bound)) & ~word & highBits }

    /// The high bits of bytes below `bound` (at most 0x80), each of them right.
    static func exactBelow(_ bound: UInt8, _ word: UInt64) -> UInt64 {
        ~((word | highBits) &- repeated(bound)) & ~word & highBits
    }

    /// Which byte the lowest of such bits stands in.
    static func index(_ bits: UInt64) -> Int { bits.trailingZeroBitCount >> 3 }
}
