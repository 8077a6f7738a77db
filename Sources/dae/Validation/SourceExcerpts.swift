import Daedalus

/// The lines of a source that its findings are about, by entry and place.
struct SourceExcerpts: Sendable {
    private var byEntry: [String: [ExcerptReader.Position: SourceExcerpt]] = [:]

    static let none = SourceExcerpts()

    subscript(place: Place) -> SourceExcerpt? {
        guard let position = Self.position(of: place) else { return nil }
        return byEntry[place.entry ?? ""]?[position]
    }

    private static func position(of place: Place) -> ExcerptReader.Position? {
        guard let line = place.line, line >= 1 else { return nil }
        return .init(line: line, column: max(1, place.column ?? 1))
    }

    /// Bytes of one entry that are read for this at most.
    private static let limit: Int64 = 256 << 20

    /// Opens a source again and reads the lines; none where it cannot be read twice. Of the web only what lies in the
    /// cache as a whole is read.
    ///
    /// - Parameter digest: What a file of the web was; `nil` where that is not known.
    static func read(
        of source: ReportedSource, digest: String?, options: AssetOperations.LiveOptions, width: Int
    ) async -> SourceExcerpts {
        var wanted: [String: Set<ExcerptReader.Position>] = [:]
        for finding in source.findings.messages {
            guard let entry = finding.place.entry, let position = position(of: finding.place) else { continue }
            wanted[entry, default: []].insert(position)
        }
        guard !wanted.isEmpty else { return .none }
        var isOfWeb = false  // where it lies
        switch AssetSource(source.name, exists: { ControlFile.kind($0) != nil }).location {
        case .path: break
        case .url where digest != nil: isOfWeb = true
        case .standardInput, .url: return .none
        }
        var options = options
        if isOfWeb {
            options.web.mode = .offline
            options.web.notice = { _ in }
        }
        let positions = wanted
        guard let bundle = try? await LiveBundle.open(source.name, goal: .scene, options: options),
            // Another file may have come to its place since.
            !isOfWeb || bundle.file.sha256 == digest
        else { return .none }
        let excerpts = try? await bundle.run { bundle, isCancelled in
            var excerpts = SourceExcerpts()
            for (entry, positions) in positions {
                guard !isCancelled(), let file = bundle.bundle.entry(at: entry) else { continue }
                excerpts.byEntry[entry] = lines(of: file, in: bundle.bundle, at: positions, width, isCancelled)
            }
            return excerpts
        }
        return excerpts ?? .none
    }

    private static func lines(
        of entry: Bundle.Entry, in bundle: Bundle, at positions: Set<ExcerptReader.Position>, _ width: Int,
        _ isCancelled: () -> Bool
    ) -> [ExcerptReader.Position: SourceExcerpt] {
        guard let reader = try? bundle.reader(for: entry) else { return [:] }
        var excerpts = ExcerptReader(positions, width: width)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !excerpts.isDone, reader.position < limit, !isCancelled() {
            let start = reader.position
            guard let count = try? buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 else {
                break
            }
            // In UTF-16 and UTF-32 there is nothing that could be shown byte by byte.
            if start == 0, buffer[..<min(4, count)].contains(where: { $0 == 0 || $0 >= 0xFE }) { return [:] }
            buffer.withUnsafeBytes { excerpts.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return excerpts.excerpts
    }
}
