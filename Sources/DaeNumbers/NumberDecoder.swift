import CTextScan

/// Reads numbers parted by white space from text that arrives in chunks.
///
/// Where the chunks are cut changes nothing: not the values, not the issues. Every token gives one value, whatever it
/// says, so later values keep their place (one for each part where commas are separators); a token that is not a plain number
/// gives an issue too. Reals are the nearest to what is written, the even one of two, bit for bit; the locale plays no part.
///
/// From the first comma on the text is held back until ``finish(expectedCount:)`` can say what commas mean in it.
///
/// - Complexity: O(text); memory grows with what was read, never with what was announced.
package struct NumberDecoder<Number: DecodableNumber>: Sendable {
    /// The numbers so far, in document order, without those that ``removeValues()`` took away. The last ones of a
    /// chunk may wait for the next chunk or the end.
    package private(set) var values: [Number] = []
    /// What was wrong, in document order; the first ones, up to the limit.
    package private(set) var issues: [NumberIssue] = []
    /// How many tokens were wrong, kept as issues or not.
    package private(set) var issueCount = 0

    /// Where the text begins, from 0, that may still give issues.
    package var settled: Int { offset }

    private let issueLimit: Int
    private var stage = Stage.reading
    /// What waits: the cut token at the end of the last chunk, or all that is held back.
    private var waiting: [UInt8] = []
    /// Where `waiting`, or if it is empty the next chunk, begins in the whole text.
    private var offset = 0
    private var removedCount = 0
    /// Numbers that were announced for the list.
    private var announced: Int?

    private enum Stage {
        case reading
        /// A comma was met: everything from its token on waits for the end.
        case holding
    }

    /// - Parameter issueLimit: The most issues that are kept; all are counted.
    package init(issueLimit: Int = 16) { self.issueLimit = issueLimit }

    /// Says before a long text how many numbers are announced in all, which spares copies of them.
    ///
    /// - Parameter count: May lie: memory grows with what is read.
    package mutating func announce(_ count: Int) { announced = count }

    /// Whether it was said how many there are of the numbers that come.
    package var isAnnounced: Bool { announced != nil }

    /// Values so far, those among them that were removed.
    package var count: Int { removedCount + values.count }

    /// Reads the next chunk, of any length.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) {
        reserve(forBytes: bytes.count)
        let bytes = bytes.assumingMemoryBound(to: UInt8.self).span
        var start = 0
        if stage == .reading, !waiting.isEmpty {
            let space = bytes.firstIndex(where: Byte.isSpace)
            if space < bytes.count {
                start = space + 1
                waiting.append(bytes, 0, start)
                readWaiting(commas: nil)
            }
        }
        if stage == .reading, waiting.isEmpty {
            let rest = bytes.extracting(start...)
            let end = read(rest, to: PaddedText.end(in: rest), commas: nil)
            offset += end
            start += end
        }
        waiting.append(bytes, start, bytes.count)
    }

    /// Makes room for the announced numbers as text comes: an array that grows by itself would be copied again and again.
    /// What is never written of it takes no memory.
    private mutating func reserve(forBytes byteCount: Int) {
        // So much text may hold as many numbers.
        guard let announced, announced > values.capacity, values.capacity - values.count <= byteCount / 2 else {
            return
        }
        let most = max(2 * values.capacity, byteCount < Self.longText ? byteCount : Self.mostKept)
        values.reserveCapacity(min(announced, most) + Self.spare)
    }

    /// Text from which on a list is long.
    private static var longText: Int { 1 << 12 }

    /// Numbers for which there is room behind the announced ones, so that the last of them are read as fast as the others.
    private static var spare: Int { 64 }

    /// Ends the text: settles a token that waits for its end, and what commas mean.
    ///
    /// - Parameter expectedCount: Values that the whole text should give, if it is known. Commas are decimal points
    ///   if the tokens are as many, separators if the parts between them are; else each such token is malformed.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    package mutating func finish(expectedCount: Int?) {
        if stage == .reading { readWaiting(commas: nil) }
        guard stage == .holding else { return }
        let before = removedCount + values.count
        let expected = expectedCount.map { $0 &- before }
        readWaiting(commas: CommaReading(of: waiting.span, expected: expected))
        stage = .reading
    }

    /// Gives the numbers away, in an array of about their size, and makes the decoder new, its issues gone too, for the
    /// next text.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    package mutating func takeValues() -> [Number] {
        if issueCount > 0 { (issues, issueCount) = ([], 0) }
        (stage, offset, removedCount, announced) = (.reading, 0, 0, nil)
        if waiting.capacity > Self.mostWaitingRoom {
            waiting = []
        } else if !waiting.isEmpty {
            waiting.removeAll(keepingCapacity: true)
        }
        guard values.capacity - values.count > values.count / 8 else {
            var taken: [Number] = []
            swap(&taken, &values)
            return taken
        }
        // A document would else keep up to twice the bytes of its arrays.
        var fitted: [Number] = []
        fitted.reserveCapacity(values.count)
        fitted.append(contentsOf: values)
        if values.capacity > Self.mostKept { values = [] } else { values.removeAll(keepingCapacity: true) }
        return fitted
    }

    /// Bytes of a cut token for which room is kept between two texts.
    private static var mostWaitingRoom: Int { 1 << 12 }

    /// Numbers for which room is kept between two texts.
    private static var mostKept: Int { 1 << 21 }

    /// Forgets the numbers so far but not the place in the text, for a reader that only looks at them as they pass.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    package mutating func removeValues() {
        guard !values.isEmpty else { return }
        removedCount += values.count
        values.removeAll(keepingCapacity: true)
    }
}

extension NumberDecoder {
    /// Reads all of `waiting`; if that meets a comma, what follows goes on waiting.
    private mutating func readWaiting(commas: CommaReading?) {
        let count = waiting.count
        guard count > 0 else { return }
        var text: [UInt8] = []
        swap(&text, &waiting)
        text.append(contentsOf: repeatElement(Byte.space, count: PaddedText.room))
        let end = read(text.span, to: PaddedText.end(in: text.span), commas: commas)
        let consumed = min(end, count)
        text.removeLast(PaddedText.room)
        if consumed == count { text.removeAll(keepingCapacity: true) } else { text.removeFirst(consumed) }
        swap(&text, &waiting)
        offset += consumed
    }

    private mutating func report(_ kind: NumberIssue.Kind, _ token: Span<UInt8>, at place: Int) {
        issueCount += 1
        guard issues.count < issueLimit else { return }
        let index = removedCount + values.count
        issues.append(NumberIssue(kind, offset: offset + place, index: index, token: token))
    }

    /// - Parameters:
    ///   - end: Of the padded text that the bytes are.
    ///   - commas: `nil` to stop at the first comma.
    /// - Returns: The end, or the place of the token with the comma.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    private mutating func read(_ bytes: Span<UInt8>, to end: Int, commas: CommaReading?) -> Int {
        if case .decimalPoint = commas { return readPoints(bytes, to: end) }
        var place = 0
        while true {
            place = NumberScanner.scan(bytes, from: place, to: end, into: &values)
            guard place < end else { return place }
            let token = bytes.extracting(place..<bytes.tokenEnd(from: place))
            if !token.hasNumericComma {
                take(token, at: place, point: Byte.point)
            } else {
                switch commas {
                case nil:
                    stage = .holding
                    return place
                // Points are read by themselves, above.
                case .decimalPoint, .unknown: takeMalformed(token, at: place)
                case .separator: takeParts(of: token, at: place)
                }
            }
            place += token.count
        }
    }

    /// Reads text whose commas are decimal points. In most such text each token has one; so once as many are reported as
    /// are kept, tokens are read with points in their place, many at a time.
    private mutating func readPoints(_ bytes: Span<UInt8>, to end: Int) -> Int {
        var place = 0
        while place < end, issues.count < issueLimit {
            place = NumberScanner.scan(bytes, from: place, to: end, into: &values)
            if place < end { place += takePointed(bytes, at: place) }
        }
        guard place < end else { return place }
        let pointed = Self.pointingCommas(bytes)
        while true {
            let start = place
            place = NumberScanner.scan(pointed.span, from: start, to: end, into: &values)
            for read in start..<place where bytes[read] == Byte.comma { issueCount += 1 }
            guard place < end else { return place }
            place += takePointed(bytes, at: place)
        }
    }

    /// A copy with a point for each comma that has a digit on either side.
    private static func pointingCommas(_ bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.append(bytes, 0, bytes.count)
        for place in copy.indices.dropFirst().dropLast()
        where copy[place] == Byte.comma && Byte.isDigit(copy[place - 1]) && Byte.isDigit(copy[place + 1]) {
            copy[place] = Byte.point
        }
        return copy
    }

    /// Takes one token of such text; gives its length.
    private mutating func takePointed(_ bytes: Span<UInt8>, at place: Int) -> Int {
        let token = bytes.extracting(place..<bytes.tokenEnd(from: place))
        if !token.hasNumericComma {
            take(token, at: place, point: Byte.point)
        } else if token.hasDecimalComma {
            take(token, at: place, point: Byte.comma)
        } else {
            takeMalformed(token, at: place)
        }
        return token.count
    }

    private mutating func takeMalformed(_ token: Span<UInt8>, at place: Int) {
        report(.malformed, token, at: place)
        values.append(Number.placeholder)
    }

    private mutating func take(_ token: Span<UInt8>, at place: Int, point: UInt8) {
        switch Number.reading(token, point: point) {
        case .plain(let value):
            values.append(value)
        case .unusual(let value, let kind):
            report(kind, token, at: place)
            values.append(value)
        case .unreadable(let kind):
            report(kind, token, at: place)
            values.append(Number.placeholder)
        }
    }

    private mutating func takeParts(of token: Span<UInt8>, at place: Int) {
        report(.commaSeparator, token, at: place)
        var start = token.firstIndex { $0 != Byte.comma }
        while start < token.count {
            let end = token.firstIndex(from: start) { $0 == Byte.comma }
            take(token.extracting(start..<end), at: place + start, point: Byte.point)
            start = token.firstIndex(from: end) { $0 != Byte.comma }
        }
    }
}

extension [UInt8] {
    /// Appends a stretch of bytes.
    fileprivate mutating func append(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
        bytes.extracting(start..<end).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

// Vector instructions read plain tokens twice as fast as words do. What they read is what the loop beside them reads, bit
// for bit, so nothing is lost where a machine has none.

/// How the loop goes through a long text.
enum ScanMethod: CaseIterable {
    /// By vector instructions as far as tokens are plain.
    case vectors
    /// Token by token, on every machine.
    case tokens

    /// The fastest one that this machine has.
    static let best: ScanMethod = dae_has_vectors() ? .vectors : .tokens

    /// Those that this machine has.
    static var available: [ScanMethod] { best == .vectors ? allCases : [.tokens] }
}

/// Text whose last byte is white space, so that every token ends inside it, with ``padding`` bytes of anything behind it, so
/// that eight bytes can be read wherever a token is.
enum PaddedText {
    static let padding = 8
    /// White space enough behind a text that all of it can be read, in bytes.
    static let room = padding + 1

    /// Where the longest such text ends that begins where `bytes` do; 0 where there is none.
    static func end(in bytes: Span<UInt8>) -> Int {
        var end = bytes.count - padding
        while end > 0, !Byte.isSpace(bytes[end - 1]) { end -= 1 }
        return max(end, 0)
    }
}

/// The loop over a list of numbers.
enum NumberScanner {
    private static let largestBlock = 4096
    private static let leastBlock = 64
    /// A list where so few tokens in a row are plain to vector instructions is read faster token by token.
    private static let leastRun = 16

    /// Appends the plain numbers of a padded text from `start` on.
    ///
    /// The array grows with the text that is there, by at most one element for two bytes, once nearly all of it is filled.
    ///
    /// - Parameter end: Of the text, ``PaddedText/end(in:)``.
    /// - Returns: The end, or the first byte of a token that is anything else.
    @inline(__always)
    static func scan<Number: DecodableNumber>(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, into values: inout [Number], by method: ScanMethod = .best
    ) -> Int {
        var place = start
        var isFull = true
        while isFull, place < end {
            let block = min((end - place + 1) / 2, largestBlock, max(values.capacity - values.count, leastBlock))
            values.append(addingCapacity: block) { output in
                fill(&output, bytes, &place, end, method)
                isFull = output.isFull
            }
        }
        return place
    }

    private static func fill<Number: DecodableNumber>(
        _ output: inout OutputSpan<Number>, _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, _ method: ScanMethod
    ) {
        var method = method
        while !output.isFull {
            // Of 64 bytes at most half begin numbers.
            if method == .vectors, output.freeCapacity >= min(64, end - place + 1) / 2 {
                let before = output.count
                Number.scanVectors(bytes, &place, end, into: &output)
                if output.count - before < leastRun { method = .tokens }
                guard !output.isFull else { return }
            }
            while place < end, Byte.isSpace(bytes[place]) { place += 1 }
            guard place < end, let (value, after) = Number.plain(bytes, at: place) else { return }
            output.append(value)
            place = after
        }
    }
}

extension Double {
    /// Reads numbers by vector instructions, up to a token that is not plain to them.
    package static func scanVectors(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, into output: inout OutputSpan<Double>
    ) {
        output.scan(bytes, &place, end, dae_scan_reals)
    }
}

extension Int32 {
    package static func scanVectors(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, into output: inout OutputSpan<Int32>
    ) {
        output.scan(bytes, &place, end, dae_scan_integers)
    }
}

/// A function of CTextScan that reads numbers: from where on text can be read, the place, the end, the numbers, how many fit.
private typealias VectorScan<Number> = (
    UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<CChar>?,
    UnsafeMutablePointer<Number>?, Int
) -> Int

extension OutputSpan {
    @inline(__always)
    fileprivate mutating func scan(
        _ bytes: Span<UInt8>, _ place: inout Int, _ end: Int, _ read: VectorScan<Element>
    ) {
        bytes.withText { text in
            var reached: UnsafePointer<CChar>? = text + place
            withUnsafeMutableBufferPointer { room, count in
                count += read(text, &reached, text + end, room.baseAddress.map { $0 + count }, room.count - count)
            }
            place = reached.map { $0 - text } ?? place
        }
    }
}

extension Span where Element == UInt8 {
    /// As C has texts.
    @inline(__always)
    func withText(_ body: (UnsafePointer<CChar>) -> Void) {
        bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { body(start.assumingMemoryBound(to: CChar.self)) }
        }
    }
}
