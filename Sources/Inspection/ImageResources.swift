import Archive
import ByteSource
import ColladaParser
import Diagnostics
import ImageProbe
import ResourceLocator
import SceneModel

/// Finds the files of a scene's images and looks at their first bytes.
struct ImageResources {
    private let bundle: Bundle
    /// Where images are looked for whose document's path is not known.
    private let scenePath: String
    private let locator: ResourceLocator
    /// Entries that an image was found to be.
    private(set) var used: Set<String> = []
    /// What an entry's bytes say, or why they cannot be read, so that a file used twice is read once.
    private var probed: [String: Probed] = [:]

    /// What was found out about one file.
    private enum Probed {
        case read(ImageProbeResult, bytes: Int64)
        case unreadable(reason: String, bytes: Int64?)
    }

    init(bundle: Bundle, locator: ResourceLocator, scenePath: String) {
        self.bundle = bundle
        self.locator = locator
        self.scenePath = scenePath
    }

    mutating func row(of image: Image, at place: Place, _ log: inout FindingLog) -> Inspection.ImageRow {
        var row = Inspection.ImageRow(id: image.id, name: image.name, status: .missing)
        switch image.content {
        case .none: break
        case .embedded: row.status = .embedded
        case .reference(let reference):
            row.reference = reference
            let resolution = locator.resolve(
                reference, from: image.base ?? scenePath, as: .image(id: image.id, name: image.name))
            for finding in resolution.imageFindings(at: place) { log.add(finding) }
            row.status = Inspection.ImageRow.Status(resolution.status)
            row.path = resolution.path
            row.rule = resolution.rule
            row.confidence = resolution.confidence
            row.isOutside = resolution.hostFile != nil
            if let path = resolution.path { look(at: resolution, path, &row, place, &log) }
        }
        return row
    }

    private mutating func look(
        at resolution: Resolution, _ path: String, _ row: inout Inspection.ImageRow, _ place: Place,
        _ log: inout FindingLog
    ) {
        used.insert(path)
        let known = probed[path]
        let outcome = known ?? probe(resolution, path)
        probed[path] = outcome
        switch outcome {
        case .read(let result, let bytes):
            if known == nil { for finding in result.findings(name: path, at: place) { log.add(finding) } }
            row.bytes = bytes
            row.format = result.format
            row.width = result.header?.width
            row.height = result.header?.height
        case .unreadable(let reason, let bytes):
            row.bytes = bytes
            log.add(.imageDataInvalid, at: place, "\(path) cannot be read: \(reason)")
        }
    }

    private func probe(_ resolution: Resolution, _ path: String) -> Probed {
        do throws(ByteSourceError) {
            if let source = try locator.source(of: resolution) {
                var at: Int64 = 0
                let result = try Self.probe { buffer throws(ByteSourceError) in
                    let count = try source.read(at: at, into: buffer)
                    at += Int64(count)
                    return count
                }
                return .read(result, bytes: source.size)
            }
        } catch { return .unreadable(reason: error.reason, bytes: nil) }
        guard let entry = bundle.entry(at: path) else { return .unreadable(reason: "it is gone", bytes: nil) }
        do throws(ArchiveError) {
            // Entries stream front to back; what the probe does not want is read and dropped.
            let reader = try bundle.reader(for: entry)
            let result = try Self.probe { buffer throws(ArchiveError) in try reader.read(into: buffer) }
            return .read(result, bytes: entry.size)
        } catch { return .unreadable(reason: error.message, bytes: entry.size) }
    }

    private static func probe<Failure: Error>(
        _ next: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> ImageProbeResult {
        var probe = ImageProbe()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        while probe.result == nil {
            let count = try next(buffer)
            if count == 0 { break }
            probe.push(Array(buffer[..<count]))
        }
        return probe.finish()
    }
}

extension Inspection.ImageRow.Status {
    fileprivate init(_ status: Resolution.Status) {
        switch status {
        case .found: self = .found
        case .missing: self = .missing
        case .embedded: self = .embedded
        case .blocked: self = .blocked
        case .ambiguous: self = .ambiguous
        case .remote: self = .remote
        }
    }
}
