import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// A fixture that was changed in some places, and what comes of it.
struct Replay {
    private let folder: TemporaryFolder
    private let path: String

    /// - Parameter edits: What stands there once or more often, and what is put in the first one's place.
    init(
        _ fixture: String, _ edits: [(String, String)] = [], name: String = "model.dae",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var text = String(decoding: try Repository.fixture("rules/\(fixture)"), as: UTF8.self)
        for (old, new) in edits {
            let place = try #require(text.firstRange(of: old), "there is no \(old)", sourceLocation: sourceLocation)
            text.replaceSubrange(place, with: new)
        }
        try self.init(bytes: Array(text.utf8), name: name)
    }

    init(bytes: [UInt8], name: String = "model.dae") throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: name)
    }

    var outcome: Outcome { Outcome(path: path, input: "model.dae") }

    /// The inspection of what must be readable.
    func inspection(sourceLocation: SourceLocation = #_sourceLocation) throws -> Inspection {
        switch outcome {
        case .read(let inspection): return inspection
        case .failed(let failure):
            try #require(Bool(false), "it failed: \(failure.message)", sourceLocation: sourceLocation)
            throw CancellationError()
        }
    }

    /// The only finding of a code.
    func finding(_ code: FindingCode, sourceLocation: SourceLocation = #_sourceLocation) throws -> Finding {
        let found = try inspection(sourceLocation: sourceLocation).findings.findings.filter { $0.code == code }
        #expect(found.count == 1, sourceLocation: sourceLocation)
        return try #require(found.first, sourceLocation: sourceLocation)
    }

    /// The failure of what must not be readable.
    func failure(sourceLocation: SourceLocation = #_sourceLocation) throws -> InspectionFailure {
        switch outcome {
        case .failed(let failure): return failure
        case .read:
            try #require(Bool(false), "it was read", sourceLocation: sourceLocation)
            throw CancellationError()
        }
    }
}
