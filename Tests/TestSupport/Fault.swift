/// What a server does wrong with one answer.
public enum Fault: Sendable {
    /// A right answer.
    case none

    // The connection
    /// Ends it in the body, after so many bytes of this answer's body.
    case cut(after: Int, by: FaultEnd = .close)
    /// Ends it within the head, after so many of its bytes.
    case cutHead(after: Int, by: FaultEnd = .close)
    /// Ends it without an answer.
    case drop(by: FaultEnd = .close)
    /// Stands still after so many bytes of the body until the gate lets it go on; without a gate until the end.
    case stall(after: Int, until: FaultGate? = nil)
    /// Stands still before the answer.
    case silence(until: FaultGate? = nil)
    /// Sends the body in pieces of so many bytes, each once the gate has let one pass.
    case slow(by: Int, FaultGate)

    // What it says of the body
    /// These instead of the right `Content-Length`; the connection is closed after the body.
    case length(FaultLength)
    /// This instead of the right `Content-Range`, where a range was asked.
    case contentRange(FaultContentRange)
    /// 200 with all bytes where a range was asked.
    case ignoredRange
    /// 206 with these bytes where no range was asked.
    case unaskedPart(Range<Int>)
    /// 416 with this as the total where a range was asked; `nil` says none.
    case unsatisfied(total: Int?)
    /// `multipart/byteranges` as the answer to one range.
    case multipart
    /// In chunks of so many bytes.
    case chunked(Int)
    /// In chunks, ended after so many bytes of the body, without the end mark.
    case chunkedCut(after: Int, by: FaultEnd = .close)
    /// In chunks, where after so many bytes of the body a chunk's size is this text.
    case chunkedSize(String, after: Int)
    /// Coded by each of these in turn; of `gzip` all bytes are really coded, any other name is a lie.
    case encoded([String])
    /// 200 with a page.
    case page

    // What it says at all
    /// From now on another resource at the same address, which is answered rightly.
    case replaced(by: FaultResource)
    /// The same, and this once the range asked for comes out of it, whatever the request says of the version it wants.
    case replacedUnnoticed(by: FaultResource)
    case redirect(to: FaultLocation, status: Int = 302)
    /// Any status, with lines such as `Retry-After: 1`.
    case status(Int, [String] = [])
    /// A status that has no body, with one.
    case bodyAfter(status: Int)
    /// So many interim answers before the right one; `nil` never ends.
    case interim(Int?)
    /// Headers without end.
    case endlessFields
    /// These lines, as they are, before the right ones.
    case fields([String])
    /// These bytes instead of an answer; then the end.
    case garbage(String)
}

/// How a connection ends.
public enum FaultEnd: Sendable {
    case close
    /// With a reset, once the client's system has taken all bytes before.
    case reset
}

public enum FaultLength: Sendable {
    /// More than are sent.
    case plus(Int)
    /// Fewer than are sent.
    case minus(Int)
    /// As it is.
    case text(String)
    /// The right one twice.
    case repeated
    /// The right one and one that is larger by so many.
    case contradictory(by: Int)
    /// None, so that the end of the connection is the end of the body.
    case missing
}

public enum FaultContentRange: Sendable {
    /// Says it starts so many bytes later (or earlier); the bytes sent are those asked for.
    case start(Int)
    /// Says the whole has so many more bytes.
    case total(Int)
    /// Says nothing of the whole: `bytes 5-9/*`.
    case unknownTotal
    case unit(String)
    case text(String)
    case missing
}

public enum FaultLocation: Sendable {
    /// As it is.
    case text(String)
    /// A path of this server as a whole address, with another spelling of the host if one is given.
    case absolute(String, host: String = "127.0.0.1")
    /// The address that was asked for.
    case itself
}
