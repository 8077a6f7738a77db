import DaeDiagnostics
import DaeDownload

@testable import DaePipeline

/// One value of everything, small and known.
enum Sample {
    static let source = "https://example.org/models/duck.zip"
    static let second = Attempt.first.next

    static let summary = AssetSummary(
        document: "models/duck.dae", nodes: 3, triangles: 4212,
        bounds: AssetSummary.Bounds(min: [-69.25, 9.875, -61.5], max: [96.125, 163.5, 53.25]),
        sha256: String(repeating: "0f", count: 32), findings: .init(warnings: 1, hints: 2))

    static func download(
        _ received: Int64 = 0, of expected: Int64? = nil, attempt: Attempt = .first
    ) -> AssetState.Download {
        AssetState.Download(attempt: attempt, bytes: StageProgress(done: received, of: expected))
    }

    static func unzip(_ done: Int64 = 0, of total: Int64? = nil, attempt: Attempt = .first) -> AssetState.Unzip {
        AssetState.Unzip(archive: "duck.zip", attempt: attempt, entries: StageProgress(done: done, of: total))
    }

    static func parse(_ read: Int64 = 0, of total: Int64? = nil, attempt: Attempt = .first) -> AssetState.Parse {
        AssetState.Parse(document: "models/duck.dae", attempt: attempt, bytes: StageProgress(done: read, of: total))
    }

    static let timeout = AssetState.Reason(.downloadTimeout, "No byte arrived for 30 seconds.")
    static let broken = AssetState.Reason(
        .xmlNotWellFormed, "The end tag </mesh> closes <source>.",
        at: Place(entry: "models/duck.dae", line: 41, column: 7, byte: 1893, path: "/COLLADA/library_geometries"))

    /// Named states: every case, with and without what is optional.
    static let states: [(name: String, state: AssetState)] = [
        ("downloading", .downloading(download(1_234_567, of: 2_900_000, attempt: second))),
        ("downloading-length-unknown", .downloading(download(512))),
        ("unzipping", .unzipping(unzip(3, of: 12))),
        ("unzipping-directory-unread", .unzipping(unzip())),
        ("parsing", .parsing(parse(65_536, of: 2_300_441))),
        ("parsing-length-unknown", .parsing(parse(65_536, attempt: second))),
        ("ready", .ready(.init(attempt: .first, summary: summary))),
        (
            "ready-without-mesh",
            .ready(.init(attempt: .first, summary: AssetSummary(document: "empty.dae", nodes: 1, triangles: 0)))
        ),
        ("failed-download", .failed(.init(.download, timeout, .resume, of: download(1_234_567, of: 2_900_000)))),
        ("failed-parse", .failed(.init(.parse, broken, .nothing, of: download()))),
        ("failed-cancelled", .failed(.init(.unzip, .cancelled, .resume, of: download(attempt: second)))),
    ]

    static func state(_ name: String) throws -> AssetState {
        struct Missing: Error {}
        guard let sample = states.first(where: { $0.name == name }) else { throw Missing() }
        return sample.state
    }
}
