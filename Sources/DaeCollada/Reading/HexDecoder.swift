import DaeDiagnostics
import DaeXML

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
