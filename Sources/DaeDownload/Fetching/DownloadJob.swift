// Does what a FetchMachine decides: every file, socket and clock of a download is used from here.

import DaeCore

/// One download from the address given to a file in the cache, redirects included. Blocks its thread. A class because
/// answers come back to it while a request runs.
final class DownloadJob {
    private let configuration: TransferConfiguration
    private let signal: StopSignal
    private let report: DownloadReport
    private let key: CacheKey
    private let first: WebAddress
    private var machine: FetchMachine
    private var hops: Hops
    private var lock: CacheLock?
    private var partial: PartialFile?
    /// What others read of ``partial`` while it is written.
    private var arriving: ArrivingByteSource?
    private var head = ResponseHead()
    private var origin = DownloadedFile.Origin.cache
    /// Bytes on disk when the present request was made.
    private var before: Int64 = 0

    init(
        _ request: DownloadRequest, _ configuration: TransferConfiguration, stoppedBy signal: StopSignal,
        report: DownloadReport
    ) throws(DownloadFailure) {
        self.configuration = configuration
        self.signal = signal
        self.report = report
        let digest = try request.wantedDigest()
        first = try WebAddress(request.url)
        hops = Hops(from: first, under: configuration.pool.settings.policy)
        key = CacheKey(url: first.url, variant: configuration.pool.settings.options.cacheVariant)
        machine = FetchMachine(.init(mode: request.mode, digest: digest, retries: request.retries))
    }

    /// Where it came to, fit to be shown.
    var place: (first: String, last: String) { (first.display, hops.address.display) }

    func run() throws(DownloadFailure) -> DownloadedFile {
        defer {
            partial?.keep()
            arriving?.end()
        }
        try configuration.pool.settings.policy.check(first)
        var effect = machine.handle(.looked(shelf, now: environment.now()))
        while true {
            guard !signal.isStopped else { throw .cancelled }
            switch effect {
            case .lock: effect = try takeLock()
            case .ask(let question): effect = try ask(question)
            case .adopt: effect = adopt()
            case .pause(let seconds):
                try configuration.pool.withLoop { loop throws(DownloadFailure) in
                    try environment.pause(seconds, loop, signal)
                }
                effect = machine.handle(.paused)
            case .commit(let digests):
                switch try commit(digests) {
                case .done(let file): return file
                case .next(let next): effect = next
                }
            case .use(let reference, let head): return try use(reference, confirmedBy: head)
            case .useBlob(let digest): return try use(digest)
            case .fail(let failure): throw failure
            case .writeFromStart, .writeBehind: throw .noResources(reason: "the download lost its way")
            }
        }
    }

    private var environment: FetchEnvironment { configuration.environment }
    private var cache: DownloadCache { configuration.cache }

    private var shelf: Shelf {
        Shelf(
            reference: cache.reference(for: key),
            hasWanted: machine.wish.digest.map { cache.blob(of: $0) != nil } ?? false)
    }

    private func takeLock() throws(DownloadFailure) -> FetchMachine.Effect {
        let report = report
        let lock = try CacheLock.acquire(
            key, in: cache, isStopped: { signal.isStopped },
            onWait: { report.notice(.waitingForAnotherProcess) })
        self.lock = lock
        let partial = PartialFile(holding: lock)
        self.partial = partial
        return machine.handle(.locked(shelf, partial.kept, now: environment.now()))
    }
}

// MARK: - Asking

extension DownloadJob {
    private func ask(_ question: FetchMachine.Question) throws(DownloadFailure) -> FetchMachine.Effect {
        hops = Hops(from: first, under: configuration.pool.settings.policy)
        var decided: FetchMachine.Effect?
        var body: ReceivedBody?
        before = machine.keptBytes
        do throws(DownloadFailure) {
            try configuration.pool.withLoop { loop throws(DownloadFailure) in
                while true {
                    let transfer = Transfer(
                        headerLimit: configuration.limits.headerBytes, stoppedBy: signal,
                        receiver: Transfer.Receiver(
                            head: { head throws(DownloadFailure) in
                                let effect = self.answered(head)
                                decided = effect
                                body = try self.receive(head, effect)
                                return body == nil ? .ignored : .taken
                            },
                            body: { bytes throws(DownloadFailure) in
                                try body?.append(bytes)
                                guard let progress = body?.progress else { return }
                                self.arriving?.advance(to: progress.received)
                                self.report.progress(progress)
                            }))
                    let outcome = try transfer.run(
                        hops.request(.get, question.fields), within: configuration.limits, on: loop,
                        received: { (body?.file.size ?? 0, of: body?.expected) })
                    guard case .redirect(let location) = outcome else { return }
                    try hops.follow(location, atMost: configuration.limits.redirects)
                }
            }
        } catch {
            return failed(error)
        }
        if let body { return machine.handle(.ended(bytes: body.file.size)) }
        return decided ?? .fail(.connectionBroken(reason: "the server gave no final answer"))
    }

    private func answered(_ head: ResponseHead) -> FetchMachine.Effect {
        self.head = head
        let findings = machine.findings.count
        let effect = machine.handle(.answered(head, now: environment.now(), chance: environment.chance()))
        switch effect {
        case .pause(let seconds):
            report.notice(.tryingAgain(seconds: seconds, reason: "the server answered \(head.status) \(head.phrase)"))
        case .writeFromStart where before > 0, .ask where before > 0:
            let isChanged = machine.findings.count > findings
            report.notice(
                .startingOver(reason: isChanged ? "the file changed on the server" : "the server sent other bytes"))
        case .lock, .ask, .writeFromStart, .writeBehind, .adopt, .commit, .use, .useBlob, .fail: break
        }
        return effect
    }

    /// Makes the file ready for the body; `nil` where the body is of no use.
    private func receive(
        _ head: ResponseHead, _ effect: FetchMachine.Effect
    ) throws(DownloadFailure) -> ReceivedBody? {
        let (limit, total) = (configuration.limits.bytes, machine.total)
        switch effect {
        case .writeFromStart:
            try ReceivedBody.check(head, expected: total, limit: limit)
            let file = try ready()
            arriving?.end()
            let validators = head.contentCoding == nil ? head.validators : Validators()
            try file.begin(url: first.display, validators: validators, total: total)
            origin = .server(resumedAt: 0)
            offer(file, head, of: total)
            return begin(ReceivedBody(to: file, expected: total, limit: limit))
        case .writeBehind(let kept):
            try ReceivedBody.check(head, expected: total, limit: limit)
            let file = try ready()
            report.notice(.resuming(bytes: kept.bytes))
            try file.resume(isStopped: { signal.isStopped })
            origin = .server(resumedAt: kept.bytes)
            offer(file, head, of: total)
            return begin(ReceivedBody(to: file, expected: total, limit: limit))
        case .lock, .ask, .adopt, .pause, .commit, .use, .useBlob, .fail: return nil
        }
    }

    private func begin(_ body: ReceivedBody) -> ReceivedBody {
        report.progress(body.progress)
        return body
    }

    /// Lets the file be read while it arrives, where its size is known and its bytes are sent as they are.
    private func offer(_ file: PartialFile, _ head: ResponseHead, of total: Int64?) {
        guard let offer = report.arriving, arriving?.goesOn(behind: file.size, of: total) != true else { return }
        arriving?.end()
        arriving = total.flatMap { head.contentCoding == nil ? file.arriving(of: $0) : nil }
        if let arriving { offer(ArrivingFile(source: arriving, suggestedName: suggestedName)) }
    }

    private var suggestedName: String {
        SuggestedName.make(disposition: head.contentDisposition, path: hops.address.path)
    }

    private func adopt() -> FetchMachine.Effect {
        do throws(DownloadFailure) {
            let file = try ready()
            try file.resume(isStopped: { signal.isStopped })
            origin = .server(resumedAt: file.size)
            return machine.handle(.ended(bytes: file.size))
        } catch { return failed(error) }
    }

    /// The file that this process alone writes to.
    private func ready() throws(DownloadFailure) -> PartialFile {
        guard let partial else { throw .noResources(reason: "the download lost its way") }
        return partial
    }

    /// Ends the attempt on disk, and asks what is next.
    private func failed(_ failure: DownloadFailure) -> FetchMachine.Effect {
        // What is certainly no part of the file must not be gone on with by anyone.
        if failure.isSpoilt {
            arriving?.end()
            partial?.discard()
        } else {
            partial?.keep()
        }
        partial = lock.map { PartialFile(holding: $0) }
        let kept = partial?.kept
        // Bytes that are fetched once more are no advance, however many came.
        let hasAdvanced = (kept?.bytes ?? 0) > before
        let effect = machine.handle(
            .failed(failure, kept, hasAdvanced: hasAdvanced, chance: environment.chance()))
        switch effect {
        case .pause(let seconds): report.notice(.tryingAgain(seconds: seconds, reason: failure.observed))
        case .ask: report.notice(.startingOver(reason: failure.observed))
        case .lock, .writeFromStart, .writeBehind, .adopt, .commit, .use, .useBlob, .fail: break
        }
        return effect
    }
}

// MARK: - Ends

extension DownloadJob {
    private enum Commit {
        case done(DownloadedFile)
        case next(FetchMachine.Effect)
    }

    private func commit(_ digests: [SHA256Digest]) throws(DownloadFailure) -> Commit {
        let file = try ready()
        let size = file.size
        let (path, digest): (String, SHA256Digest)
        do throws(DownloadFailure) {
            (path, digest) = try file.commit(verifying: digests)
        } catch {
            return .next(failed(error))
        }
        arriving?.verify(digest)
        let name = suggestedName
        if let lock, !head.cacheControl.mustNotBeStored {
            let now = environment.now()
            let reference = CacheReference(
                url: first.display, finalURL: hops.address.display, sha256: digest, size: size,
                contentType: head.contentType, suggestedName: name, validators: head.validators, storedAt: now,
                freshUntil: Freshness.limit(of: head, at: now))
            try cache.store(reference, holding: lock)
        }
        return .done(
            DownloadedFile(
                path: path, size: size, sha256: digest, url: hops.address.display, contentType: head.contentType,
                suggestedName: name, origin: origin, findings: machine.findings))
    }

    private func use(
        _ reference: CacheReference, confirmedBy head: ResponseHead?
    ) throws(DownloadFailure) -> DownloadedFile {
        if let head, let lock {
            let now = environment.now()
            var confirmed = reference
            (confirmed.storedAt, confirmed.freshUntil) = (now, Freshness.limit(of: head, at: now))
            if !head.validators.isEmpty { confirmed.validators = head.validators }
            // Not to know until when it is fresh costs a question the next time, no more.
            try? cache.store(confirmed, holding: lock)
        }
        return DownloadedFile(
            path: cache.path(of: reference.sha256), size: reference.size, sha256: reference.sha256,
            url: reference.finalURL, contentType: reference.contentType, suggestedName: reference.suggestedName,
            origin: head == nil ? .cache : .confirmed, findings: machine.findings)
    }

    private func use(_ digest: SHA256Digest) throws(DownloadFailure) -> DownloadedFile {
        guard let blob = cache.blob(of: digest) else { throw .notInCache }
        let reference = cache.reference(for: key)
        return DownloadedFile(
            path: blob.path, size: blob.size, sha256: digest, url: first.display,
            contentType: reference?.sha256 == digest ? reference?.contentType : nil,
            suggestedName: SuggestedName.make(disposition: nil, path: first.path), origin: .cache, findings: [])
    }
}

extension FetchMachine.Question {
    /// The headers that ask it.
    fileprivate var fields: [Request.Field] {
        switch self {
        case .whole: []
        case .ifChanged(let reference):
            if let etag = reference.validators.etag {
                [.ifNoneMatch(etag)]
            } else {
                reference.validators.lastModified.map { [.ifModifiedSince($0)] } ?? []
            }
        case .rest(let kept):
            kept.validators.strong.map { [.range(from: kept.bytes, through: nil), .ifRange($0)] } ?? []
        }
    }
}

extension FetchMachine {
    /// Bytes that the present question goes on behind.
    fileprivate var keptBytes: Int64 {
        switch state {
        case .asking(.rest(let kept)): kept.bytes
        case .asking, .looking, .locking, .receiving, .pausing, .settled: 0
        }
    }

    /// Bytes of the whole file that is being received, as far as known.
    fileprivate var total: Int64? {
        switch state {
        case .receiving(let reception): reception.total
        case .looking, .locking, .asking, .pausing, .settled: nil
        }
    }
}
