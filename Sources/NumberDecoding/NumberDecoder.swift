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

/// What the commas of a list mean. One comma alone cannot tell: `1,5` is one number or two.
private enum CommaReading {
    case decimalPoint
    case separator
    /// Neither fits what was announced, or nothing was.
    case unknown

    /// Decides for a whole list.
    ///
    /// - Parameters:
    ///   - text: From the first token with a comma to the end.
    ///   - expected: Values that `text` should give; `nil` when nobody knows.
    init(of text: Span<UInt8>, expected: Int?) {
        var tokens = 0
        var parts = 0
        var canAllBePoints = true
        var place = text.firstIndex { !Byte.isSpace($0) }
        while place < text.count {
            let end = text.tokenEnd(from: place)
            let token = text.extracting(place..<end)
            tokens += 1
            if token.hasNumericComma {
                parts += token.commaParts
                canAllBePoints = canAllBePoints && token.hasDecimalComma
            } else {
                parts += 1
            }
            place = text.firstIndex(from: end) { !Byte.isSpace($0) }
        }
        if tokens == expected, canAllBePoints {
            self = .decimalPoint
        } else if parts == expected {
            self = .separator
        } else if tokens == expected {
            self = .decimalPoint
        } else {
            self = .unknown
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether the token has a comma that could part or point numbers (not the one of `1,#INF`).
    fileprivate var hasNumericComma: Bool {
        guard firstIndex(where: { $0 == Byte.comma }) < count else { return false }
        return firstIndex(where: { $0 == UInt8(ascii: "#") }) == count || NonFiniteSpelling(self) == nil
    }

    /// How many parts the commas leave; two commas side by side leave none between them.
    fileprivate var commaParts: Int {
        var parts = 0
        var previous = Byte.comma
        for place in indices {
            if previous == Byte.comma, self[place] != Byte.comma { parts += 1 }
            previous = self[place]
        }
        return parts
    }

    /// Whether the token has one comma, with a digit on either side.
    fileprivate var hasDecimalComma: Bool {
        let comma = firstIndex { $0 == Byte.comma }
        return comma > 0 && comma + 1 < count && Byte.isDigit(self[comma - 1]) && Byte.isDigit(self[comma + 1])
            && firstIndex(from: comma + 1) { $0 == Byte.comma } == count
    }
}
