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
    /// - Parameters:
    ///   - digest: What a file of the web was; `nil` where that is not known.
    ///   - plainEntry: One whose places are told by the very bytes that it has; `nil` for none.
    static func read(
        of source: ReportedSource, digest: String?, plainEntry: String?, options: AssetOperations.LiveOptions,
        width: Int, cut: String
    ) async -> SourceExcerpts {
        var wanted: [String: Set<ExcerptReader.Position>] = [:]
        var bytes: [ExcerptReader.Position: Int64] = [:]
        for finding in source.findings.messages + [source.failure].compactMap(\.self) {
            guard let entry = finding.place.entry, let position = position(of: finding.place) else { continue }
            wanted[entry, default: []].insert(position)
            if entry == plainEntry { bytes[position] = finding.place.byte }
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
        let places = bytes
        guard let bundle = try? await LiveBundle.open(source.name, goal: .scene, options: options),
            // Another file may have come to its place since.
            !isOfWeb || bundle.file.sha256 == digest
        else { return .none }
        let excerpts = try? await bundle.run { bundle, isCancelled in
            var excerpts = SourceExcerpts()
            for (entry, positions) in positions {
                guard !isCancelled(), let file = bundle.bundle.entry(at: entry) else { continue }
                excerpts.byEntry[entry] = lines(
                    of: file, in: bundle.bundle, at: positions, entry == plainEntry ? places : [:], width,
                    cut, isCancelled)
            }
            return excerpts
        }
        return excerpts ?? .none
    }

    /// The line that the markup of a document is broken in, with a mark below the place; none for other failures.
    static func lines(
        about failure: InspectionFailure, options: AssetOperations.LiveOptions
    ) async -> [String] {
        guard failure.code == .xmlNotWellFormed, let line = failure.place.line else { return [] }
        var log = FindingLog()
        log.add(failure.code, at: failure.place, failure.message)
        let source = ReportedSource(name: failure.source.input, container: .archive, log: log)
        let excerpts = await read(of: source, digest: nil, plainEntry: nil, options: options, width: 100, cut: "…")
        return excerpts[failure.place]?.lines(at: line, style: .plain) ?? []
    }

    /// - Parameter bytes: Those at which some of the positions are.
    private static func lines(
        of entry: Bundle.Entry, in bundle: Bundle, at positions: Set<ExcerptReader.Position>,
        _ bytes: [ExcerptReader.Position: Int64], _ width: Int, _ cut: String, _ isCancelled: () -> Bool
    ) -> [ExcerptReader.Position: SourceExcerpt] {
        guard var reader = try? bundle.reader(for: entry) else { return [:] }
        var excerpts = ExcerptReader(positions, width: width, cut: cut)
        // Once is enough to learn that it is packed, or one long line.
        var mayJump = true
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !excerpts.isDone, reader.position < limit, !isCancelled() {
            let start = reader.position
            guard let count = try? buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 else {
                break
            }
            // In UTF-16 and UTF-32 there is nothing that could be shown byte by byte.
            if start == 0, buffer[..<min(4, count)].contains(where: { $0 == 0 || $0 >= 0xFE }) { return [:] }
            buffer.withUnsafeBytes { excerpts.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            guard mayJump, let next = excerpts.next, let byte = bytes[next], byte < limit,
                byte - reader.position >= Int64(4 * buffer.count)
            else { continue }
            guard let nearer = Self.reader(near: next, at: byte, of: entry, in: bundle, &buffer, &excerpts) else {
                mayJump = false
                continue
            }
            reader = nearer
        }
        return excerpts.excerpts
    }

    /// Goes on near a position, where that is far away: how many lines are between is known by their numbers, and those of
    /// the last bytes before it are counted.
    ///
    /// - Returns: Where to go on; `nil` with nothing changed where all that is between has to be read.
    private static func reader(
        near next: ExcerptReader.Position, at byte: Int64, of entry: Bundle.Entry, in bundle: Bundle,
        _ buffer: inout [UInt8], _ excerpts: inout ExcerptReader
    ) -> EntryReader? {
        guard let reader = try? bundle.reader(for: entry), reader.skip(to: byte - Int64(buffer.count)) else {
            return nil
        }
        var count = 0
        buffer.withUnsafeMutableBytes { room in
            while count < room.count,
                let more = try? reader.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...])), more > 0
            { count += more }
        }
        guard count == buffer.count else { return nil }
        return buffer.withUnsafeBytes { bytes in
            // The first whole line begins behind the first newline; a line as long as all of this has none. Where lines end
            // by two bytes, not everyone counts both.
            guard !bytes.contains(UInt8(ascii: "\r")), let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
                return nil
            }
            excerpts.skip(toLine: next.line - ExcerptReader.newlines(in: bytes) + 1)
            excerpts.take(UnsafeRawBufferPointer(rebasing: bytes[(first + 1)...]))
            return reader
        }
    }
}
