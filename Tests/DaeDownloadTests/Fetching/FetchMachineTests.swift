import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeDownload

/// One fetch as a conversation: each line is what happened, and what is to be done next.
@Suite struct FetchMachineTests {
    private let old = CacheReference.sample("\"old\"")

    // MARK: - The cache

    @Test func whatIsNotThereIsAskedForWhole() {
        var fetch = Fetch()
        #expect(fetch.looks() == .lock)
        #expect(fetch.locks() == .whole)
        #expect(fetch.answers("200", "ETag: \"a\"", "Content-Length: 5") == .fromStart)
        #expect(fetch.ends(5) == .commit([]))
    }

    @Test func whatIsFreshIsUsedWithoutAQuestion() {
        var fetch = Fetch()
        #expect(fetch.looks(.sample("\"a\"", storedAt: 900, freshUntil: 1001)) == .use)
    }

    @Test(arguments: [(Int64(900), Int64(1000)), (900, nil), (1100, 2000)])
    func whatIsStaleOrFromTheFutureIsAskedFor(storedAt: Int64, freshUntil: Int64?) {
        var fetch = Fetch()
        let reference = CacheReference.sample("\"a\"", storedAt: storedAt, freshUntil: freshUntil)
        #expect(fetch.looks(reference) == .lock)
        #expect(fetch.locks(reference) == .ifChanged)
        #expect(fetch.answers("304") == .use)
    }

    @Test func withoutValidatorsTheWholeIsAskedForAgain() {
        var fetch = Fetch()
        let reference = CacheReference.sample(nil)
        #expect(fetch.looks(reference) == .lock)
        #expect(fetch.locks(reference) == .whole)
    }

    @Test func aChangedFileIsTakenWhole() {
        var fetch = Fetch()
        #expect([fetch.looks(old), fetch.locks(old)] == [.lock, .ifChanged])
        #expect(fetch.answers("200", "ETag: \"new\"") == .fromStart)
        #expect(fetch.ends(7) == .commit([]))
        #expect(fetch.machine.findings == [])
    }

    @Test func offlineTheCacheStandsForTheServer() {
        var fetch = Fetch(mode: .offline)
        #expect(fetch.looks(old) == .use)
        var missing = Fetch(mode: .offline)
        #expect(missing.looks() == .fail(.downloadNotInCache))
    }

    @Test func aRefreshTakesNothingOfTheCache() {
        var fetch = Fetch(mode: .refresh)
        let fresh = CacheReference.sample("\"a\"", storedAt: 900, freshUntil: 2000)
        #expect(fetch.looks(fresh) == .lock)
        #expect(fetch.locks(fresh, kept: .sample(bytes: 3)) == .whole)
        #expect(fetch.answers("200", "ETag: \"a\"") == .fromStart)
        // Bytes of this very fetch are gone on with.
        #expect(fetch.fails(.truncated(received: 4, expected: 9), kept: .sample(bytes: 4)) == .pause)
        #expect(fetch.pauses() == .rest(4))
    }

    @Test(arguments: CacheMode.allCases)
    func theFileOfAnotherProcessIsOursWhenWeWaitedForIt(mode: CacheMode) {
        guard mode != .offline else { return }
        var fetch = Fetch(mode: mode)
        #expect(fetch.looks(old) == .lock)
        #expect(fetch.locks(.sample("\"new\"", storedAt: 1000)) == .use)
    }

    @Test func whereTheOtherProcessFailedTheServerIsAsked() {
        var fetch = Fetch()
        #expect(fetch.looks(old) == .lock)
        #expect(fetch.locks(old) == .ifChanged)
    }

    @Test func aFileWantedByItsDigestNeedsNoServer() {
        let digest = SHA256Digest(hashing: [1])
        var fetch = Fetch(digest: digest)
        #expect(fetch.looks(hasWanted: true) == .blob)
        var other = Fetch(digest: digest)
        #expect(
            other.looks(.sample("\"a\"", storedAt: 900, freshUntil: 2000)) == .lock, "what is fresh is another file")
        #expect(other.locks(.sample("\"a\"")) == .whole, "a 304 would confirm the wrong file")
        #expect(other.answers("200") == .fromStart)
        #expect(other.ends(1) == .commit([digest]))
    }

    // MARK: - Going on

    @Test func theRestIsPutBehindWhatIsThere() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("206", "Content-Range: bytes 4-9/10", "ETag: \"a\"", "Content-Length: 6") == .behind(4))
        #expect(fetch.ends(10) == .commit([]))
    }

    @Test func aServerWithoutRangesSendsTheWhole() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("200", "ETag: \"a\"") == .fromStart)
        #expect(fetch.machine.findings == [])
    }

    @Test func aChangedFileIsTakenFromItsStartAndTold() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("200", "ETag: \"b\"") == .fromStart)
        #expect(fetch.machine.findings.map(\.code) == [.downloadValidatorChanged])
    }

    @Test(arguments: [
        ["Content-Range: bytes 5-9/10"], ["Content-Range: bytes 3-9/10"], ["Content-Range: bytes 4-10/11"], [],
        ["Content-Range: lines 4-9/10"], ["Content-Range: bytes */10"],
        ["Content-Range: bytes 4-9/10", "ETag: \"b\""], ["Content-Range: bytes 4-9/10", "Content-Encoding: gzip"],
    ])
    func otherBytesThanTheRestBeginAnew(fields: [String]) {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("206", fields) == .whole)
        #expect(fetch.answers("200") == .fromStart)
    }

    @Test func whereNothingIsLeftTheBytesAreTheWhole() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 10))] == [.lock, .rest(10)])
        #expect(fetch.answers("416", "Content-Range: bytes */10") == .adopt(10))
        #expect(fetch.ends(10) == .commit([]))
    }

    @Test(arguments: [["Content-Range: bytes */9"], [], ["Content-Range: bytes */10", "ETag: \"b\""]])
    func whereTheServerHasFewerTheyAreNot(fields: [String]) {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 10))] == [.lock, .rest(10)])
        #expect(fetch.answers("416", fields) == .whole)
    }

    @Test func aPartThatNobodyAskedForMustBeAll() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        #expect(fetch.answers("206", "Content-Range: bytes 0-9/10") == .fromStart)
        var cut = Fetch()
        #expect([cut.looks(), cut.locks()] == [.lock, .whole])
        #expect(cut.answers("206", "Content-Range: bytes 0-8/10") == .fail(.downloadTruncated))
    }

    @Test func digestsOfTheServerAreHeldAgainstTheWhole() {
        let empty = SHA256Digest(hashing: [])
        let field = "Repr-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("206", "Content-Range: bytes 4-9/10", field) == .behind(4))
        #expect(fetch.ends(10) == .commit([empty]))
    }

    @Test func aWrongDigestOfJoinedBytesIsTriedOnceAsAWhole() {
        let wrong = DownloadFailure.checksumMismatch(
            expected: SHA256Digest(hashing: [1]), actual: SHA256Digest(hashing: [2]))
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("206", "Content-Range: bytes 4-9/10") == .behind(4))
        #expect(fetch.ends(10) == .commit([]))
        #expect(fetch.fails(wrong, kept: nil) == .whole)
        #expect([fetch.answers("200"), fetch.ends(10)] == [.fromStart, .commit([])])
        #expect(fetch.fails(wrong, kept: nil) == .fail(.downloadChecksumMismatch))
    }

    @Test func aServerThatAlwaysSendsOtherBytesIsGivenUp() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks(kept: .sample(bytes: 4))] == [.lock, .rest(4)])
        #expect(fetch.answers("206", "Content-Range: bytes 0-9/10") == .whole)
        #expect(fetch.answers("206", "Content-Range: bytes 1-9/10") == .fail(.downloadTruncated))
    }

    // MARK: - Trying again

    @Test(arguments: ["408", "429", "500", "502", "503", "599"])
    func passingAnswersAreAskedForAgain(status: String) {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        for _ in 1...4 {
            #expect(fetch.answers(status) == .pause)
            #expect(fetch.pauses() == .whole)
        }
        #expect(fetch.answers(status) == .fail(.downloadHTTPStatus))
    }

    @Test(arguments: ["400", "401", "403", "404", "410", "451", "204", "304", "416"])
    func otherAnswersAreFinal(status: String) {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        #expect(fetch.answers(status) == .fail(.downloadHTTPStatus))
    }

    @Test func aRowOfFailuresEndsWithNewBytes() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        for bytes in 1...20 {
            let kept = KeptBytes.sample(bytes: Int64(bytes))
            #expect(fetch.fails(.connectionBroken(reason: ""), kept: kept, hasAdvanced: true) == .pause)
            #expect(fetch.pauses() == .rest(Int64(bytes)))
        }
        for _ in 1...3 {
            #expect(fetch.fails(.connectionBroken(reason: ""), kept: .sample(bytes: 20)) == .pause)
            #expect(fetch.pauses() == .rest(20))
        }
        #expect(
            fetch.fails(.connectionBroken(reason: ""), kept: .sample(bytes: 20)) == .fail(.downloadConnectionFailed))
    }

    @Test func pausesGrowAndFollowTheServersWish() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        var pauses: [Double?] = []
        for fields in [[], ["Retry-After: 7"], [], ["Retry-After: Thu, 01 Jan 1970 00:17:10 GMT"]] {
            #expect(fetch.answers("503", fields) == .pause)
            pauses.append(fetch.lastPause)
            _ = fetch.pauses()
        }
        #expect(pauses == [0.25, 7, 1, 30])
    }

    @Test func aServerThatWantsTooLongAPauseIsNotAskedAgain() {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        #expect(fetch.answers("429", "Retry-After: 3600") == .fail(.downloadHTTPStatus))
    }

    @Test(arguments: [
        DownloadFailure.hostNotFound("x"), .connectionFailed(reason: ""), .tls(reason: ""), .cancelled,
        .tooLarge(announced: nil, limit: 1), .page(contentType: nil), .io(operation: "", subject: "", reason: ""),
    ])
    func whatWillNotPassIsFinal(failure: DownloadFailure) {
        var fetch = Fetch()
        #expect([fetch.looks(), fetch.locks()] == [.lock, .whole])
        #expect(fetch.fails(failure, kept: nil) == .fail(failure.code))
    }

    @Test func halfOfAPauseIsChance() {
        let policy = RetryPolicy()
        #expect(policy.pause(after: 1, chance: 0) == 0.25)
        #expect(policy.pause(after: 1, chance: 1) == 0.5)
        #expect(policy.pause(after: 3, chance: 0.5) == 1.5)
        #expect(policy.pause(after: .max, chance: 1) == 60)
    }

    @Test func noOrderOfEventsTrapsOrGoesOnForEver() {
        var numbers = SeededNumbers(seed: 5)
        for _ in 0..<2000 {
            var fetch = Fetch(mode: CacheMode.allCases.randomElement(using: &numbers) ?? .revalidate)
            for _ in 0..<30 {
                switch Int.random(in: 0..<7, using: &numbers) {
                case 0: _ = fetch.looks(old)
                case 1: _ = fetch.locks(old, kept: .sample(bytes: 3))
                case 2: _ = fetch.answers("206", "Content-Range: bytes 3-4/5")
                case 3: _ = fetch.answers(["200", "302", "304", "416", "503"].randomElement(using: &numbers) ?? "")
                case 4: _ = fetch.ends(5)
                case 5: _ = fetch.fails(.truncated(received: 1, expected: 2), kept: .sample(bytes: 1))
                default: _ = fetch.pauses()  // integers
                }
            }
            #expect(fetch.fails(.cancelled, kept: nil) == .fail(.assetCancelled))
        }
    }
}

// MARK: - The conversation

/// Speaks to a machine at the second 1000, with no chance in its pauses.
private struct Fetch {
    /// An effect without what the test has said itself.
    enum Answer: Equatable {
        case lock, whole, ifChanged, rest(Int64), fromStart, behind(Int64), adopt(Int64), pause, commit([SHA256Digest])
        case use, blob, fail(FindingCode)
    }

    var machine: FetchMachine
    private(set) var lastPause: Double?

    init(mode: CacheMode = .revalidate, digest: SHA256Digest? = nil) {
        machine = FetchMachine(.init(mode: mode, digest: digest))
    }

    mutating func looks(_ reference: CacheReference? = nil, hasWanted: Bool = false) -> Answer {
        tell(.looked(Shelf(reference: reference, hasWanted: hasWanted), now: 1000))
    }

    mutating func locks(
        _ reference: CacheReference? = nil, kept: KeptBytes? = nil
    ) -> Answer {
        tell(.locked(Shelf(reference: reference), kept, now: 1000))
    }

    mutating func answers(_ status: String, _ fields: String...) -> Answer { answers(status, fields) }

    mutating func answers(_ status: String, _ fields: [String]) -> Answer {
        tell(.answered(.of("HTTP/1.1 \(status) Words", fields), now: 1000, chance: 0))
    }

    mutating func ends(_ bytes: Int64) -> Answer { tell(.ended(bytes: bytes)) }

    mutating func fails(_ failure: DownloadFailure, kept: KeptBytes?, hasAdvanced: Bool = false) -> Answer {
        tell(.failed(failure, kept, hasAdvanced: hasAdvanced, chance: 0))
    }

    mutating func pauses() -> Answer { tell(.paused) }

    private mutating func tell(_ event: FetchMachine.Event) -> Answer {
        switch machine.handle(event) {
        case .lock: return .lock
        case .ask(.whole): return .whole
        case .ask(.ifChanged): return .ifChanged
        case .ask(.rest(let kept)): return .rest(kept.bytes)
        case .writeFromStart: return .fromStart
        case .writeBehind(let kept): return .behind(kept.bytes)
        case .adopt(let kept): return .adopt(kept.bytes)
        case .pause(let seconds):
            lastPause = seconds
            return .pause
        case .commit(let digests): return .commit(digests)
        case .use: return .use
        case .useBlob: return .blob
        case .fail(let failure): return .fail(failure.code)
        }
    }
}

extension CacheReference {
    fileprivate static func sample(
        _ etag: String?, storedAt: Int64 = 900, freshUntil: Int64? = nil
    ) -> CacheReference {
        CacheReference(
            url: "http://h/a", finalURL: "http://h/a", sha256: SHA256Digest(hashing: []), size: 0, contentType: nil,
            suggestedName: "a", validators: Validators(etag: etag, lastModified: nil), storedAt: storedAt,
            freshUntil: freshUntil)
    }
}

extension KeptBytes {
    fileprivate static func sample(bytes: Int64) -> KeptBytes {
        KeptBytes(validators: Validators(etag: "\"a\"", lastModified: nil), bytes: bytes, total: 10)
    }
}
