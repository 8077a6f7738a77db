import DaeArchive
import DaeCollada
import DaeCore
import DaeDiagnostics
import DaeImages
import DaeResources
import DaeScene

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
        var isTruncated: Bool?
    }

    /// Bytes that are read, of all images together, to see whether they are whole.
    private var endingBudget = TruncationCheck.budget

    /// `nil` where nothing is fetched.
    private let web: WebFiles?
    /// The same as ``probed`` of files on the web, by their addresses; what was not got is no file.
    private var fetched: [String: Fetched] = [:]

    private enum Fetched {
        case got(Probed)
        case failed(reason: String)
    }

    private let keepsResolutions: Bool
    /// Whether rules beyond those for what cannot be used are held against images.
    private let validates: Bool
    private(set) var references: [FollowedReference] = []

    init(
        bundle: Bundle, locator: ResourceLocator, scenePath: String, web: WebFiles?, keepsResolutions: Bool,
        validates: Bool = false
    ) {
        self.web = web
        self.keepsResolutions = keepsResolutions
        self.validates = validates
        self.bundle = bundle
        self.locator = locator
        self.scenePath = scenePath
    }

    /// - Parameters:
    ///   - isNeeded: Whether a material samples it.
    ///   - isCancelled: Asked before and while an image is fetched; nothing is fetched once it says so.
    mutating func row(
        of image: Image, at place: Place, isNeeded: Bool, _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) -> Inspection.ImageRow {
        var row = Inspection.ImageRow(id: image.id, name: image.name, status: .missing)
        switch image.content {
        case .none:
            follow("", of: image, &row, place, isNeeded, &log, isCancelled)
        case .embedded: row.status = .embedded
        case .reference(let reference):
            row.reference = reference
            follow(reference, of: image, &row, place, isNeeded, &log, isCancelled)
        }
        for reference in Self.otherReferences(of: image) {
            var other = row
            follow(reference, of: image, &other, place, isNeeded, &log, isCancelled)
        }
        return row
    }

    /// Of an image's further pictures, such as the sides of a cube, each once.
    private static func otherReferences(of image: Image) -> [String] {
        guard !image.parts.isEmpty else { return [] }
        var reported: Set<String> = []
        if case .reference(let own) = image.content { reported.insert(own) }
        return image.parts.compactMap { part in
            guard case .reference(let reference) = part.content, reported.insert(reference).inserted else { return nil }
            return reference
        }
    }

    private mutating func follow(
        _ reference: String, of image: Image, _ row: inout Inspection.ImageRow, _ place: Place,
        _ isNeeded: Bool, _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) {
        let base = image.base ?? scenePath
        var resolution = locator.resolve(reference, from: base, as: .image(id: image.id, name: image.name))
        // That nothing is named was reported when the document was read.
        resolution.addImageFindings(to: &log, at: place, isNeeded: isNeeded, but: .imageEmptyURI)
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
        row.reason = resolution.reason
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
        report(outcome, of: path, isNew: known == nil, &row, place, &log)
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
            report(probed, of: Self.withoutQuery(url), isNew: known == nil, &row, place, &log)
            return .done
        case .failed(let reason): return .failed(reason: reason)
        }
    }

    private mutating func get(
        _ url: String, _ place: Place, _ log: inout FindingLog, _ isCancelled: () -> Bool
    ) -> Fetched {
        guard let answer = web?.get(url, isCancelled) else { return .failed(reason: "nothing is fetched") }
        switch answer {
        case .file(let source): return .got(probe(ImageFile(source), Self.withoutQuery(url)))
        case .failed(let code, let message, _):
            log.add(code, at: place, message, severity: .warning)
            return .failed(reason: message)
        }
    }

    /// What is behind an address's path says nothing of the format.
    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    private func report(
        _ outcome: Probed, of path: String, isNew: Bool, _ row: inout Inspection.ImageRow, _ place: Place,
        _ log: inout FindingLog
    ) {
        switch outcome {
        case .read(let look, let bytes):
            let result = look.result
            row.faults = Inspection.ImageRow.Fault.all(
                of: result, isTruncated: look.isTruncated, promised: ImageFormat(fileName: path))
            if isNew {
                for finding in result.findings(name: path, at: place) { log.add(finding) }
                if validates, let header = result.header { ImageRules.check(header, of: path, at: place, &log) }
                if look.isTruncated == true, result.header != nil {
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
            row.faults = [.unreadable]
            row.reason = reason
            log.add(.imageDataInvalid, at: place, "\(path) cannot be read: \(reason)")
        }
    }

    private mutating func probe(_ resolution: Resolution, _ path: String) -> Probed {
        do throws(ByteSourceError) {
            if let source = try locator.source(of: resolution) {
                return probe(ImageFile(source), path)
            }
        } catch { return .unreadable(reason: error.reason, bytes: nil) }
        guard let entry = bundle.file(at: path) else { return .unreadable(reason: "it is gone", bytes: nil) }
        return probe(ImageFile(entry, of: bundle), path)
    }

    private mutating func probe(_ file: ImageFile, _ path: String) -> Probed {
        var file = file
        let result = ImageProbe.probe(fileName: path) { file.read($0, $1) ?? [] }
        file.budget = endingBudget
        let isTruncated = TruncationCheck.isTruncated(result, size: file.size) { file.read($0, $1) }
        endingBudget = file.budget
        if let reason = file.failure { return .unreadable(reason: reason, bytes: file.size) }
        return .read(Look(result: result, isTruncated: isTruncated), bytes: file.size)
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

extension Resolution {
    /// Why there is no file, where the status alone does not say.
    fileprivate var reason: String? {
        switch outcome {
        case .blocked(let reason): reason.text
        case .ambiguous(_, let count, _): "\(count) files could be meant"
        case .unfetched(let url, let reason):
            // The address stands elsewhere in the row.
            reason.hasPrefix(url) ? String(reason.dropFirst(url.count).drop { ": ".contains($0) }) : reason
        case .found, .outside, .missing, .remote, .fetched, .embedded: nil
        }
    }
}

// An archive's entry comes as a stream: it is read on to the place that is wanted, and begun anew for one further back.

/// The bytes of an image's file, at any place.
private struct ImageFile {
    private enum Origin {
        case source(any ByteSource)
        case entry(Bundle.Entry, of: Bundle)
    }

    private let origin: Origin
    let size: Int64
    /// Bytes that may be read, those on the way to a place counted.
    var budget = Int64.max
    /// Why the file cannot be read; `nil` while it can.
    private(set) var failure: String?
    private var reader: EntryReader?
    /// What the stream gave last.
    private var block: [UInt8] = []
    private var blockStart: Int64 = 0
    private static let blockSize = 1 << 16

    init(_ source: any ByteSource) {
        origin = .source(source)
        size = source.size
    }

    init(_ entry: Bundle.Entry, of bundle: Bundle) {
        origin = .entry(entry, of: bundle)
        size = entry.size
    }

    /// At most `count` bytes from `offset` on, none at the end; `nil` where they cannot be read or are too many.
    mutating func read(_ offset: Int64, _ count: Int) -> [UInt8]? {
        guard failure == nil, budget > 0 else { return nil }
        switch origin {
        case .source(let source):
            do throws(ByteSourceError) {
                let bytes = try Self.bytes(count) { buffer throws(ByteSourceError) in
                    try source.read(at: min(offset, source.size), into: buffer)
                }
                budget -= Int64(bytes.count)
                return bytes
            } catch { failure = error.reason }
        case .entry(let entry, let bundle):
            do throws(CodedFailure) {
                return try stream(entry, of: bundle, offset, count)
            } catch { failure = error.message }
        }
        return nil
    }

    private mutating func stream(
        _ entry: Bundle.Entry, of bundle: Bundle, _ offset: Int64, _ count: Int
    ) throws(CodedFailure) -> [UInt8]? {
        if offset < blockStart { reader = nil }
        let reader: EntryReader
        if let begun = self.reader {
            reader = begun
        } else {
            reader = try bundle.reader(for: entry)
            (self.reader, block, blockStart) = (reader, [], 0)
        }
        while offset - blockStart >= block.count {
            guard budget > 0 else { return nil }
            blockStart += Int64(block.count)
            block = try Self.bytes(Self.blockSize) { buffer throws(CodedFailure) in try reader.read(into: buffer) }
            budget -= Int64(block.count)
            if block.isEmpty { return [] }
        }
        // Whether the checksum is right shows behind the last byte.
        if blockStart + Int64(block.count) == size {
            _ = try Self.bytes(1) { buffer throws(CodedFailure) in try reader.read(into: buffer) }
        }
        return Array(block[Int(offset - blockStart)...].prefix(count))
    }

    private static func bytes<Failure: Error>(
        _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.readBuffer(byteCount: count)
        defer { buffer.deallocate() }
        return Array(buffer[..<(try fill(buffer))])
    }
}
