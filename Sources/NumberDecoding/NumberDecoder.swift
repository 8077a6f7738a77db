/// Reads numbers parted by white space from text that arrives in chunks.
///
/// Where the chunks are cut changes nothing: not the values, not the issues. Every token gives one value, whatever it
/// says, so later values keep their place (one for each part where commas are separators); a token that is odd gives an
/// issue too. Reals are the nearest to what is written, the even one of two, bit for bit; the locale plays no part.
///
/// From the first comma on the text is held back until ``finish(expectedCount:)`` can say what commas mean in it.
///
/// - Complexity: O(text); memory grows with what was read, never with what was announced.
public struct NumberDecoder<Number: DecodableNumber>: Sendable {
    /// The numbers so far, in document order, without those that ``removeValues()`` took away. The last ones of a
    /// chunk may wait for the next chunk or the end.
    public var values: [Number] { room.values }
    /// What was odd, in document order; the first ones, up to the limit.
    public private(set) var issues: [NumberIssue] = []
    /// How many tokens were odd, kept as issues or not.
    public private(set) var issueCount = 0
    /// What ``takeValues()`` gives long arrays in.
    public var giving: Giving {
        get { room.giving }
        set { room.giving = newValue }
    }

    /// Through which pages are asked for; `nil` for a decoder beside which nothing else is kept.
    public var heap: HeapAhead? {
        get { room.heap }
        set { room.heap = newValue }
    }

    /// What an array is given in.
    public enum Giving: Sendable {
        /// Room of just its size, for one that is kept.
        case fitted
        /// The room it was read in, for one that is soon forgotten; what was never written of it takes no memory.
        case asRead
    }

    /// Where the text begins, from 0, that may still give issues.
    public var settled: Int { offset }

    private let issueLimit: Int
    private var stage = Stage.reading
    /// What waits: the cut token at the end of the last chunk, or all that is held back.
    private var waiting: [UInt8] = []
    /// Where `waiting`, or if it is empty the next chunk, begins in the whole text.
    private var offset = 0
    private var removedCount = 0
    private var keeping = Keeping.all
    private var room = NumberRoom<Number>()

    private enum Keeping {
        case all
        /// Values are looked at, and forgotten where that is faster.
        case none
    }

    private enum Stage {
        case reading
        /// A comma was met: everything from its token on waits for the end.
        case holding
    }

    /// - Parameter issueLimit: The most issues that are kept; all are counted.
    public init(issueLimit: Int = 16) { self.issueLimit = issueLimit }

    /// Says before a long text how many numbers are announced in all, which spares a copy of many of them.
    ///
    /// - Parameter count: May lie: memory grows with what is read.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func announce(_ count: Int) { room.announce(count) }

    /// Whether it was said how many there are of the numbers that come.
    public var isAnnounced: Bool { room.announced != nil }

    /// Reads the next chunk, of any length.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func decode(_ bytes: UnsafeRawBufferPointer) {
        room.prepare(forBytes: bytes.count)
        var rest = bytes
        if stage == .reading, !waiting.isEmpty, let space = rest.firstIndex(where: Byte.isSpace) {
            waiting.append(contentsOf: rest[...space])
            rest = UnsafeRawBufferPointer(rebasing: rest[(space + 1)...])
            readWaiting(commas: nil)
        }
        if stage == .reading, waiting.isEmpty, let text = PaddedText(longestIn: rest) {
            let end = Number.format.read(&self, text, nil)
            offset += end
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
        }
        waiting.append(contentsOf: rest)
    }

    /// Reads the next chunk for what is odd in it and for how many values there are; they are not kept.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func pass(_ bytes: UnsafeRawBufferPointer) {
        keeping = .none
        decode(bytes)
        keeping = .all
        removeValues()
    }

    /// Values so far, those among them that were not kept.
    public var count: Int { removedCount + values.count }

    /// Ends the text: settles a token that waits for its end, and what commas mean.
    ///
    /// - Parameter expectedCount: Values that the whole text should give, if it is known. Commas are decimal points
    ///   if the tokens are as many, separators if the parts between them are; else each such token is malformed.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func finish(expectedCount: Int?) {
        if stage == .reading { readWaiting(commas: nil) }
        guard stage == .holding else { return }
        let before = removedCount + values.count
        let expected = expectedCount.map { $0 &- before }
        readWaiting(commas: waiting.withUnsafeBytes { CommaReading(of: $0, expected: expected) })
        stage = .reading
    }

    /// Gives the numbers away, and makes the decoder new, its issues gone too, for the next text.
    ///
    /// They come in an array of about their size, but for long ones of a decoder that is told to give them as read.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func takeValues() -> [Number] {
        if issueCount > 0 { (issues, issueCount) = ([], 0) }
        (stage, offset, removedCount) = (.reading, 0, 0)
        if waiting.capacity > Self.mostWaitingRoom {
            waiting = []
        } else if !waiting.isEmpty {
            waiting.removeAll(keepingCapacity: true)
        }
        return room.take()
    }

    /// Bytes of a cut token for which room is kept between two texts.
    private static var mostWaitingRoom: Int { 1 << 12 }

    /// Forgets the numbers so far but not the place in the text, for a reader that only looks at them as they pass.
    @specialized(where Number == Double)
    @specialized(where Number == Int32)
    public mutating func removeValues() {
        guard !room.values.isEmpty else { return }
        removedCount += room.values.count
        room.values.removeAll(keepingCapacity: true)
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
            return PaddedText(longestIn: UnsafeRawBufferPointer(room)).map { Number.format.read(&self, $0, commas) }
                ?? 0
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
}

// Reached through ``NumberFormat`` only.
extension NumberDecoder where Number: ReadableNumber {
    /// - Parameter commas: `nil` to stop at the first comma.
    /// - Returns: The end, or the place of the token with the comma.
    mutating func read(_ text: PaddedText, commas: CommaReading?) -> Int {
        if case .decimalPoint = commas { return readPoints(text) }
        var place = 0
        while true {
            place = counted(text, from: place) ?? Number.scan(text, from: place, into: &room.values)
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
            place = Number.scan(text, from: place, into: &room.values)
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
                place = Number.scan(pointed, from: start, into: &room.values)
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
        room.values.append(Number.placeholder)
    }

    /// Counts what is plain, where it is not kept; gives the place of the token behind, or the end. `nil` where that is
    /// worth nothing.
    private mutating func counted(_ text: PaddedText, from start: Int) -> Int? {
        switch keeping {
        case .all: return nil
        case .none: break
        }
        var place = text.base + start
        let end = text.base + text.count
        let count = Number.count(from: &place, to: end)
        guard count >= Self.leastCounted else {
            removedCount += count
            return Number.scan(text, from: place - text.base, into: &room.values)
        }
        removedCount += count
        return skipSpace(from: place, to: end) - text.base
    }

    /// Where so few plain tokens are in a row, counting gains nothing.
    private static var leastCounted: Int { 64 }

    private mutating func take(_ token: UnsafeRawBufferPointer, at place: Int, point: UInt8) {
        switch Number.reading(token, point: point) {
        case .plain(let value):
            room.values.append(value)
        case .odd(let value, let kind):
            report(kind, token, at: place)
            room.values.append(value)
        case .unreadable(let kind):
            report(kind, token, at: place)
            room.values.append(Number.placeholder)
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
