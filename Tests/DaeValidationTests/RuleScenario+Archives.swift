import DaeArchive
import DaeDiagnostics
import DaePipeline
import TestSupport

/// Of budgets of archives, lowered, and of archives in archives.
extension RuleScenario {
    static let archives: [RuleScenario] = [
        RuleScenario(.archiveEntryCountExceeded) {
            try await pair { $0.archiveLimits.entryCount = 1 }
        } near: {
            try await pair { $0.archiveLimits.entryCount = 2 }
        },
        RuleScenario(.archiveDepthExceeded) {
            try await nested { $0.archiveLimits.nestingDepth = 1 }
        } near: {
            try await nested { $0.archiveLimits.nestingDepth = 2 }
        },
        RuleScenario(.bundleNestedArchive) {
            try await outer { _ in }
        } near: {
            try await outer { $0.add("tile.dae", try Act.tile()) }
        },
    ]

    private static func pair(_ change: (inout Act.Options) -> Void) async throws -> Set<FindingCode> {
        var zip = ZipBuilder()
        zip.add("tile.dae", try Act.tile())
        zip.add("notes.txt", "a tile")
        let act = try Act()
        return try await act.codes(of: act.folder.write(zip.bytes(), to: "pair.zip"), change)
    }

    private static func inner() throws -> ZipBuilder {
        var zip = ZipBuilder()
        zip.add("tile.dae", try Act.tile())
        return zip
    }

    /// Two archives within the outermost.
    private static func nested(_ change: (inout Act.Options) -> Void) async throws -> Set<FindingCode> {
        var middle = ZipBuilder()
        middle.add("inner.zip", try inner().bytes())
        var outer = ZipBuilder()
        outer.add("middle.zip", middle.bytes())
        let act = try Act()
        let path = try act.folder.write(outer.bytes(), to: "outer.zip")
        return try await act.codes(of: path + "!/middle.zip!/inner.zip!/tile.dae", change)
    }

    private static func outer(_ change: (inout ZipBuilder) throws -> Void) async throws -> Set<FindingCode> {
        var outer = ZipBuilder()
        outer.add("inner.zip", try inner().bytes())
        try change(&outer)
        let act = try Act()
        return try await act.codes(of: act.folder.write(outer.bytes(), to: "outer.zip"))
    }
}
