// Every row is one way in which a server can be wrong. Where RFC 9110 leaves a client the choice between asking again and
// giving up, the row gives it.

import ContentHash
import Diagnostics
import FoundationEssentials
import TestSupport

extension FaultCase {
    static let table: [FaultCase] =
        plain + redirects + answers + heads + cuts + passing + ranges + changes + lengths + codings + digests

    private static let half = count / 2
    private static let retried = 2...10

    // MARK: - One request

    static let plain: [FaultCase] = [
        FaultCase("a right answer", .asking, expecting: .sameBytes(requests: 1...1)).within(count),
        FaultCase("an empty file", .asking, expecting: .sameBytes(requests: 1...1)).of(FaultResource([])),
        FaultCase("a single byte", .asking, expecting: .sameBytes(requests: 1...1)).of(FaultResource([7])),
        FaultCase("without validators", .asking, expecting: .sameBytes(requests: 1...1))
            .of(FaultResource(bytes, tag: nil, contentType: nil)),
        FaultCase("chunked", .asking, .chunked(777), expecting: .sameBytes(requests: 1...1)),
        FaultCase("without a length", .asking, .length(.missing), expecting: .sameBytes(requests: 1...1)),
        FaultCase("a length twice", .asking, .length(.repeated), expecting: .sameBytes(requests: 1...1)),
        FaultCase("some interim answers", .asking, .interim(20), expecting: .sameBytes(requests: 1...1)),
    ]

    static let redirects: [FaultCase] = [
        FaultCase("redirect by a path", .asking, .redirect(to: .text(moved)), expecting: .sameBytes(requests: 2...2)),
        FaultCase(
            "redirect by a whole address", .asking, .redirect(to: .absolute(moved), status: 308),
            expecting: .sameBytes(requests: 2...2)),
        FaultCase(
            "redirect to another name", .asking, .redirect(to: .absolute(moved, host: "localhost"), status: 307),
            expecting: .sameBytes(requests: 2...2)),
        FaultCase(
            "redirect in a circle", .asking, .redirect(to: .itself),
            expecting: .failure(.downloadTooManyRedirects, requests: 11...11)
        ).forEver(),
        FaultCase(
            "redirect to a file", .asking, .redirect(to: .text("file:///etc/passwd")),
            expecting: .failure(.downloadURLInvalid, requests: 1...1)),
        FaultCase(
            "redirect to nowhere", .asking, .redirect(to: .text("http://[")),
            expecting: .failure(.downloadURLInvalid, requests: 1...1)),
        FaultCase(
            "redirect, then cut", .resuming, .redirect(to: .text(moved)), expecting: .sameBytes(requests: 3...4)
        ).thenAtMoved(.cut(after: half)).within(count + 100),
        FaultCase(
            "cut, then redirect", .resuming, .cut(after: half), .redirect(to: .text(moved)),
            expecting: .sameBytes(requests: 3...3)),
    ]

    static let answers: [FaultCase] =
        [400, 401, 403, 404, 405, 409, 410, 412, 418, 451].map { status in
            FaultCase(
                "status \(status)", .asking, .status(status),
                expecting: .failure(.downloadHTTPStatus, requests: 1...1)
            ).forEver()
        } + [
            FaultCase("a page", .asking, .page, expecting: .failure(.downloadContentTypeMismatch, requests: 1...1)),
            FaultCase(
                "204 with a body", .asking, .bodyAfter(status: 204),
                expecting: .failure(.downloadHTTPStatus, requests: 1...1)),
            FaultCase(
                "304 with a body, though nothing was named", .asking, .bodyAfter(status: 304),
                expecting: .failure(.downloadHTTPStatus, requests: 1...1)),
            FaultCase(
                "416, though no range was asked", .asking, .status(416, ["Content-Range: bytes */\(count)"]),
                expecting: .failure(.downloadHTTPStatus, requests: 1...1)),
            FaultCase(
                "a part, though none was asked", .resuming, .unaskedPart(5..<9),
                expecting: .failure(.downloadTruncated, requests: 1...1)),
            FaultCase(
                "all as a part, though none was asked", .resuming, .unaskedPart(0..<count),
                expecting: .sameBytes(requests: 1...1)),
            FaultCase(
                "404 in the midst", .resuming, .cut(after: half), .status(404),
                expecting: .failure(.downloadHTTPStatus, requests: 2...2)),
            FaultCase(
                "a page in the midst", .resuming, .cut(after: half), .page,
                expecting: .failure(.downloadContentTypeMismatch, requests: 2...2)),
        ]

    static let heads: [FaultCase] = [
        FaultCase(
            "headers without end", .asking, .endlessFields, expecting: .failure(.downloadTooLarge, requests: 1...1)),
        FaultCase(
            "interim answers without end", .asking, .interim(nil),
            expecting: .failure(.downloadTooLarge, requests: 1...1)),
        FaultCase(
            "no HTTP", .asking, .garbage("220 mail.example.org ESMTP\r\n"),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase(
            "HTTP/0.9", .asking, .garbage("hello, world"),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase(
            "odd headers", .asking,
            .fields(["X: a\rSet-Cookie: b", " folded", "X-Escape: \u{1b}[2J", ": no name"]),
            expecting: .sameBytes(requests: 1...1)),
        FaultCase(
            "a header without a colon, once", .resuming, .fields(["no colon here"]),
            expecting: .sameBytes(requests: 1...2)),
        FaultCase(
            "a header with a zero byte, once", .resuming, .fields(["X: a\0b"]), expecting: .sameBytes(requests: 1...2)),
        FaultCase("a handshake that breaks", .asking, expecting: .failure(.downloadTLSFailed, requests: 0...0))
            .by("https"),
    ]

    // MARK: - What passes

    static let cuts: [FaultCase] =
        [0, 1, half, count - 1].flatMap { place in
            [FaultEnd.close, .reset].map { end in
                FaultCase(
                    "cut after \(place) by \(end)", .resuming, .cut(after: place, by: end),
                    expecting: .sameBytes(requests: 2...2)
                ).within(count)
            }
        } + [
            FaultCase(
                "cut three times", .resuming, .cut(after: 1000), .cut(after: 50_000), .cut(after: 70_000),
                expecting: .sameBytes(requests: 4...4)
            ).within(count),
            FaultCase("cut, with a date alone", .resuming, .cut(after: half), expecting: .sameBytes(requests: 2...2))
                .of(FaultResource(bytes, tag: nil, lastModified: 784_111_777)).within(count),
            // What may not be gone on with comes again as a whole.
            FaultCase("cut, with a weak tag", .resuming, .cut(after: half), expecting: .sameBytes(requests: 2...2))
                .of(FaultResource(bytes, tag: .weak("one"))),
            FaultCase("cut, without validators", .resuming, .cut(after: half), expecting: .sameBytes(requests: 2...2))
                .of(FaultResource(bytes, tag: nil)),
            FaultCase(
                "cut, by a server without ranges", .resuming, .cut(after: half), expecting: .sameBytes(requests: 2...2)
            ).of(FaultResource(bytes, answersRanges: false)),
            FaultCase("cut in the head", .resuming, .cutHead(after: 30), expecting: .sameBytes(requests: 2...2)),
            FaultCase(
                "cut in the head by a reset", .resuming, .cutHead(after: 30, by: .reset),
                expecting: .sameBytes(requests: 2...2)),
            FaultCase("closed without an answer", .resuming, .drop(), expecting: .sameBytes(requests: 2...2)),
            FaultCase("reset without an answer", .resuming, .drop(by: .reset), expecting: .sameBytes(requests: 2...2)),
            FaultCase(
                "closed without an answer for ever", .resuming, .drop(),
                expecting: .failure(.downloadConnectionFailed, requests: retried)
            ).forEver(),
            FaultCase(
                "cut before the first byte for ever", .resuming, .cut(after: 0),
                expecting: .failure(.downloadTruncated, requests: retried)
            ).forEver(),
            FaultCase("stalled", .resuming, .stall(after: half), expecting: .sameBytes(requests: 2...2)).within(count),
            FaultCase("stalled before the answer", .resuming, .silence(), expecting: .sameBytes(requests: 2...2)),
        ]

    static let passing: [FaultCase] =
        [408, 429, 500, 502, 503, 504].map { status in
            FaultCase("status \(status) once", .resuming, .status(status), expecting: .sameBytes(requests: 2...2))
        } + [
            FaultCase(
                "429 with seconds to wait", .resuming, .status(429, ["Retry-After: 7"]),
                expecting: .sameBytes(requests: 2...2)),
            FaultCase(
                "503 with a date long ago", .resuming,
                .status(503, ["Retry-After: \(FaultResource.date(784_111_777))"]),
                expecting: .sameBytes(requests: 2...2)),
            FaultCase(
                "429 with nonsense to wait", .resuming, .status(429, ["Retry-After: soon"]),
                expecting: .sameBytes(requests: 2...2)),
            FaultCase(
                "429 with days to wait", .resuming, .status(429, ["Retry-After: 864000"]),
                expecting: .failure(.downloadHTTPStatus, requests: 1...1)
            ).forEver(),
            FaultCase(
                "503 for ever", .resuming, .status(503), expecting: .failure(.downloadHTTPStatus, requests: retried)
            ).forEver(),
            FaultCase(
                "cut, then 503", .resuming, .cut(after: half), .status(503), expecting: .sameBytes(requests: 3...3)
            ).within(count + 100),
        ]

    // MARK: - Ranges and versions

    static let ranges: [FaultCase] = [
        afterACut("200 where a part was asked", .ignoredRange, 2...2),
        afterACut("a part that starts elsewhere", .contentRange(.start(3)), 3...4),
        afterACut("a part that starts before", .contentRange(.start(-3)), 3...4),
        afterACut("a part of a larger whole", .contentRange(.total(5)), 3...4),
        afterACut("a part beyond its whole", .contentRange(.total(-5)), 3...4),
        afterACut("a part of another unit", .contentRange(.unit("items")), 3...4),
        afterACut("a part that says nonsense", .contentRange(.text("bytes x-y/z")), 3...4),
        afterACut("a part that does not say which", .contentRange(.missing), 3...4),
        afterACut("a part of a whole of unknown size", .contentRange(.unknownTotal), 2...2).within(count),
        afterACut("parts in parts", .multipart, 3...4),
        afterACut("416 with the right total", .unsatisfied(total: count), 3...4),
        afterACut("416 without a total", .unsatisfied(total: nil), 3...4),
        afterACut("416 that says the kept half is all", .unsatisfied(total: half), 3...4),
        afterACut("a part that is cut", .cut(after: 10), 3...3).within(count),
        afterACut("a part in chunks", .chunked(777), 2...2).within(count),
        FaultCase(
            "all bytes in chunks, without the end mark", .resuming, .chunkedCut(after: count),
            expecting: .sameBytes(requests: 2...3)
        ).within(count + 100),
        FaultCase(
            "416 that says half a chunked file is all, against its digest", .verifying, .chunkedCut(after: half),
            .unsatisfied(total: half), expecting: .sameBytes(requests: 3...4)
        ).of(FaultResource(bytes, fields: [reprDigest(of: bytes)])),
    ]

    private static func afterACut(_ name: String, _ fault: Fault, _ requests: ClosedRange<Int>) -> FaultCase {
        FaultCase(name, .resuming, .cut(after: half), fault, expecting: .sameBytes(requests: requests))
    }

    static let changes: [FaultCase] = {
        let other = FaultResource.noise(count, seed: 2)
        let changed = "DOWNLOAD_VALIDATOR_CHANGED"
        let dated = FaultResource(bytes, tag: nil, lastModified: 784_111_777)
        return [
            FaultCase(
                "changed between requests", .resuming, .cut(after: half),
                .replaced(by: FaultResource(other, tag: .strong("two"))), expecting: .finding(changed, requests: 2...2)),
            FaultCase(
                "changed to fewer bytes than are there", .resuming, .cut(after: half),
                .replaced(by: FaultResource([1, 2, 3], tag: .strong("two"))),
                expecting: .finding(changed, requests: 2...3)),
            FaultCase(
                "changed, by its date", .resuming, .cut(after: half),
                .replaced(by: FaultResource(other, tag: nil, lastModified: 784_111_778)),
                expecting: .finding(changed, requests: 2...2)
            ).of(dated),
            FaultCase(
                "changed, and a part all the same", .resuming, .cut(after: half),
                .replacedUnnoticed(by: FaultResource(other, tag: .strong("two"))),
                expecting: .finding(changed, requests: 3...4)),
            FaultCase(
                "changed twice", .resuming, .cut(after: half),
                .replaced(by: FaultResource(other, tag: .strong("two"))),
                .replaced(by: FaultResource(bytes, tag: .strong("three"))),
                expecting: .finding(changed, requests: 2...3)),
            FaultCase(
                "other bytes under the same tag, with a digest", .verifying, .cut(after: half),
                .replaced(by: FaultResource(other, fields: [reprDigest(of: other)])),
                expecting: .sameBytes(requests: 3...3)),
        ]
    }()
}

// MARK: - Lengths, codings, digests

extension FaultCase {
    static let lengths: [FaultCase] = [
        FaultCase(
            "a length that is too large, once", .resuming, .length(.plus(7)), expecting: .sameBytes(requests: 2...3)),
        FaultCase(
            "a length that is too large for ever", .resuming, .length(.plus(7)),
            expecting: .failure(.downloadTruncated, requests: retried)
        ).of(FaultResource(bytes, answersRanges: false)).forEver(),
        FaultCase(
            "a length that is too small, against a digest", .verifying, .length(.minus(7)),
            expecting: .failure(.downloadChecksumMismatch, requests: 1...10)
        ).of(FaultResource(bytes, fields: [reprDigest(of: bytes)])).forEver(),
        FaultCase(
            "a length below zero", .asking, .length(.text("-5")),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase(
            "a length with letters behind it", .resuming, .length(.text("12abc")),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase(
            "two lengths, once", .resuming, .length(.contradictory(by: 5)), expecting: .sameBytes(requests: 1...3)),
        FaultCase(
            "an absurd length", .asking, .length(.text("99999999999999999999999")),
            expecting: .failure(.downloadTooLarge, requests: 1...1)),
        FaultCase(
            "chunks that are cut", .resuming, .chunkedCut(after: half), expecting: .sameBytes(requests: 2...2)
        ).within(count),
        FaultCase(
            "chunks that are reset", .resuming, .chunkedCut(after: half, by: .reset),
            expecting: .sameBytes(requests: 2...2)
        ).within(count),
        FaultCase(
            "a chunk's size of letters", .resuming, .chunkedSize("zz", after: half),
            expecting: .sameBytes(requests: 2...3)),
        FaultCase(
            "a chunk's size beyond all numbers", .resuming, .chunkedSize("FFFFFFFFFFFFFFFFF", after: half),
            expecting: .sameBytes(requests: 2...3)),
        FaultCase(
            "a chunk's size below zero", .resuming, .chunkedSize("-5", after: half),
            expecting: .sameBytes(requests: 2...3)),
    ]

    static let codings: [FaultCase] = [
        FaultCase("gzip", .decoding, .encoded(["gzip"]), expecting: .sameBytes(requests: 1...2)),
        FaultCase("gzip twice", .decoding, .encoded(["gzip", "gzip"]), expecting: .sameBytes(requests: 1...2)),
        FaultCase("a coding by name alone", .decoding, .encoded(["identity"]), expecting: .sameBytes(requests: 1...1)),
        FaultCase("an unknown coding, once", .decoding, .encoded(["odd"]), expecting: .sameBytes(requests: 1...3)),
        FaultCase(
            "cut, then gzip", .decoding, .cut(after: half), .encoded(["gzip"]),
            expecting: .sameBytes(requests: 2...3)),
    ]

    static let digests: [FaultCase] = {
        let mismatch = Expectation.failure(.downloadChecksumMismatch, requests: 1...10)
        let lie = base64(of: [1])
        let truth = base64(of: bytes)
        func row(_ name: String, _ field: String, _ script: Fault..., expecting: Expectation) -> FaultCase {
            var row = FaultCase(name, .verifying, expecting: expecting)
                .of(FaultResource(bytes, tag: .strong("one"), fields: [field]))
            row.script = script
            return row
        }
        return [
            row("Repr-Digest", "Repr-Digest: sha-256=:\(truth):", expecting: .sameBytes(requests: 1...1)),
            row("Content-Digest", "Content-Digest: sha-256=:\(truth):", expecting: .sameBytes(requests: 1...1)),
            row("Digest", "Digest: sha-256=\(truth)", expecting: .sameBytes(requests: 1...1)),
            row("a digest of another kind", "Digest: adler32=03da0195", expecting: .sameBytes(requests: 1...1)),
            row(
                "Repr-Digest over a cut", "Repr-Digest: sha-256=:\(truth):", .cut(after: half),
                expecting: .sameBytes(requests: 2...2)
            ).within(count),
            row("a wrong Repr-Digest", "Repr-Digest: sha-256=:\(lie):", expecting: mismatch),
            row("a wrong Content-Digest", "Content-Digest: sha-256=:\(lie):", expecting: mismatch),
            row("a wrong Digest", "Digest: SHA-256=\(lie)", expecting: mismatch),
            row(
                "a wrong Repr-Digest over a cut", "Repr-Digest: sha-256=:\(lie):", .cut(after: half),
                expecting: mismatch),
        ]
    }()

    private static func base64(of bytes: [UInt8]) -> String {
        Data(SHA256Digest(hashing: bytes).bytes).base64EncodedString()
    }

    static func reprDigest(of bytes: [UInt8]) -> String { "Repr-Digest: sha-256=:\(base64(of: bytes)):" }
}
