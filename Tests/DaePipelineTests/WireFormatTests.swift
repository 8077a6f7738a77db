import DaeDiagnostics
import Testing

@testable import DaePipeline

@Suite struct WireFormatTests {
    private static let id = AssetID("duck-1")

    @Test(arguments: Sample.states.map(\.name))
    func aStateIsWrittenAsItsFileSaysAndReadBack(name: String) throws {
        let state = try Sample.state(name)
        let text = try Golden.json(state)
        try Golden.expect(text, in: name + ".json")
        #expect(try Golden.read(AssetState.self, text) == state)
    }

    @Test func anActionIsWrittenAsItsFileSaysAndReadBack() throws {
        let id = try #require(Self.id)
        let actions: [AssetAction] = [
            .add(url: Sample.source), .retry(id), .cancel(id), .convert(id), .remove(id),
        ]
        #expect(Set(actions.map(\.kind)) == Set(AssetAction.Kind.allCases))
        for action in actions {
            let text = try Golden.json(action)
            try Golden.expect(text, in: "action-\(action.kind.rawValue).json")
            #expect(try Golden.read(AssetAction.self, text) == action)
        }
    }

    @Test func theAssetOfAnActionMayComeFromThePath() throws {
        let id = try #require(Self.id)
        let userInfo = AssetAction.userInfo(asset: id)
        let bare = #"{"version": 1, "action": "retry"}"#
        #expect(try Golden.read(AssetAction.self, bare, userInfo: userInfo) == .retry(id))
        #expect(throws: DecodingError.self) { try Golden.read(AssetAction.self, bare) }
        #expect(throws: DecodingError.self) {
            try Golden.read(
                AssetAction.self, #"{"version": 1, "action": "retry", "asset": "other"}"#, userInfo: userInfo)
        }
    }

    @Test func absentAndNullMeanUnknown() throws {
        let text = #"{"version": 1, "state": "downloading", "attempt": 1, "received": 5}"#
        #expect(
            try Golden.read(AssetState.self, text)
                == .downloading(.init(attempt: .first, bytes: StageProgress(done: 5))))
    }

    @Test(arguments: [
        // version and name
        #"{"version": 2, "state": "downloading", "attempt": 1, "received": 0}"#,
        #"{"state": "downloading", "attempt": 1, "received": 0}"#,
        #"{"version": 1, "state": "dreaming", "source": "a", "attempt": 1, "received": 0}"#,
        // counts
        #"{"version": 1, "state": "downloading", "attempt": 0, "received": 0}"#,
        #"{"version": 1, "state": "downloading", "attempt": 1, "received": -1}"#,
        #"{"version": 1, "state": "downloading", "attempt": 1, "received": 2, "expected": 1}"#,
        #"{"version": 1, "state": "downloading", "attempt": 1, "received": 2, "expected": -1}"#,
        #"{"version": 1, "state": "downloading", "attempt": 1, "received": 1e30}"#,
        #"{"version": 1, "state": "unzipping", "archive": "a", "attempt": 1, "entriesDone": 3, "entriesTotal": 2}"#,
        #"{"version": 1, "state": "parsing", "document": "a", "attempt": -1, "bytesRead": 3}"#,
        // summary
        #"{"version": 1, "state": "ready", "attempt": 1}"#,
        #"{"version": 1, "state": "ready", "attempt": 1, "summary": {"document": "a", "nodes": -1, "triangles": 0, "findings": {"errors": 0, "warnings": 0, "infos": 0, "hints": 0}}}"#,
        #"{"version": 1, "state": "ready", "attempt": 1, "summary": {"document": "a", "nodes": 1, "triangles": 0, "findings": {"errors": 0, "warnings": 0, "infos": 0, "hints": 0}, "bounds": {"min": [1, 0, 0], "max": [0, 0, 0]}}}"#,
        // failure
        #"{"version": 1, "state": "failed", "attempt": 1, "stage": "download", "code": "NO_SUCH_CODE", "message": ""}"#,
        #"{"version": 1, "state": "failed", "attempt": 1, "stage": "upload", "code": "IO_ERROR", "message": ""}"#,
        #"{"version": 1, "state": "failed", "attempt": 1, "stage": "parse", "code": "IO_ERROR", "message": "", "place": {"line": 0}}"#,
        #"{"version": 1, "state": "failed", "attempt": 2, "stage": "parse", "code": "IO_ERROR", "message": "", "resume": {"source": "a", "attempt": 2, "received": 0}}"#,
        "[]", "1", "null",
    ])
    func aStateThatCannotBeIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try Golden.read(AssetState.self, text) }
    }

    @Test(arguments: [
        #"{"version": 3, "action": "retry", "asset": "a"}"#, #"{"version": 1, "action": "explode", "asset": "a"}"#,
        #"{"version": 1, "action": "retry", "asset": "../a"}"#, #"{"version": 1, "action": "retry"}"#,
        #"{"version": 1, "action": "add"}"#,
    ])
    func anActionThatCannotBeIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try Golden.read(AssetAction.self, text) }
    }

    @Test func aRefusalSaysWhatIsKnown() throws {
        let error = #expect(throws: DecodingError.self) {
            try Golden.read(AssetState.self, #"{"version": 1, "state": "dreaming"}"#)
        }
        #expect(
            text(of: error)
                == "'dreaming' is no state that this program knows; known are downloading, unzipping, parsing, ready, failed."
        )
        let versionError = #expect(throws: DecodingError.self) {
            try Golden.read(AssetAction.self, #"{"version": 9}"#)
        }
        #expect(text(of: versionError) == "Version 9 is unknown; this program reads version 1.")
    }

    private func text(of error: DecodingError?) -> String? {
        if case .dataCorrupted(let context) = error { context.debugDescription } else { nil }
    }
}
