import DaeCore
import Daedalus

/// The lines of a source that its findings are about, by entry and place.
struct SourceExcerpts: Sendable {
    private var byEntry: [String: [ExcerptReader.Position: SourceExcerpt]] = [:]

    static let none = SourceExcerpts()

    private init() {}

    /// The lines of a robot's description.
    init(of robot: DescribedRobot, _ source: ReportedSource, width: Int, cut: String) {
        var reader = ExcerptReader(
            Set(source.findings.messages.compactMap { Self.position(of: $0.place) }), width: width, cut: cut)
        robot.bytes.withUnsafeBytes { reader.take($0) }
        byEntry[robot.entry] = reader.excerpts
    }

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
        switch SourceAddress(source.name, exists: { ControlFile.kind($0) != nil }).location {
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
        guard let bundle = try? await LiveBundle.open(.typed(source.name), goal: .scene, options: options),
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

// Lines of documents may be megabytes long and stand in archives of gigabytes: only a window around each place is kept,
// and reading stops at the last one.

/// A piece of a line around a place, and where in it the place is.
struct SourceExcerpt: Sendable {
    /// Without controls, tabs as spaces.
    let text: String
    /// Columns of a terminal before the place.
    let indent: Int

    /// - Parameters:
    ///   - before: What stands before the place, or the end of it.
    ///   - after: What follows, or its beginning.
    ///   - width: Columns at most, at least 20.
    ///   - cut: Stands where the line goes on.
    init(before: String, after: String, isCutBefore: Bool, isCutAfter: Bool, width: Int, cut: String) {
        let end = Self.shown(after) + (isCutAfter ? cut : "")
        let head = ((isCutBefore ? cut : "") + Self.shown(before))
            .cut(to: max(width / 2, width - end.width), by: cut)
        let tail = end.cutAtTheEnd(to: width - head.width, by: cut)
        text = head + tail
        indent = head.width
    }

    /// With the line's number, and a mark below the place.
    func lines(at number: Int, style: Style) -> [String] {
        let number = String(number)
        let gap = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        return [
            style(.dim, "\(gap)\(number) |") + " " + text,
            style(.dim, "\(blank) |") + " " + String(repeating: " ", count: indent) + style(.cyan, "^"),
        ]
    }

    private static func shown(_ text: String) -> String {
        text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ").withoutControls
    }
}

/// Finds excerpts in the bytes of one document, which come in pieces.
struct ExcerptReader {
    struct Position: Hashable, Comparable {
        /// From 1.
        let line: Int
        /// From 1, in characters.
        let column: Int

        static func < (left: Position, right: Position) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// Characters kept on either side.
    private static let reach = 200

    private struct Window {
        let position: Position
        var before: [UInt8] = []
        var after: [UInt8] = []
        var isCutAfter = false
    }

    private var windows: [Window]
    private let width: Int
    private let cut: String
    /// The windows before this one are complete.
    private var done = 0
    private var line = 1
    /// Of the byte that comes next; 0 before the first of a line.
    private var column = 0

    /// The line and column of which the next window is; `nil` where no further byte is needed.
    var next: Position? { isDone ? nil : windows[done].position }

    /// Goes on with bytes of further on, which begin at the first of a line.
    mutating func skip(toLine line: Int) {
        self.line = line
        column = 0
    }

    /// - Parameter cut: Stands where a line goes on.
    init(_ positions: Set<Position>, width: Int, cut: String) {
        windows = positions.sorted().map { Window(position: $0) }
        self.width = width
        self.cut = cut
    }

    /// Whether no further byte is needed.
    var isDone: Bool { done == windows.count }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard !isPassed(bytes) else { return }
        var at = 0
        while at < bytes.count, !isDone {
            let isWanted = windows[done].position.line == line
            if isWanted, bytes[at] != UInt8(ascii: "\n") {
                keep(bytes[at])
                at += 1
                continue
            }
            guard let end = isWanted ? at : Self.lineEnd(in: bytes, from: at) else { return }
            while done < windows.count, windows[done].position.line <= line { done += 1 }
            line += 1
            column = 0
            at = end + 1
        }
    }

    /// Passes over bytes that end before the next wanted line begins, as nearly all of a long document do.
    private mutating func isPassed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isDone, windows[done].position.line > line else { return false }
        let newlines = Self.newlines(in: bytes)
        guard line + newlines < windows[done].position.line else { return false }
        line += newlines
        column = 0
        return true
    }

    static func newlines(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        var newlines = 0
        var at = 0
        while at < bytes.count {
            // So few that a byte holds how many there are, and without a branch, for the sake of wide loops.
            let end = min(at + 240, bytes.count)
            var some: UInt8 = 0
            while at < end {
                let isNewline: UInt8 = start[at] == UInt8(ascii: "\n") ? 1 : 0
                some &+= isNewline
                at &+= 1
            }
            newlines &+= Int(some)
        }
        return newlines
    }

    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        return memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start).map { UnsafeRawPointer($0) - base }
    }

    private mutating func keep(_ byte: UInt8) {
        // A byte that goes on with a character belongs to its column.
        if byte & 0xC0 != 0x80 { column += 1 }
        var index = done
        while index < windows.count, windows[index].position.line == line,
            windows[index].position.column - Self.reach <= column
        {
            let at = windows[index].position.column
            if column < at {
                windows[index].before.append(byte)
            } else if column < at + Self.reach {
                windows[index].after.append(byte)
            } else {
                windows[index].isCutAfter = true
                // The first of several on a long line is complete before the line is.
                if index == done { done += 1 }
            }
            index += 1
        }
    }

    /// What was found; nothing for places behind the end of the document or of their line.
    var excerpts: [Position: SourceExcerpt] {
        var found: [Position: SourceExcerpt] = [:]
        for window in windows where !window.before.isEmpty || !window.after.isEmpty {
            let after = window.after.last == UInt8(ascii: "\r") ? window.after.dropLast() : window.after[...]
            found[window.position] = SourceExcerpt(
                before: String(decoding: window.before, as: UTF8.self),
                after: String(decoding: after, as: UTF8.self),
                isCutBefore: window.position.column > Self.reach + 1, isCutAfter: window.isCutAfter, width: width,
                cut: cut)
        }
        return found
    }
}
