import DaeArchive
import DaeDiagnostics
import DaeDownload
import Synchronization
import TestSupport
import Testing

@testable import DaePipeline

/// An archive of several models is opened once for all of them.
@Suite struct OpenedModelsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        let document = """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/><library_visual_scenes>\
            <visual_scene id="s"><node/></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/>\
            </scene></COLLADA>
            """
        var inner = ZipBuilder()
        inner.add("c.dae", document)
        inner.add("d.dae", document)
        var zip = ZipBuilder()
        zip.add("a.dae", document)
        zip.add("b.dae", document)
        zip.add("in.zip", inner.bytes())
        path = try folder.write(zip.bytes(), to: "several.zip")
    }

    private func options() -> AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: folder.path + "/cache"))
        options.several = .each
        return options
    }

    @Test func furtherModelsAreReadFromWhatIsOpen() async throws {
        var options = options()
        let told = TestModels()
        options.onModels = { told.note($0, $1) }
        let live = LiveStages(options: options)
        func opened(_ source: String) async throws -> (file: AssetFile, bundle: OpenedBundle) {
            let file = try await live.download(.typed(source), for: .parsing) { _ in }
            return (file, try await live.unzip(file) { _ in })
        }
        let first = try await opened(path)
        #expect(told.all == [path: ["a.dae", "b.dae", "in.zip"]])
        #expect(first.bundle.choice.entry.path == "a.dae" && first.bundle.choice.standing == .first)
        // Nobody could open it again.
        _ = try Program.run(["-f", path], program: "rm")
        let second = try await opened(path + "!/b.dae")
        #expect(second.bundle.bundle === first.bundle.bundle && second.bundle.outermost === first.bundle.outermost)
        #expect(second.bundle.choice.entry.path == "b.dae" && second.bundle.choice.standing == .further)
        #expect(second.bundle.choice.candidates.isEmpty && second.bundle.findings.findings.isEmpty)
        let third = try await opened(path + "!/in.zip")
        #expect(told.all[path + "!/in.zip"] == ["c.dae", "d.dae"])
        let fourth = try await opened(path + "!/in.zip!/d.dae")
        #expect(fourth.bundle.bundle === third.bundle.bundle && fourth.bundle.outermost === first.bundle.outermost)
        #expect(fourth.file.input == path + "!/in.zip!/d.dae")
        options.forgetModels(of: path)
        options.forgetModels(of: path + "!/in.zip")
        await #expect(throws: (any Error).self) { try await opened(path + "!/b.dae") }
        await #expect(throws: (any Error).self) { try await opened(path + "!/in.zip!/d.dae") }
    }

    /// None is kept: what is made of one may be gone before the next is opened.
    @Test func modelsAreHandedOnOneByOne() async throws {
        let opened = try await LiveBundle.open(.typed(path), goal: .scene, options: options())
        #expect(opened.isSeveral)
        _ = try Program.run(["-f", path], program: "rm")
        var sources: [String] = []
        var paths: [String] = []
        try opened.each { source, bundle in
            sources.append(source)
            paths.append(try bundle.get().choice().entry.path)
        }
        #expect(paths == ["a.dae", "b.dae", "c.dae", "d.dae"])
        #expect(sources == ["a.dae", "b.dae", "in.zip!/c.dae", "in.zip!/d.dae"].map { path + "!/" + $0 })
    }
}

private final class TestModels: Sendable {
    private let models = Mutex<[String: [String]]>([:])

    var all: [String: [String]] { models.withLock { $0 } }

    func note(_ source: String, _ addresses: [String]) { models.withLock { $0[source] = addresses } }
}
