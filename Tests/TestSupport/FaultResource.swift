import Glibc

/// A file as a server knows it: its bytes and what it says of them.
public struct FaultResource: Sendable, Equatable {
    /// An entity tag, without its quotation marks.
    public enum Tag: Sendable, Equatable {
        case strong(String)
        case weak(String)

        var field: String {
            switch self {
            case .strong(let text): "\"\(text)\""
            case .weak(let text): "W/\"\(text)\""
            }
        }

        var isStrong: Bool {
            switch self {
            case .strong: true
            case .weak: false
            }
        }

        var text: String {
            switch self {
            case .strong(let text), .weak(let text): text
            }
        }
    }

    public var bytes: [UInt8]
    public var tag: Tag?
    /// Unix seconds.
    public var lastModified: Int?
    public var contentType: String?
    /// Whole lines that go with every answer about it, such as `Cache-Control: no-cache` or a digest.
    public var fields: [String]
    /// Whether ranges are answered by ranges; else by all bytes.
    public var answersRanges: Bool

    public init(
        _ bytes: [UInt8], tag: Tag? = .strong("one"), lastModified: Int? = nil,
        contentType: String? = "application/octet-stream", fields: [String] = [], answersRanges: Bool = true
    ) {
        self.bytes = bytes
        self.tag = tag
        self.lastModified = lastModified
        self.contentType = contentType
        self.fields = fields
        self.answersRanges = answersRanges
    }

    /// Bytes that look like no page and differ from those of any other seed.
    public static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var numbers = SeededNumbers(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            var number = numbers.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: number))
                number >>= 8
            }
        }
        return Array(bytes[..<count])
    }

    var tagField: String? { tag?.field }
    var dateField: String? { lastModified.map(Self.date) }

    /// An HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func date(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Unix seconds of such a date; `nil` for any other text.
    static func seconds(_ date: String) -> Int? {
        let words = date.split { " :,".contains($0) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let numbers = words.compactMap { Int32($0) }
        guard words.count == 8, numbers.count == 5, let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return timegm(&parts)
    }
}
