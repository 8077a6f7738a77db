import DaeCore
import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema
import DaeXML

/// Decodes lists of numbers, one after the other, such as those of `<float_array>` and `<p>`: straight into arrays.
struct NumberListReader<Number: DecodableNumber & Hashable> {
    private var decoder = NumberDecoder<Number>()
    private var places = TokenPlaces()
    /// Issues of the list that is open, as far as they are reported.
    private var issuesReported = 0
    /// Bytes of a piece of a list from which on the decoder is told how many numbers the list announces.
    private static var longText: Int { 1 << 15 }

    @inline(never)
    mutating func begin() {
        issuesReported = 0
        places.reset()
    }

    /// Decodes the next text of the list that is open, that of `view`.
    mutating func decode(
        _ bytes: UnsafeRawBufferPointer, at position: XMLPosition, of view: ElementView,
        _ context: inout ReadingContext
    ) {
        if bytes.count >= Self.longText, !decoder.isAnnounced {
            context.numbers.announce(view.announcedCount ?? 0, to: &decoder)
        }
        context.numbers.decode(bytes, by: &decoder)
        if decoder.issueCount > issuesReported { report(in: bytes, at: position, of: view, &context) }
        places.pass(bytes, at: position, settled: decoder.settled, isPlain: decoder.issueCount == 0)
    }

    /// Ends the list that is open.
    mutating func end(
        expectedCount: Int?, of view: ElementView, _ context: inout ReadingContext
    ) -> NumberArray<Number> {
        decoder.finish(expectedCount: expectedCount)
        if decoder.issueCount > issuesReported { report(in: nil, at: XMLPosition(), of: view, &context) }
        return context.numbers.end(&decoder)
    }

    /// Reports what was wrong with numbers since the last call; `text` is what the decoder had at hand, `nil` at the
    /// end of the list.
    private mutating func report(
        in text: UnsafeRawBufferPointer?, at start: XMLPosition, of view: ElementView, _ context: inout ReadingContext
    ) {
        let issues = decoder.issues
        for issue in issues.dropFirst(issuesReported) {
            let position =
                text.map { places.position(of: issue.offset, in: $0, at: start) } ?? places.position(of: issue.offset)
            var place = view.place
            (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
            context.add(issue, at: place)
        }
        let untold = decoder.issueCount - max(issuesReported, issues.count)
        if untold > 0, let last = issues.last {
            context.log.count(context.code(of: last), times: untold)
        }
        issuesReported = decoder.issueCount
    }
}

extension ElementView {
    /// How many numbers an element's list should have; `nil` where nothing says so.
    fileprivate var announcedCount: Int? {
        switch name {
        case .floatArray, .intArray: return integer(.count)
        case .vcount: return parent?.integer(.count)
        case .p, .v: return parent?.indexCount
        default: return nil  // element names: other numbers are few
        }
    }

    /// The indices that an element's attributes and the corners of its polygons ask for.
    private var indexCount: Int? {
        guard let count = integer(.count) else { return nil }
        var stride = 1
        var corners = 0
        for child in children {
            switch child.name {
            case .input: stride = max(stride, (child.integer(.offset) ?? 0) + 1)
            case .vcount: corners = child.integers.reduce(0) { $0 &+ Int(max(0, $1)) }
            default: continue  // element names: nothing else says how many indices there are
            }
        }
        switch name {
        case .triangles: corners = 3 * count
        case .lines: corners = 2 * count
        case .polylist, .vertexWeights: break
        default: return nil  // element names: nothing else announces its indices
        }
        let (indices, isTooMany) = corners.multipliedReportingOverflow(by: stride)
        return isTooMany ? nil : indices
    }
}

// The decoder reports a token only once it is whole, and of commas only at the end of the list. So that the line of
// such a token is right too, text that is not yet settled is kept with its places; all else is looked at only when
// something is wrong.

struct TokenPlaces {
    private struct Piece {
        /// From 0 in the whole list.
        let offset: Int
        let position: XMLPosition
    }

    /// What is kept.
    private var pieces: [Piece] = []
    /// The text of the pieces.
    private var bytes: [UInt8] = []
    private var length = 0

    /// Forgets everything, for the next list.
    mutating func reset() {
        length = 0
        forget()
    }

    /// The place of the token that begins at `offset`, found while the decoder had the text at hand.
    func position(of offset: Int, in text: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLPosition {
        guard offset >= length else { return self.position(of: offset) }
        return position.advanced(over: UnsafeRawBufferPointer(rebasing: text[..<min(text.count, offset - length)]))
    }

    /// The place of the token that begins at `offset`, found at the end of the list.
    func position(of offset: Int) -> XMLPosition {
        guard let first = pieces.first, let piece = pieces.last(where: { $0.offset <= offset }) else {
            return XMLPosition()
        }
        let start = piece.offset - first.offset
        let end = min(bytes.count, offset - first.offset)
        return bytes[start..<max(start, end)].withUnsafeBytes { piece.position.advanced(over: $0) }
    }

    /// Passes over text that the decoder got.
    ///
    /// - Parameters:
    ///   - settled: How far from 0 in the whole list there is nothing left to report about.
    ///   - isPlain: Whether nothing was wrong so far: then all that is settled is numbers, a character a byte.
    mutating func pass(_ text: UnsafeRawBufferPointer, at position: XMLPosition, settled: Int, isPlain: Bool) {
        if settled >= length { forget() }
        if settled < length + text.count {
            let done = isPlain ? max(0, settled - length) : 0
            let start = position.advanced(overPlain: UnsafeRawBufferPointer(rebasing: text[..<done]))
            pieces.append(Piece(offset: length + done, position: start))
            bytes.append(contentsOf: text[done...])
        }
        length += text.count
    }

    private mutating func forget() {
        guard !pieces.isEmpty else { return }
        pieces.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension XMLPosition {
    /// The place behind text of which every byte is a character: quicker than where each has to be looked at.
    fileprivate func advanced(overPlain text: UnsafeRawBufferPointer) -> XMLPosition {
        var position = self
        position.byte += Int64(text.count)
        guard var line = text.baseAddress else { return position }
        let end = line + text.count
        while let newline = memchr(line, Int32(UInt8(ascii: "\n")), end - line) {
            position.line += 1
            position.column = 1
            line = UnsafeRawPointer(newline) + 1
        }
        position.column += end - line
        return position
    }
}
