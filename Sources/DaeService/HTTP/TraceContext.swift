import Daedalus
import Hummingbird
import Logging

/// The trace that a request belongs to, by which it is followed across programs (W3C Trace Context, level 1).
struct TraceContext: Sendable, Equatable {
    /// 32 hexadecimal digits.
    let trace: String
    /// This service's own part of it, 16 hexadecimal digits.
    let span: String
    /// The caller's word on whether the trace is kept, which is handed on.
    let flags: UInt8

    static let field = "traceparent"

    /// Of the request or the job at work.
    @TaskLocal static var current: TraceContext?

    /// Puts the trace into each line of the log that comes from its work.
    static let metadata = Logger.MetadataProvider { current.map { ["trace": "\($0.trace)"] } ?? [:] }

    /// One that is gone on with behind its request.
    init(trace: String) { self.init(trace: trace, flags: 0) }

    private init(trace: String, flags: UInt8) {
        (self.trace, self.flags) = (trace, flags)
        span = RandomText.hexadecimal(words: 1)
    }

    /// That of a request; `nil` where it names none, or not as the standard has it.
    init?(_ request: Request) {
        guard let name = HeaderName(Self.field) else { return nil }
        let values = request.headers[values: name]
        guard values.count == 1, let text = values.first else { return nil }
        self.init(text)
    }

    /// - Parameter text: Version, trace, the caller's part and flags; a later version may say more behind them.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[..<4].map(\.utf8.count) == [2, 32, 16, 2],
            parts[..<4].allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" }), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        // Of the flags this version of the standard knows the first.
        self.init(trace: String(parts[1]), flags: flags & 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// As a header field has it.
    var text: String { "00-\(trace)-\(span)-0\(flags)" }
}
