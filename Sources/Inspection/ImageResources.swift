import Archive
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
    private var probed: [String: Result<ImageProbeResult, ArchiveError>] = [:]

    init(bundle: Bundle, scenePath: String) {
        self.bundle = bundle
        self.scenePath = scenePath
        locator = ResourceLocator(container: bundle)
    }

    mutating func row(of image: Image, at place: Place, _ log: inout FindingLog) -> Inspection.ImageRow {
        var row = Inspection.ImageRow(id: image.id, name: image.name, status: .missing)
        switch image.content {
        case .none: break
        case .embedded: row.status = .embedded
        case .reference(let reference):
            row.reference = reference
            let resolution = locator.resolve(reference, from: image.base ?? scenePath)
            for finding in resolution.imageFindings(at: place) { log.add(finding) }
            row.status = Inspection.ImageRow.Status(resolution.status)
            row.path = resolution.path
            row.rule = resolution.rule
            if let path = resolution.path { look(at: path, &row, place, &log) }
        }
        return row
    }

    private mutating func look(
        at path: String, _ row: inout Inspection.ImageRow, _ place: Place, _ log: inout FindingLog
    ) {
        guard let entry = bundle.entry(at: path) else { return }
        used.insert(path)
        row.bytes = entry.size
        let known = probed[path]
        let outcome = known ?? Result { () throws(ArchiveError) in try probe(entry) }
        probed[path] = outcome
        switch outcome {
        case .success(let result):
            if known == nil { for finding in result.findings(name: path, at: place) { log.add(finding) } }
            row.format = result.format
            row.width = result.header?.width
            row.height = result.header?.height
        case .failure(let error): log.add(.imageDataInvalid, at: place, "\(path) cannot be read: \(error.message)")
        }
    }

    private func probe(_ entry: Bundle.Entry) throws(ArchiveError) -> ImageProbeResult {
        // Entries stream front to back; what the probe does not want is read and dropped.
        let reader = try bundle.reader(for: entry)
        var probe = ImageProbe()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        while probe.result == nil {
            let count = try reader.read(into: buffer)
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
