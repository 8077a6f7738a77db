// What is said wrongly of a body: its length, its chunks, its coding, its digest.

import DaeCore
import DaeDiagnostics
import FoundationEssentials
import TestSupport

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
