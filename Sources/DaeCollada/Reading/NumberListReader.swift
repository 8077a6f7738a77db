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
