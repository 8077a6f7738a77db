package import DaeArchive
package import DaeCollada
import DaeCore
package import DaeDiagnostics
import DaeImages
package import DaeResources
package import DaeScene
import DaeValidation
import Synchronization

/// Reads a bundle's scene and finds what it refers to.
package struct Inspector: Sendable {
    /// What reading came to: the inspection, and the scene it is about.
    package struct Result: Sendable {
        package var inspection: Inspection
        package var scene: Scene
        /// How each reference was followed: of other documents, then of images in the scene's order; empty unless
        /// ``keepsResolutions``.
        package var references: [FollowedReference]
    }

    /// Where the report has the SHA-256 of the source's bytes from.
    package enum Digest: Sendable {
        case computed
        case known(String)
        /// It is left out.
        case none
    }

    package var options: ColladaOptions
    /// Bytes read from an entry at a time; `nil` for as many as are best.
    package var chunkSize: Int?
    /// Whether files outside the bundle may be looked at.
    package var policy = LocatorPolicy.bundleOnly
    /// Where a lone document's bundle lies on this machine; nothing to other bundles.
    package var loneDocument: LoneDocument?
    /// Where a lone document came from: an address by http or https, against which its references are read.
    package var address: String?
    /// How images and documents on the web are got; `nil` to report them only.
    package var webFetch: WebFetch?
    /// Whether the rules over the whole are held against what was read, beside those that reading meets.
    package var validates = false
    /// Whether every candidate of every reference is kept.
    package var keepsResolutions = false

    /// Rows of lists in a report at most: of geometries, images, materials and the like.
    package var rowLimit = 1_000_000

    /// Is handed what was read, for who would rather keep it to the end of the process than wait until it was given back
    /// piece by piece.
    package var keeper: (@Sendable (LinkedDocument) -> Void)?

    /// Held against what was read, in this order, after all other rules.
    package var customRules: [CustomRule] = []

    /// A rule of whoever uses the library.
    package typealias CustomRule = @Sendable (Scene, Inspection) -> [Finding]

    package init(options: ColladaOptions = ColladaOptions()) { self.options = options }

    /// Reads the scene that was chosen.
    ///
    /// - Parameters:
    ///   - input: The source as a person gave it, for the report.
    ///   - findings: What was found before, when the bundle was fetched and opened.
    ///   - reading: Of the chosen document by ``read(_:of:progress:isCancelled:)``, where that was done before.
    ///   - progress: Called with the bytes of the document read so far.
    ///   - isCancelled: Asked now and then; reading stops when it says so.
    /// - Throws: ``CodedFailure``.
    package func inspect(
        _ bundle: Bundle, _ choice: SceneChoice, input: String, digest: Digest = .computed,
        findings: FindingLog = FindingLog(), reading: ColladaParser.Reading? = nil,
        progress: (Int64) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(CodedFailure) -> Result {
        let request = Request(bundle: bundle, choice: choice, input: input, findings: findings, reading: reading)
        func read() throws(CodedFailure) -> Result { try inspect(request, progress, isCancelled) }
        var result: Result
        switch digest {
        case .known(let known):
            result = try read()
            result.inspection.source.sha256 = known
        case .none: result = try read()
        case .computed:
            let digest = SourceDigest(of: bundle.source)
            // The scene's failure is reported before that of the digest, whichever came first.
            if digest.isLong,
                let both = try SideThread.run(
                    { digest.result() },
                    beside: { () throws(CodedFailure) -> Result in
                        do throws(CodedFailure) { return try read() } catch {
                            digest.stop()
                            throw error
                        }
                    })
            {
                result = both.value
                result.inspection.source.sha256 = try Self.hex(both.side, result.inspection.findings)
            } else {
                result = try read()
                result.inspection.source.sha256 = try Self.hex(digest.result(), result.inspection.findings)
            }
        }
        for rule in customRules {
            if isCancelled() { throw Self.failure(CancellationError(), choice, result.inspection.findings) }
            for finding in rule(result.scene, result.inspection) { result.inspection.findings.add(finding) }
        }
        return result
    }

    /// What is to be inspected.
    private struct Request {
        let bundle: Bundle
        let choice: SceneChoice
        let input: String
        let findings: FindingLog
        let reading: ColladaParser.Reading?
    }

    /// All but the source's digest.
    private func inspect(
        _ request: Request, _ progress: (Int64) -> Void, _ isCancelled: () -> Bool
    ) throws(CodedFailure) -> Result {
        let (bundle, choice) = (request.bundle, request.choice)
        var log = request.findings
        // Reported with the models that came before.
        let known = choice.standing == .further ? Set(bundle.nestingFindings.findings.map(\.place.entry)) : []
        var document: ColladaDocument
        if let reading = request.reading {
            log.merge(reading.log, entry: choice.entry.path)
            document = reading.document
        } else {
            document = try read(request, &log, progress, isCancelled)
        }
        try check(rows: document.rows, choice, log)
        var locator = ResourceLocator(bundle: bundle, policy: policy, document: loneDocument, address: address)
        switch options.repairs {
        case .made: break
        case .refused: locator.rules = .literal
        }
        if loneDocument?.isLinkTarget == true {
            log.add(
                .resourceDocumentLink, at: Place(entry: choice.entry.path),
                "\(choice.entry.path) is a symbolic link; its files are looked for around the file that it leads to")
        }
        let web = webFetch.map(WebFiles.init)
        var linked: LinkedDocument
        let scene: Scene
        var references: [FollowedReference]
        do {
            (linked, references) = try withoutActuallyEscaping(isCancelled) { isCancelled in
                let documents = BundleDocuments(
                    bundle: bundle, locator: locator, web: web, path: choice.entry.path, chunkSize: chunkSize,
                    isCancelled: isCancelled)
                let linked = try document.linked(
                    options: options(for: choice.entry), by: documents.loader, shown: choice.shownModels)
                log.merge(documents.log)
                return (linked, documents.references)
            }
            log.merge(linked.log, entry: choice.entry.path)
            keeper?(linked)
            let built = try linked.scene(options: options(for: choice.entry))
            log.merge(built.log, entry: choice.entry.path)
            scene = built.scene
        } catch { throw Self.failure(error, choice, log) }
        try check(rows: scene.rows, choice, log)
        let (nodes, allNodes) = (NodeCount(of: document), NodeCount(of: linked.document))
        if !validates {
            // Only rules ask for more of them, and they are most of a document that has very many.
            document.nodes = []
            linked.forgetNodes()
        }
        let builder = InspectionBuilder(
            bundle: bundle, choice: choice, document: document, nodes: nodes, allNodes: allNodes, linked: linked,
            scene: scene, bounds: SceneBounds(of: scene), log: log, validates: validates)
        let resources = ImageResources(
            bundle: bundle, locator: locator, scenePath: choice.entry.path, web: web,
            keepsResolutions: keepsResolutions, validates: validates)
        var (inspection, images) = builder.build(
            input: request.input, resources: resources, isCancelled: isCancelled)
        // Which archives paths led into is known by now.
        for finding in bundle.nestingFindings.findings where !known.contains(finding.place.entry) {
            inspection.findings.add(finding)
        }
        linked.completePlaces(of: &inspection.findings, entry: choice.entry.path)
        references += images
        if webFetch != nil, isCancelled() { throw Self.failure(CancellationError(), choice, inspection.findings) }
        return Result(inspection: inspection, scene: scene, references: keepsResolutions ? references : [])
    }

    private func check(rows: Int, _ choice: SceneChoice, _ log: FindingLog) throws(CodedFailure) {
        guard rows > rowLimit else { return }
        throw CodedFailure(
            .outputTooLarge, at: Place(entry: choice.entry.path),
            "a report would have \(rows) rows; \(rowLimit) is what it may have"
        ).within(findings: log)
    }

    /// Reads a document and nothing that it refers to; what is wrong with it is in the reading.
    ///
    /// - Throws: ``CodedFailure``, or `CancellationError` when `isCancelled` said so.
    package func read(
        _ entry: Bundle.Entry, of bundle: Bundle, progress: (Int64) -> Void, isCancelled: () -> Bool
    ) throws -> ColladaParser.Reading {
        try ColladaParser(options: options(for: entry)).read(
            entry, of: bundle, chunkSize: chunkSize, progress: progress, isCancelled: isCancelled)
    }

    private func options(for entry: Bundle.Entry) -> ColladaOptions {
        var options = options
        options.documentPath = entry.path
        options.spool = options.spool ?? NumberSpool(fileBytes: options.documentBytes)
        if validates {
            options.examiner = { DeepExaminer() }
            options.keepsOutline = true
        }
        return options
    }

    private func read(
        _ request: Request, _ log: inout FindingLog, _ progress: (Int64) -> Void,
        _ isCancelled: () -> Bool
    ) throws(CodedFailure) -> ColladaDocument {
        let choice = request.choice
        let parser = ColladaParser(options: options(for: choice.entry))
        let reading: ColladaParser.Reading
        do {
            reading = try parser.read(
                choice.entry, of: request.bundle, chunkSize: chunkSize, progress: progress,
                isCancelled: isCancelled)
        } catch {
            log.merge(parser.log, entry: choice.entry.path)
            throw Self.failure(error, choice, log)
        }
        log.merge(reading.log, entry: choice.entry.path)
        return reading.document
    }

    private static func failure(_ error: any Error, _ choice: SceneChoice, _ log: FindingLog) -> CodedFailure {
        let failure = error as? CodedFailure ?? CodedFailure(.assetCancelled, "reading was stopped on request")
        return failure.within(entry: choice.entry.path, findings: log)
    }

    /// Of the source's bytes, in hexadecimal; `nil` for a folder.
    ///
    /// - Parameter log: What was found until then, for the error.
    package static func sha256(of bundle: Bundle, _ log: FindingLog) throws(CodedFailure) -> String? {
        try hex(SourceDigest(of: bundle.source).result(), log)
    }

    private static func hex(
        _ result: Swift.Result<String?, ByteSourceError>, _ log: FindingLog
    ) throws(CodedFailure) -> String? {
        do throws(ByteSourceError) { return try result.get() } catch {
            throw CodedFailure(.ioError, error.description).within(findings: log)
        }
    }
}

extension ColladaDocument {
    /// Rows that a report has of it.
    fileprivate var rows: Int {
        geometries.count + materials.count + images.count + animations.count + animationClips.count + cameras.count
            + lights.count + controllers.count
    }
}

extension Scene {
    /// Rows that a report has of it.
    fileprivate var rows: Int {
        geometries.count + materials.count + images.count + animations.count + clips.count + cameras.count
            + lights.count + controllers.count
    }
}

/// Computes the SHA-256 of the bytes that a bundle was made of; a long one is computed on a thread of its own, which
/// another one may stop.
private final class SourceDigest: Sendable {
    private let source: (any ByteSource)?
    private let isStopped = Atomic(false)
    private static let longBytes: Int64 = 1 << 20

    /// - Parameter source: `nil` for a folder, which has no digest.
    init(of source: (any ByteSource)?) { self.source = source }

    /// Whether it takes longer than starting a thread.
    var isLong: Bool { source.map { $0.size >= Self.longBytes } ?? false }

    /// Ends a computation that is under way; its result is then `nil`.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// In hexadecimal; `nil` for a folder, and where it was stopped.
    func result() -> Result<String?, ByteSourceError> {
        guard let source else { return .success(nil) }
        do throws(ByteSourceError) {
            let digest = try digest(of: source)
            return .success(isStopped.load(ordering: .relaxed) ? nil : digest.hex)
        } catch { return .failure(error) }
    }

    private func digest(of source: any ByteSource) throws(ByteSourceError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: Int(min(1 << 18, max(1, source.size))))
        defer { buffer.deallocate() }
        var position: Int64 = 0
        while !isStopped.load(ordering: .relaxed), case let count = try source.read(at: position, into: buffer),
            count > 0
        {
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += Int64(count)
        }
        return hasher.finish()
    }
}
