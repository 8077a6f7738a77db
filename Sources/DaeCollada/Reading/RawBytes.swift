import DaeCore
import DaeDiagnostics
import DaeXML

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

/// The bytes that a text of hexadecimal digits stands for; white space is passed over wherever it is.
struct HexDecoder {
    /// Empty when none were to be kept, or when there were more than could be.
    private(set) var bytes: [UInt8] = []
    /// Whole bytes, kept or not.
    private(set) var count = 0
    /// Characters that are neither digits nor white space.
    private(set) var strays = 0
    private var half: UInt8?
    private let limit: Int

    /// - Parameter limit: Bytes to keep at most.
    init(limit: Int) {
        self.limit = limit
    }

    /// Digits without a partner at the end.
    var isOdd: Bool { half != nil }
    /// Whether ``bytes`` are all that there were.
    var isWhole: Bool { bytes.count == count }

    mutating func decode(_ text: UnsafeRawBufferPointer) {
        for byte in text {
            guard let digit = Self.digit(byte) else {
                strays += byte <= 0x20 ? 0 : 1
                continue
            }
            guard let high = half else {
                half = digit
                continue
            }
            half = nil
            count += 1
            if count <= limit {
                bytes.append(high << 4 | digit)
            } else if !bytes.isEmpty {
                bytes = []
            }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Reports what is unusual about the digits of an element.
    func report(of view: ElementView, _ context: inout ReadingContext) {
        if strays > 0 || isOdd {
            let odd = isOdd ? "a digit without its partner" : ""
            let strays = strays > 0 ? "\(strays) characters that are no digits" : ""
            context.log.add(
                .imageDataInvalid, at: view.place,
                "the hexadecimal data has \([strays, odd].filter { !$0.isEmpty }.joined(separator: " and "))")
        }
        if context.options.retention == .everything, !isWhole {
            context.log.add(
                .imageTooLarge, at: view.place,
                "the embedded image has \(count) bytes; the most kept is \(context.options.limits.textBytes)",
                arguments: [.init("bytes", "\(count)"), .init("limit", "\(context.options.limits.textBytes)")])
        }
    }
}

extension Array where Element: BitwiseCopyable {
    /// The same without room left over: an array that grew has room for up to twice its elements.
    consuming func fitted() -> [Element] {
        let least = 16
        guard capacity - count > Swift.max(least, count / 8) else { return self }
        var copy: [Element] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}

extension Array {
    /// So many equal elements, where they are few: the library's own way asks the runtime for the type of what holds them,
    /// which takes longer than to write them.
    @inline(__always)
    init(of count: Int, each element: Element) {
        self = []
        reserveCapacity(count)
        for _ in 0..<count { append(element) }
    }
}
