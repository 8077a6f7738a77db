// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
@testable import DaeDownload

/// A response's head, line by line, and all that is read from its fields.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let now: Int64 = 1_800_000_000
    var head = ResponseHead()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) { _ = head.read(line) }
    _ = head.kind
    _ = head.wholeDigests
    if let length = head.bodyLength, length < 0 { fatalError("a body of less than nothing") }
    if case .part(let first, let last, let total)? = head.contentRange {
        guard first >= 0, first <= last, total.map({ last < $0 }) ?? true else { fatalError("a part that is none") }
    }
    if let limit = Freshness.limit(of: head, at: now) {
        guard limit > now, limit <= now + 366 * 86_400 else { fatalError("fresh beyond a year") }
    }
    if let wait = head.retryAfter.flatMap({ RetryAfter.seconds($0, at: now) }), wait < 0 {
        fatalError("a wait of less than nothing")
    }
    _ = head.date.flatMap(HTTPDate.seconds)
    let path = String(decoding: bytes.prefix(200), as: UTF8.self)
    for disposition in [head.contentDisposition, bytes] {
        let name = SuggestedName.make(disposition: disposition, path: path)
        guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."), !name.contains("/"), !name.contains("\\"),
            name.utf8.allSatisfy({ $0 >= 0x20 })
        else { fatalError("no name for a file: \(name)") }
    }
    return 0
}
