import DaeCore
import DaeExport
import DaeImages
import DaeScene
import Daedalus
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// What one call gives, of each kind of source.
@Suite struct OneCallTests {
    private static let walker = Repository.fixtures + "/bundles/walker.zip"

    @Test func aModelHasItsSceneItsFindingsAndItsPictures() async throws {
        let model = try await Dae.load(.path(Self.walker))
        #expect(model.scene.nodes.contains { $0.kind == .joint })
        #expect(model.inspection.counts.skins == 1)
        #expect(model.findings.total(.warning) == 2)
        let image = Dae.SceneIndex<Dae.Image>(0)
        let picture = try #require(model.picture(of: image))
        #expect(picture.mediaType == "image/png")
        #expect(picture.convertedFrom == nil)
        #expect(picture.bytes == model.bytes(of: image))
        #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        #expect(model.picture(of: .init(7)) == nil)
        #expect(model.bytes(of: .init(-1)) == nil)
    }

    @Test func aModelIsDrawn() async throws {
        let model = try await Dae.load(.path(Self.walker))
        let picture = try await model.picture(width: 60, height: 80, camera: "fit")
        #expect(picture.pixels.count == 60 * 80 * 4)
        #expect(picture.findings.isEmpty)
        let ground = Array(picture.pixels[0..<4])
        let shown = stride(from: 0, to: picture.pixels.count, by: 4).count {
            Array(picture.pixels[$0..<$0 + 4]) != ground
        }
        #expect((100..<1500).contains(shown))
        #expect(try picture.png().starts(with: [0x89, 0x50, 0x4e, 0x47]))
        let bent = try await model.picture(width: 60, height: 80, camera: "fit", time: 0.5)
        #expect(bent.pixels != picture.pixels)
        let again = try await model.picture(width: 60, height: 80, camera: "fit")
        #expect(again.pixels == picture.pixels)
        let error = await #expect(throws: RenderError.self) { try await model.picture(camera: "other") }
        #expect(error?.description == "there is no camera other; expected one of View-camera, or fit")
        for side in [0, -1, 8193, Int.max] {
            await #expect(throws: RenderError.self) { try await model.picture(width: side) }
        }
    }

    @Test func inspectionAndValidationAreThoseOfTheProgram() async throws {
        let inspection = try await Dae.inspect(.path(Self.walker))
        #expect(inspection.counts.triangles == 140)
        let findings = try await Dae.validate(.path(Repository.fixtures + "/documents/index-out-of-bounds.dae"))
        #expect(findings.total(.error) == 2)
        #expect(findings.findings.contains { $0.place.line == 48 })
        var rules = FindingRules()
        rules.overrides[.primitiveIndexOutOfBounds] = .warning
        rules.ignored = [.primitiveIndexNegative]
        rules.minSeverity = .warning
        let counted = rules.applied(to: findings)
        #expect(counted.total(.error) == 0)
        #expect(counted.total(.warning) == 2)
        #expect(!counted.findings.contains { $0.code == .primitiveIndexNegative })
    }

    @Test func aModelIsWrittenToAFileToMemoryAndToASink() async throws {
        let folder = try TemporaryFolder()
        let report = try await Dae.convert(.path(Self.walker), to: folder.path + "/walker.glb")
        let written = try Data(contentsOf: URL(filePath: folder.path + "/walker.glb"))
        #expect(report.contents.bytes == written.count)
        let model = try await Dae.load(.path(Self.walker))
        let (bytes, _) = try model.bytes(as: .glb)
        #expect(bytes == Array(written))
        var pieces: [UInt8] = []
        try model.write(as: .glb) { pieces += $0 }
        #expect(pieces == bytes)
        struct Full: Error {}
        let error = #expect(throws: SceneExportError.self) { try model.write(as: .glb) { _ in throw Full() } }
        #expect(error?.code == .ioError)
        #expect(error?.message.contains("Full()") == true)
        #expect(throws: SceneExportError.self) { try model.bytes(as: .gltf) }
        await #expect(throws: SceneExportError.self) {
            try await Dae.convert(.path(Self.walker), to: folder.path + "/walker.fbx")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["walker.glb"])
    }

    /// As whoever needs it writes it: corners as text, and the first picture's bytes behind them.
    @Test func aFormatOfOnesOwnIsWrittenAsTheOthersAre() async throws {
        let points = CustomFormat(ending: "xyz") { contents, take in
            for instance in contents.drawing.instances {
                for part in contents.drawing.meshes[instance.mesh].parts {
                    for start in stride(from: 0, to: part.positions.count, by: 3) {
                        let corner = part.positions[start..<start + 3]
                        try take(Array("\(Array(corner))\n".utf8))
                    }
                }
            }
            #expect(contents.file(of: .init(1_000)) == nil && contents.file(of: .init(-1)) == nil)
            if let picture = contents.file(of: .init(0)) { try take(Array(picture.mediaType.utf8) + picture.bytes) }
        }
        let folder = try TemporaryFolder()
        let path = folder.path + "/walker.xyz"
        let report = try await Dae.convert(.path(Self.walker), to: path, as: .custom(points))
        let written = try Array(Data(contentsOf: URL(filePath: path)))
        #expect(report.bytes == written.count)
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.split(separator: "\n").count > 140 && text.contains("image/png"))
        let model = try await Dae.load(.path(Self.walker))
        #expect(try model.bytes(as: .custom(points)).bytes == written)
        struct Full: Error {}
        let failing = CustomFormat(ending: "bad") { _, take in
            try take([1, 2, 3])
            throw Full()
        }
        let error = #expect(throws: SceneExportError.self) {
            try model.write(to: folder.path + "/a.bad", as: .custom(failing))
        }
        #expect(error?.code == .ioError && error?.message == "the .bad was not written: Full()")
        var options = ExportOptions()
        options.textureEncoding = .webp
        #expect(throws: SceneExportError.self) { try model.bytes(as: .usdz, options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["walker.xyz"])
    }

    /// A PNG with alpha cannot become a JPEG: it stays as it was, byte for byte, also where it could be packed closer.
    @Test func aTextureThatStaysIsTheFileItself() async throws {
        let folder = try TemporaryFolder()
        let pixels: [UInt8] = (0..<64).flatMap { place -> [UInt8] in [UInt8(place * 4), 90, 20, place < 32 ? 0 : 255] }
        let padding = [UInt8](repeating: 0, count: 4096)
        let clear = try PNGImage(width: 8, height: 8, rgba: pixels).bytes + padding
        let seen = pixels.enumerated().map { $0 % 4 == 3 ? 255 : $1 }
        let opaque = try PNGImage(width: 8, height: 8, rgba: seen).bytes + padding
        let textures = folder.path + "/textures"
        try FileManager.default.createDirectory(atPath: textures, withIntermediateDirectories: true)
        let document = folder.path + "/a.dae"
        try Data(Repository.fixture("documents/texture-1.4.dae")).write(to: URL(filePath: document))
        var options = ExportOptions()
        options.textureEncoding = .jpeg
        for (png, name) in [(clear, "clear-checker.png"), (opaque, "opaque-checker.jpg")] {
            try Data(png).write(to: URL(filePath: textures + "/checker.png"))
            let target = folder.path + "/\(name.prefix { $0 != "-" }).gltf"
            try await Dae.convert(.path(document), to: target, options: options, reading: .person)
            let written = try Array(Data(contentsOf: URL(filePath: folder.path + "/" + name)))
            #expect((written == png) == name.hasSuffix(".png"), "\(name)")
            #expect(written.count < png.count || written == png)
        }
    }

    // MARK: - Sources

    @Test func aBundleInMemoryIsReadWithItsPictures() async throws {
        let bytes = try Repository.fixture("bundles/walker.zip")
        let model = try await Dae.load(.bytes(bytes, name: "walker.zip"))
        #expect(model.inspection.counts.triangles == 140)
        #expect(model.picture(of: .init(0)) != nil)
        let entry = try await Dae.load(.bytes(bytes, name: "walker.zip", entry: "walker.dae"))
        #expect(entry.inspection.source.input == "walker.zip!/walker.dae")
    }

    /// Seven bytes a read.
    @Test func aReaderOfOnesOwnIsRead() async throws {
        let bytes = try Repository.fixture("documents/polylist.dae")
        let source = AssetSource.reader(name: "polylist.dae", size: Int64(bytes.count)) { offset, buffer in
            let count = min(7, buffer.count)
            for index in 0..<count { buffer[index] = bytes[Int(offset) + index] }
            return count
        }
        #expect(try await Dae.load(source).inspection.document.bytes == Int64(bytes.count))
    }

    @Test(arguments: [Int.max, 1 << 40, 100_000_000, 0, -1, Int.min])
    func aReaderThatLiesIsAnError(answer: Int) async throws {
        for (name, size) in [("liar.dae", Int64(1_000_000)), ("liar.zip", .max), ("liar.zip", .min)] {
            let source = AssetSource.reader(name: name, size: size) { _, _ in answer }
            let error = await #expect(throws: (any Error).self) { try await Dae.load(source) }
            let text = "\(try #require(error))"
            #expect(text.contains("liar."))
        }
    }

    @Test func aReaderThatFailsSaysWhy() async throws {
        struct Gone: Error, CustomStringConvertible { let description = "the tape is torn" }
        let source = AssetSource.reader(name: "tape.dae", size: 100) { _, _ in throw Gone() }
        let error = await #expect(throws: CodedFailure.self) { try await Dae.load(source) }
        #expect(error?.message.contains("the tape is torn") == true)
    }

    /// What a stranger may name is an address and nothing else.
    @Test(arguments: ["/etc/passwd", "-", "file:///etc/passwd", "", "ftp://example.org/a.zip", "walker.zip"])
    func anAddressIsNeverAPath(text: String) async throws {
        let error = await #expect(throws: CodedFailure.self) { try await Dae.inspect(.url(text)) }
        #expect(error?.code == .downloadURLInvalid)
    }

    @Test func aServiceAsksNoPrivateAddress() async throws {
        let server = try LoopbackServer(["/a.dae": { _, connection in connection.respond(body: []) }])
        let error = await #expect(throws: CodedFailure.self) {
            try await Dae.inspect(.url(server.url("/a.dae")), options: .service)
        }
        #expect(error?.code == .downloadBlockedAddress)
        #expect(server.requests.isEmpty)
    }

    @Test func headersAndDigestAreOfOneSource() async throws {
        let bytes = try Repository.fixture("documents/polylist.dae")
        let server = try LoopbackServer([
            "/a.dae": { request, connection in
                if request["x-key"] == "open" {
                    connection.respond(body: bytes)
                } else {
                    connection.respond("403 Forbidden")
                }
            }
        ])
        let cache = try TemporaryFolder()
        let options = Dae.Options(cache: DownloadCache(folder: cache.path))
        let url = server.url("/a.dae")
        let sha256 = SHA256Digest(hashing: bytes).hex
        let header = try RequestHeader("X-Key", "open")
        let inspection = try await Dae.inspect(.url(url, sha256: sha256, headers: [header]), options: options)
        #expect(inspection.source.sha256 == sha256)
        var fresh = options
        fresh.web.mode = .refresh
        await #expect(throws: CodedFailure.self) { try await Dae.inspect(.url(url), options: fresh) }
        let wrong = await #expect(throws: CodedFailure.self) {
            try await Dae.inspect(
                .url(url, sha256: String(repeating: "0", count: 64), headers: [header]), options: fresh)
        }
        #expect(wrong?.code == .downloadChecksumMismatch)
        await #expect(throws: CodedFailure.self) { try await Dae.inspect(.url(url, sha256: "abc"), options: options) }
        #expect(!"\(AssetSource.url("http://ada:s3cret@h/a", headers: [header]))".contains("s3cret"))
    }

    @Test func aCallThatIsCancelledEndsSoon() async throws {
        let task = Task {
            try await Dae.load(.path(Self.walker))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: - Many at once

    @Test func noMoreAreAtWorkThanAreAllowed() async throws {
        let atWork = Mutex((now: 0, most: 0))
        var operations = AssetOperations.live()
        let live = operations.stages
        operations.stages.download = { source, download, report in
            atWork.withLock { count in
                count.now += 1
                count.most = max(count.most, count.now)
            }
            return try await live.download(source, download, report)
        }
        operations.stages.parse = { parse, file, bundle, report in
            defer { atWork.withLock { $0.now -= 1 } }
            return try await live.parse(parse, file, bundle, report)
        }
        let pipeline = AssetPipeline(operations: operations, atMost: 2)
        var assets: [AssetID] = []
        for _ in 0..<20 { assets.append(try await pipeline.perform(.add(path: Self.walker))) }
        // One that waits can be taken off at once.
        try await pipeline.perform(.cancel(assets[19]))
        for asset in assets.dropLast() { #expect(await pipeline.outcome(of: asset)?.isReady == true) }
        #expect(await pipeline.outcome(of: assets[19])?.isReady == false)
        #expect((1...2).contains(atWork.withLock { $0.most }))
        await pipeline.end()
    }
}
