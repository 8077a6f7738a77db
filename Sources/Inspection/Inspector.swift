public import Archive
public import BundleManifest
import ByteSource
public import ColladaParser
import ContentHash
public import Diagnostics
import ImageProbe
import ResourceLocator
public import SceneModel

/// Reads a bundle's scene and finds what it refers to.
public struct Inspector: Sendable {
    /// What reading came to: the inspection, and the scene it is about.
    public struct Result: Sendable {
        public var inspection: Inspection
        public var scene: Scene
    }

    public var options: ColladaOptions
    /// Bytes read from an entry at a time.
    public var chunkSize: Int

    public init(options: ColladaOptions = ColladaOptions(), chunkSize: Int = 64 * 1024) {
        self.options = options
        self.chunkSize = chunkSize
    }

    /// Reads the scene that was chosen.
    ///
    /// - Parameters:
    ///   - input: The source as a person gave it, for the report.
    ///   - sha256: Of the source's bytes when it is known already; else it is computed.
    ///   - findings: What was found before, when the bundle was fetched and opened.
    ///   - progress: Called with the bytes of the document read so far.
    ///   - isCancelled: Asked now and then; reading stops when it says so.
    /// - Throws: ``InspectionError``.
    public func inspect(
        _ bundle: Bundle, _ choice: SceneChoice, input: String, sha256: String? = nil,
        findings: FindingLog = FindingLog(),
        progress: (Int64) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(InspectionError) -> Result {
        var log = findings
        let reading = try read(bundle, choice, &log, progress, isCancelled)
        log.merge(reading.log, entry: choice.entry.path)
        let scene: Scene
        do throws(ColladaError) {
            let built = try reading.document.scene(options: options(for: choice))
            log.merge(built.log, entry: choice.entry.path)
            scene = built.scene
        } catch { throw InspectionError(error, entry: choice.entry.path, log) }
        let digest: String?
        if let sha256 { digest = sha256 } else { digest = try Self.sha256(of: bundle, log) }
        let builder = InspectionBuilder(
            bundle: bundle, choice: choice, document: reading.document, scene: scene, log: log)
        return Result(inspection: builder.build(input: input, sha256: digest), scene: scene)
    }

    private func options(for choice: SceneChoice) -> ColladaOptions {
        var options = options
        options.documentName = choice.entry.path.split(separator: "/").last.map(String.init)
        return options
    }

    private func read(
        _ bundle: Bundle, _ choice: SceneChoice, _ log: inout FindingLog, _ progress: (Int64) -> Void,
        _ isCancelled: () -> Bool
    ) throws(InspectionError) -> ColladaParser.Reading {
        let parser = ColladaParser(options: options(for: choice))
        let path = choice.entry.path
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, chunkSize), alignment: 16)
        defer { buffer.deallocate() }
        do {
            let reader = try bundle.reader(for: choice.entry)
            while true {
                let count = try reader.read(into: buffer)
                if count == 0 { break }
                if isCancelled() { throw CancellationError() }
                try parser.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                progress(parser.bytesRead)
            }
            return try parser.finish()
        } catch {
            log.merge(parser.log, entry: path)
            if let error = error as? ArchiveError { throw InspectionError(error, log) }
            if let error = error as? ColladaError { throw InspectionError(error, entry: path, log) }
            throw InspectionError(.assetCancelled, Place(entry: path), "reading was stopped on request", log)
        }
    }

    /// Of the source's bytes; `nil` for a folder.
    private static func sha256(of bundle: Bundle, _ log: FindingLog) throws(InspectionError) -> String? {
        guard let source = bundle.source else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var hasher = SHA256Hasher()
        var at: Int64 = 0
        do throws(ByteSourceError) {
            while true {
                let count = try source.read(at: at, into: buffer)
                if count == 0 { break }
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                at += Int64(count)
            }
        } catch { throw InspectionError(.ioError, Place(), error.description, log) }
        return hasher.finish().hex
    }
}
