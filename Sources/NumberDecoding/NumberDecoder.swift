/// Reads numbers parted by white space from text that arrives in chunks.
///
/// Where the chunks are cut changes nothing: not the values, not the issues. Every token gives one value, whatever it
/// says, so later values keep their place (one for each part where commas are separators); a token that is odd gives an
/// issue too. Reals are the nearest to what is written, the even one of two, bit for bit; the locale plays no part.
///
/// From the first comma on the text is held back until ``finish(expectedCount:)`` can say what commas mean in it.
///
/// - Complexity: O(text); memory grows with what was read, never with what was announced.
package struct NumberDecoder<Number: DecodableNumber>: Sendable {
    /// The numbers so far, in document order, without those that ``removeValues()`` took away. The last ones of a
    /// chunk may wait for the next chunk or the end.
    package private(set) var values: [Number] = []
    /// What was odd, in document order; the first ones, up to the limit.
    package private(set) var issues: [NumberIssue] = []
    /// How many tokens were odd, kept as issues or not.
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
        var rest = bytes
        if stage == .reading, !waiting.isEmpty, let space = rest.firstIndex(where: Byte.isSpace) {
            waiting.append(contentsOf: rest[...space])
            rest = UnsafeRawBufferPointer(rebasing: rest[(space + 1)...])
            readWaiting(commas: nil)
        }
        if stage == .reading, waiting.isEmpty, let text = PaddedText(longestIn: rest) {
            let end = read(text, commas: nil)
            offset += end
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
        }
        waiting.append(contentsOf: rest)
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
        readWaiting(commas: waiting.withUnsafeBytes { CommaReading(of: $0, expected: expected) })
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
        // Mostly one or two tokens, for which there is room on the stack.
        let end = withUnsafeTemporaryAllocation(byteCount: count + PaddedText.room, alignment: 1) { room in
            waiting.withUnsafeBytes { room.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).initializeMemory(
                as: UInt8.self, repeating: Byte.space)
            return PaddedText(longestIn: UnsafeRawBufferPointer(room)).map { read($0, commas: commas) } ?? 0
        }
        let consumed = min(end, count)
        if consumed == count {
            waiting.removeAll(keepingCapacity: true)
        } else {
            waiting.removeFirst(consumed)
        }
        offset += consumed
    }

    private mutating func report(_ kind: NumberIssue.Kind, _ token: UnsafeRawBufferPointer, at place: Int) {
        issueCount += 1
        guard issues.count < issueLimit else { return }
        let index = removedCount + values.count
        issues.append(NumberIssue(kind, offset: offset + place, index: index, token: token))
    }

    /// - Parameter commas: `nil` to stop at the first comma.
    /// - Returns: The end, or the place of the token with the comma.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    private mutating func read(_ text: PaddedText, commas: CommaReading?) -> Int {
        if case .decimalPoint = commas { return readPoints(text) }
        var place = 0
        while true {
            place = Number.scan(text, from: place, into: &values)
            guard place < text.count else { return place }
            let token = text.bytes.token(at: place)
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

    /// Reads text whose commas are decimal points. In most such text each token has one; so once as many are told as are
    /// kept, tokens are read with points in their place, many at a time.
    private mutating func readPoints(_ text: PaddedText) -> Int {
        var place = 0
        while place < text.count, issues.count < issueLimit {
            place = Number.scan(text, from: place, into: &values)
            if place < text.count { place += takePointed(text, at: place) }
        }
        guard place < text.count else { return place }
        return withUnsafeTemporaryAllocation(byteCount: text.count + PaddedText.padding, alignment: 1) { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(start: text.base, count: copy.count))
            copy.pointCommas()
            guard let base = copy.baseAddress else { return place }
            let pointed = PaddedText(base: UnsafeRawPointer(base), count: text.count)
            while true {
                let start = place
                place = Number.scan(pointed, from: start, into: &values)
                issueCount += text.bytes[start..<place].count { $0 == Byte.comma }
                guard place < text.count else { return place }
                place += takePointed(text, at: place)
            }
        }
    }

    /// Takes one token of such text; gives its length.
    private mutating func takePointed(_ text: PaddedText, at place: Int) -> Int {
        let token = text.bytes.token(at: place)
        if !token.hasNumericComma {
            take(token, at: place, point: Byte.point)
        } else if token.hasDecimalComma {
            take(token, at: place, point: Byte.comma)
        } else {
            takeMalformed(token, at: place)
        }
        return token.count
    }

    private mutating func takeMalformed(_ token: UnsafeRawBufferPointer, at place: Int) {
        report(.malformed, token, at: place)
        values.append(Number.placeholder)
    }

    private mutating func take(_ token: UnsafeRawBufferPointer, at place: Int, point: UInt8) {
        switch Number.reading(token, point: point) {
        case .plain(let value):
            values.append(value)
        case .odd(let value, let kind):
            report(kind, token, at: place)
            values.append(value)
        case .unreadable(let kind):
            report(kind, token, at: place)
            values.append(Number.placeholder)
        }
    }

    private mutating func takeParts(of token: UnsafeRawBufferPointer, at place: Int) {
        report(.commaSeparator, token, at: place)
        for part in token.split(separator: Byte.comma) {
            take(UnsafeRawBufferPointer(rebasing: part), at: place + part.startIndex, point: Byte.point)
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Puts a point for each comma that has a digit on either side.
    fileprivate func pointCommas() {
        guard count > 2 else { return }
        for place in 1..<count - 1
        where self[place] == Byte.comma && Byte.isDigit(self[place - 1]) && Byte.isDigit(self[place + 1]) {
            self[place] = Byte.point
        }
    }
}
