// The text of elements, most of which is lists of numbers such as those of <float_array> and <p>: straight into arrays.

import ColladaSchema
import Diagnostics
import NumberDecoding
import XMLReader

extension DocumentReader {
    @inline(never)
    mutating func beginNumbers(_ kind: Text, of record: Int) {
        (text, textRecord) = (kind, record)
        issuesReported = 0
        places.reset()
    }

    /// Says how many numbers a long list is to have.
    mutating func announceNumbers() {
        let view = ElementView(fragment: fragment, index: textRecord)
        switch text {
        case .reals: if !reals.isAnnounced { numbers.announce(announcedCount(of: view) ?? 0, to: &reals) }
        case .integers: if !integers.isAnnounced { numbers.announce(announcedCount(of: view) ?? 0, to: &integers) }
        case .none, .plain, .hex: break
        }
    }

    /// Decodes the next text of the list of numbers that is open.
    mutating func decode(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) {
        switch text {
        case .none, .plain, .hex: break
        case .reals:
            numbers.decode(bytes, by: &reals)
            if reals.issueCount > issuesReported { report(reals.issues, of: reals.issueCount, in: bytes, at: position) }
            places.pass(bytes, at: position, settled: reals.settled, isPlain: reals.issueCount == 0)
        case .integers:
            numbers.decode(bytes, by: &integers)
            if integers.issueCount > issuesReported {
                report(integers.issues, of: integers.issueCount, in: bytes, at: position)
            }
            places.pass(bytes, at: position, settled: integers.settled, isPlain: integers.issueCount == 0)
        }
    }

    mutating func finishText() {
        let record = textRecord
        switch text {
        case .none: return
        case .plain: fragment.pointee.endText()
        case .reals:
            let view = ElementView(fragment: fragment, index: record)
            let count = integer(view, .count)
            reals.finish(expectedCount: repairs ? count : nil)
            if reals.issueCount > issuesReported { report(reals.issues, of: reals.issueCount, in: nil) }
            let values = numbers.end(&reals)
            compare(values.count, with: count, of: view)
            fragment.pointee.setReals(of: record, values)
        case .integers:
            integers.finish(expectedCount: nil)
            if integers.issueCount > issuesReported { report(integers.issues, of: integers.issueCount, in: nil) }
            fragment.pointee.setIntegers(of: record, numbers.end(&integers))
        case .hex:
            report(hex, of: ElementView(fragment: fragment, index: record))
            fragment.pointee.setHex(of: record, hex)
            hex = HexDecoder(limit: 0)
        }
        text = .none
    }

    /// Holds how many numbers a list has against how many it says.
    private mutating func compare(_ found: Int, with count: Int?, of view: ElementView) {
        guard let count, count != found else { return }
        if count > found, view.isMeshArray {
            // What is missing is reported once it is known whether it is needed.
            hasShortArrays = true
        } else {
            reportCount(count, of: view, found: found)
        }
    }

    /// Reports what was wrong with numbers since the last call; `text` is what the decoder had at hand, `nil` at the
    /// end of the list.
    private mutating func report(
        _ issues: [NumberIssue], of count: Int, in text: UnsafeRawBufferPointer?, at start: XMLPosition = XMLPosition()
    ) {
        for issue in issues.dropFirst(issuesReported) {
            let position =
                text.map { places.position(of: issue.offset, in: $0, at: start) } ?? places.position(of: issue.offset)
            let place = place(position)
            add(issue, at: place)
        }
        let untold = count - max(issuesReported, issues.count)
        if untold > 0, let last = issues.last {
            log.count(code(of: last), times: untold)
        }
        issuesReported = count
    }

    /// Of a position in the numbers that are being read.
    private mutating func place(_ position: XMLPosition) -> Place {
        var place = ElementView(fragment: fragment, index: textRecord).place
        (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
        return place
    }
}
