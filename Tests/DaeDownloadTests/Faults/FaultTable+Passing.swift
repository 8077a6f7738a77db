// What a download gets over by asking again, and what it must then not be led astray by.

import DaeDiagnostics
import TestSupport

extension FaultCase {
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
        ).within(2 * count + 100),
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
                "other bytes under the same tag, with a digest", .verifying, .cut(after: half),
                .replaced(by: FaultResource(other, fields: [reprDigest(of: other)])),
                expecting: .sameBytes(requests: 3...3)),
        ]
    }()
}
