import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

/// What `scripts/tools/make-hostile` makes: each archive is refused with its code, or opens.
@Suite struct HostileSetTests {
    @Test(.enabled(if: Program.isInstalled("python3")))
    func everyArchiveIsRefusedWithItsCodeOrOpens() throws {
        let folder = try TemporaryFolder()
        let made = try Program.run([folder.path], program: Repository.root + "/scripts/tools/make-hostile")
        #expect(made.code == 0, "\(made.errors)")
        let rows = try Repository.table(folder.path + "/EXPECT.tsv")
        #expect(rows.filter { $0["code"]?.hasPrefix("ARCHIVE_") == true }.count >= 60)
        #expect(rows.contains { $0["code"] == "-" })
        for row in rows {
            let name = try #require(row["file"])
            #if !canImport(CISAL)
                // libzip alone does not look behind the end of what it inflates.
                guard name != "bytes-left-over.zip" else { continue }
            #endif
            let found = code { () throws(CodedFailure) in
                let bundle = try Bundle.open(path: folder.path + "/" + name)
                guard
                    let document = bundle.entry(at: "model.dae")
                        ?? bundle.entries.first(where: { $0.path.hasSuffix(".dae") })
                else { return }
                _ = try bundle.bytes(of: document, limit: 1 << 20)
            }
            // Whether there is a scene in it, or in archives in it, is not the outermost archive's matter.
            let expected = row["code"].flatMap {
                ["-", "BUNDLE_NO_SCENE", "ARCHIVE_DEPTH_EXCEEDED"].contains($0) ? nil : $0
            }
            #expect(found?.rawValue == expected, "\(name)")
        }
        let nested = try Bundle.open(path: folder.path + "/bomb-nested.zip")
        #expect(
            code { () throws(CodedFailure) in
                _ = try nested.destination(of: "4-0.zip!/3-0.zip!/2-0.zip!/1-0.zip!/0-0.zip!/zeros.bin")
            } == .archiveDepthExceeded)
    }
}
