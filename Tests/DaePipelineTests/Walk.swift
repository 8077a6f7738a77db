import DaeDiagnostics
import DaeDownload

@testable import DaePipeline

/// Every state with every event, as text: a change to the machine shows as a change to a few lines.
enum Walk {
    static func workerEvents(_ attempt: Attempt) -> [AssetStateMachine.Event] {
        [
            .received(StageProgress(done: 60, of: 80), attempt: attempt),
            .downloaded(archive: "duck.zip", attempt: attempt),
            .checked(StageProgress(done: 6, of: 8), attempt: attempt),
            .unzipped(document: "models/duck.dae", bytes: 900, attempt: attempt),
            .read(StageProgress(done: 600), attempt: attempt), .parsed(Sample.summary, attempt: attempt),
            .failed(Sample.timeout, .resume, attempt: attempt), .failed(Sample.broken, .nothing, attempt: attempt),
        ]
    }

    /// What people and workers of the attempt, the one before and the one after can say.
    static func events(around attempt: Attempt) -> [AssetStateMachine.Event] {
        let past = Attempt(attempt.number - 1).map(workerEvents) ?? []
        return past + workerEvents(attempt) + workerEvents(attempt.next) + [.retry, .cancel, .convert]
    }

    /// The same state two attempts later, so that the first attempt is past.
    static func later(_ state: AssetState) -> AssetState {
        let attempt = state.attempt.next.next
        return switch state {
        case .downloading(let it): .downloading(.init(attempt: attempt, bytes: it.bytes))
        case .unzipping(let it): .unzipping(.init(archive: it.archive, attempt: attempt, entries: it.entries))
        case .parsing(let it): .parsing(.init(document: it.document, attempt: attempt, bytes: it.bytes))
        case .ready(let it): .ready(.init(attempt: attempt, summary: it.summary))
        case .failed(let it):
            .failed(
                .init(
                    stage: it.stage, attempt: attempt, reason: it.reason,
                    resume: it.resume.map { .init(attempt: attempt.next, bytes: $0.bytes) }))
        }
    }

    static func table() -> String {
        let states: [AssetState] = [
            .downloading(Sample.download(50, of: 80, attempt: Sample.second)),
            .unzipping(Sample.unzip(5, of: 8, attempt: Sample.second)),
            .parsing(Sample.parse(500, of: 900, attempt: Sample.second)),
            .ready(.init(attempt: Sample.second, summary: Sample.summary)),
            .failed(.init(.download, Sample.timeout, .resume, of: Sample.download(50, of: 80, attempt: Sample.second))),
            .failed(.init(.parse, Sample.broken, .nothing, of: Sample.download(attempt: Sample.second))),
        ]
        var lines = "# state + event = state that follows | effect. #2 is the second attempt.\n"
        for state in states {
            lines += "\n\(text(state))\n"
            for event in events(around: Sample.second) {
                var machine = AssetStateMachine(source: .url(Sample.source), state: state)
                let effect = (try? machine.handle(event)).map(text) ?? "UNEXPECTED"
                let after = machine.state == state ? "same" : text(machine.state)
                lines += "  + \(text(event)) = \(after) | \(effect)\n"
            }
        }
        return lines
    }

    private static func text(_ state: AssetState) -> String {
        switch state {
        case .downloading(let it): "downloading #\(it.attempt) \(text(it.bytes))"
        case .unzipping(let it): "unzipping #\(it.attempt) \(text(it.entries))"
        case .parsing(let it): "parsing #\(it.attempt) \(text(it.bytes))"
        case .ready(let it): "ready #\(it.attempt)"
        case .failed(let it):
            "failed #\(it.attempt) \(it.stage) \(it.code.rawValue) "
                + (it.resume.map { "resume #\($0.attempt) \(text($0.bytes))" } ?? "final")
        }
    }

    private static func text(_ event: AssetStateMachine.Event) -> String {
        switch event {
        case .received(let tally, let attempt): "#\(attempt) received \(text(tally))"
        case .downloaded(_, let attempt): "#\(attempt) downloaded"
        case .checked(let tally, let attempt): "#\(attempt) checked \(text(tally))"
        case .unzipped(_, let bytes, let attempt): "#\(attempt) unzipped \(bytes.map(String.init) ?? "?")"
        case .read(let tally, let attempt): "#\(attempt) read \(text(tally))"
        case .parsed(_, let attempt): "#\(attempt) parsed"
        case .failed(let reason, _, let attempt): "#\(attempt) failed \(reason.code.rawValue)"
        case .retry: "retry"
        case .cancel: "cancel"
        case .convert: "convert"
        }
    }

    private static func text(_ effect: AssetStateMachine.Effect) -> String {
        switch effect {
        case .none: "none"
        case .download(let it): "download #\(it.attempt) from \(it.received)"
        case .unzip(let it): "unzip #\(it.attempt)"
        case .parse(let it): "parse #\(it.attempt)"
        case .keep: "keep"
        case .convert: "convert"
        case .stop(let stage): "stop \(stage)"
        }
    }

    private static func text(_ tally: StageProgress) -> String {
        "\(tally.done)/\(tally.total.map(String.init) ?? "?")"
    }
}
