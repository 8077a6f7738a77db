// Every row is one way in which a server can be wrong. Where RFC 9110 leaves a client the choice between asking again and
// giving up, the row gives it.

import DaeDiagnostics
import TestSupport

extension FaultCase {
    static let table: [FaultCase] =
        plain + redirects + answers + heads + cuts + passing + ranges + changes + lengths + codings + digests

    static let half = count / 2
    static let retried = 2...10

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
            "a header without a colon", .asking, .fields(["no colon here"]),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase(
            "a header with a zero byte", .asking, .fields(["X: a\0b"]),
            expecting: .failure(.downloadConnectionFailed, requests: 1...10)
        ).forEver(),
        FaultCase("a handshake that breaks", .asking, expecting: .failure(.downloadTLSFailed, requests: 0...0))
            .by("https"),
    ]
}
