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
        case read(Look, bytes: Int64)
        case unreadable(reason: String, bytes: Int64?)
    }

    private struct Look {
        var result: ImageProbeResult
        var isTruncated: Bool?  // a fact about the file
    }

    /// Bytes that are read, of all images together, to see whether they are whole.
    private var endingBudget: Int64 = 256 << 20

    /// `nil` where nothing is fetched.
    private var web: WebFiles?
    /// The same as ``probed`` of files on the web, by their addresses; what was not got is no file.
    private var fetched: [String: Fetched] = [:]

    private enum Fetched {
        case got(Probed)
        case failed(reason: String)
    }

    private let keepsResolutions: Bool  // an option
    private(set) var references: [FollowedReference] = []

    init(
        bundle: Bundle, locator: ResourceLocator, scenePath: String, fetch: WebFetch?, keepsResolutions: Bool
    ) {
        web = fetch.map(WebFiles.init)
        self.keepsResolutions = keepsResolutions
        self.bundle = bundle
        self.locator = locator
        self.scenePath = scenePath
    }

    /// - Parameter isCancelled: Asked before and while an image is fetched; nothing is fetched once it says so.
    mutating func row(
        of image: Image, at place: Place, _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) -> Inspection.ImageRow {
        var row = Inspection.ImageRow(id: image.id, name: image.name, status: .missing)
        switch image.content {
        case .none:
            follow("", of: image, &row, place, &log, isCancelled)
        case .embedded: row.status = .embedded
        case .reference(let reference):
            row.reference = reference
            follow(reference, of: image, &row, place, &log, isCancelled)
        }
        for reference in Self.otherReferences(of: image) {
            var other = row
            follow(reference, of: image, &other, place, &log, isCancelled)
        }
        return row
    }

    /// Of an image's further pictures, such as the sides of a cube, each once.
    private static func otherReferences(of image: Image) -> [String] {
        var told: Set<String> = []
        if case .reference(let own) = image.content { told.insert(own) }
        return image.parts.compactMap { part in
            guard case .reference(let reference) = part.content, told.insert(reference).inserted else { return nil }
            return reference
        }
    }

    private mutating func follow(
        _ reference: String, of image: Image, _ row: inout Inspection.ImageRow, _ place: Place,
        _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) {
        let base = image.base ?? scenePath
        var resolution = locator.resolve(reference, from: base, as: .image(id: image.id, name: image.name))
        // That nothing is named was told when the document was read.
        for finding in resolution.imageFindings(at: place) where finding.code != .imageEmptyURI { log.add(finding) }
        if web != nil, let url = resolution.webAddress {
            resolution = resolution.after(fetch(url, &row, place, &log, isCancelled))
        }
        if keepsResolutions {
            references.append(
                FollowedReference(kind: .image, id: image.id, name: image.name, base: base, resolution: resolution))
        }
        row.status = Inspection.ImageRow.Status(resolution.status)
        row.path = resolution.path
        row.rule = resolution.rule
        row.confidence = resolution.confidence
        row.isOutside = resolution.isOutside
        if let path = resolution.path, resolution.webAddress == nil {
            look(at: resolution, path, &row, place, &log)
        }
    }

    private mutating func look(
        at resolution: Resolution, _ path: String, _ row: inout Inspection.ImageRow, _ place: Place,
        _ log: inout FindingLog
    ) {
        used.insert(path)
        let known = probed[path]
        let outcome = known ?? probe(resolution, path)
        probed[path] = outcome
        tell(outcome, of: path, isNew: known == nil, &row, place, &log)
    }

    /// Fetches what was not asked for before, and looks at it.
    private mutating func fetch(
        _ url: String, _ row: inout Inspection.ImageRow, _ place: Place, _ log: inout FindingLog,
        _ isCancelled: () -> Bool
    ) -> Resolution.Fetch {
        let known = fetched[url]
        let outcome = known ?? get(url, place, &log, isCancelled)
        fetched[url] = outcome
        switch outcome {
        case .got(let probed):
            tell(probed, of: Self.withoutQuery(url), isNew: known == nil, &row, place, &log)
            return .done
        case .failed(let reason): return .failed(reason: reason)
        }
    }

    private mutating func get(
        _ url: String, _ place: Place, _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) -> Fetched {
        guard let answer = web?.get(url, isCancelled) else { return .failed(reason: "nothing is fetched") }
        switch answer {
        case .file(let source):
            do throws(ByteSourceError) {
                return .got(.read(try look(at: Self.withoutQuery(url), source), bytes: source.size))
            } catch { return .got(.unreadable(reason: error.reason, bytes: source.size)) }
        case .failed(let code, let message, _):
            log.add(code, at: place, message, severity: .warning)
            return .failed(reason: message)
        }
    }

    /// What is behind an address's path says nothing of the format.
    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    private func tell(
        _ outcome: Probed, of path: String, isNew: Bool, _ row: inout Inspection.ImageRow, _ place: Place,
        _ log: inout FindingLog
    ) {
        switch outcome {
        case .read(let look, let bytes):
            let result = look.result
            if isNew {
                for finding in result.findings(name: path, at: place) { log.add(finding) }
                if look.isTruncated == true {
                    log.add(.imageTruncated, at: place, "\(path) is cut short: it ends before its pixels do")
                }
            }
            row.bytes = bytes
            row.format = result.format
            row.width = result.header?.width
            row.height = result.header?.height
            row.channels = result.header?.channels
            row.gpuBytes = result.header?.gpuBytes
            row.isTruncated = look.isTruncated
        case .unreadable(let reason, let bytes):
            row.bytes = bytes
            log.add(.imageDataInvalid, at: place, "\(path) cannot be read: \(reason)")
        }
    }

    private mutating func probe(_ resolution: Resolution, _ path: String) -> Probed {
        do throws(ByteSourceError) {
            if let source = try locator.source(of: resolution) {
                return .read(try look(at: path, source), bytes: source.size)
            }
        } catch { return .unreadable(reason: error.reason, bytes: nil) }
        guard let entry = bundle.entry(at: path) else { return .unreadable(reason: "it is gone", bytes: nil) }
        do throws(ArchiveError) {
            // Entries stream front to back; what the probe does not want is read and dropped.
            let reader = try bundle.reader(for: entry)
            let look = try look(at: path, size: entry.size) { buffer throws(ArchiveError) in
                try reader.read(into: buffer)
            }
            return .read(look, bytes: entry.size)
        } catch { return .unreadable(reason: error.message, bytes: entry.size) }
    }

    private mutating func look(at path: String, _ source: any ByteSource) throws(ByteSourceError) -> Look {
        var at: Int64 = 0
        return try look(at: path, size: source.size) { buffer throws(ByteSourceError) in
            let count = try source.read(at: at, into: buffer)
            at += Int64(count)
            return count
        }
    }

    private mutating func look<Failure: Error>(
        at path: String, size: Int64, _ next: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Look {
        var probe = ImageProbe(fileName: path)
        var ending = ImageEnding()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        // Until the header is settled; to the end where that may say more and the budget allows.
        while true {
            if let result = probe.result {
                guard let header = result.header, header.leastBytes == nil, endingBudget >= size,
                    ending.isTruncated(header) != nil
                else { break }
            }
            let count = try next(buffer)
            if count == 0 { break }
            let bytes = Array(buffer[..<count])
            probe.push(bytes)
            ending.push(bytes)
            endingBudget -= Int64(count)
        }
        let result = probe.finish()
        guard let header = result.header else { return Look(result: result) }
        if let least = header.leastBytes { return Look(result: result, isTruncated: size < least) }
        return Look(result: result, isTruncated: ending.size < size ? nil : ending.isTruncated(header))
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
