// Exporters write the same within some elements over and over, such as the params of accessors. Where the markup of such
// a content, its element's end tag with it, is that of one before byte by byte, its handler does again what it did then,
// and nothing of it is read.

import CTextScan

/// Contents of one document that came before, as they stand in the markup.
struct RepeatedContents: ~Copyable {
    struct Content: BitwiseCopyable {
        /// All that what is within depends on, beside the markup.
        let scope: Scope
        let bytes: UnsafeMutablePointer<UInt8>
        let count: Int
        let newlines: Int
        /// From 0 in the bytes, as is the end tag; -1 where there is none.
        let lastNewline: Int
        let endTag: Int
        /// Start and end tags in it.
        let tags: Int
        /// Of its last start tag.
        let lastElement: Int
        let lastForm: Int
    }
    /// Where an element is.
    struct Scope: Equatable, BitwiseCopyable {
        /// In the index of names.
        let element: Int
        /// How many elements are open, itself among them.
        let depth: Int
        let bindings: Int
        let defaultURI: Int
    }
    /// An element that is open and whose content may come again.
    struct Candidate {
        let scope: Scope
        /// Where its content begins.
        let start: XMLPosition
        /// How often there was something else than tags of known names and indentation.
        let detours: Int
        let tags: Int
        /// What its handler had to remark so far.
        let remarks: Int
    }

    /// Of all elements, and of one.
    private static let most = 32
    private static let mostAlike = 16
    static let mostBytes = 1024

    // With memory of their own: an array is counted for each look at it.
    private let contents = UnsafeMutablePointer<Content>.allocate(capacity: Self.most)
    private(set) var count = 0
    /// The innermost one; `nil` where none of those that are open can become one.
    private(set) var candidate: Candidate?
    /// How many elements are open around it; -1 without.
    private(set) var candidateDepth = -1

    deinit {
        for number in 0..<count { contents[number].bytes.deallocate() }
        contents.deallocate()
    }

    /// How often a handler would not repeat one.
    private var refusals = 0
    private static let mostRefusals = 64

    mutating func noteRefusal() { refusals += 1 }

    /// One that ``find(_:_:readable:)`` gave.
    subscript(number: Int) -> Content { contents[number] }

    /// The content that begins with the bytes, of which so many can be read.
    func find(_ scope: Scope, _ bytes: UnsafePointer<UInt8>, readable: Int) -> Int? {
        for number in 0..<count where contents[number].scope == scope {
            let length = contents[number].count
            guard Self.whole(length) <= readable, dae_are_same(bytes, contents[number].bytes, length) != 0 else {
                continue
            }
            return number
        }
        return nil
    }

    func hasRoom(for element: Int) -> Bool {
        refusals < Self.mostRefusals && count < Self.most
            && (0..<count).count { contents[$0].scope.element == element } < Self.mostAlike
    }

    mutating func begin(_ candidate: Candidate) {
        self.candidate = candidate
        candidateDepth = candidate.scope.depth - 1
    }

    mutating func takeCandidate() -> Candidate? {
        candidateDepth = -1
        return candidate.take()
    }

    /// Adds one that there is room for, as ``hasRoom(for:)`` said when its element began.
    ///
    /// - Parameter text: From behind the start tag to the end of the end tag, which has no newline in it.
    mutating func add(
        _ scope: Scope, _ text: UnsafeBufferPointer<UInt8>, tags: Int, lastElement: Int, lastForm: Int
    ) {
        precondition(count < Self.most, "a content is added that there is no room for")
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.whole(text.count))
        bytes.initialize(repeating: 0, count: Self.whole(text.count))
        _ = UnsafeMutableBufferPointer(start: bytes, count: text.count).update(from: text)
        (contents + count).initialize(
            to: Content(
                scope: scope, bytes: bytes, count: text.count, newlines: text.count { $0 == 0x0A },
                lastNewline: text.lastIndex(of: 0x0A) ?? -1, endTag: text.lastIndex(of: UInt8(ascii: "<")) ?? 0,
                tags: tags, lastElement: lastElement, lastForm: lastForm))
        count += 1
    }

    /// In groups of 16 bytes.
    private static func whole(_ count: Int) -> Int { (count + 15) & ~15 }
}

extension PlainTokenizer {
    /// Has the content of the element repeated that was just opened, where it is one that came before; gives where to go
    /// on reading.
    @inline(never)
    mutating func readRepeated(_ element: Int, _ bytes: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Outcome {
        let scope = RepeatedContents.Scope(
            element: element, depth: depth, bindings: bindingCount, defaultURI: defaultURI)
        let start = position(from)
        if let number = contents.find(scope, bytes + from, readable: count - from) {
            let content = contents[number]
            let before = lines
            if content.newlines > 0 {
                lines.line &+= content.newlines
                lines.start = origin &+ Int64(truncatingIfNeeded: from &+ content.lastNewline &+ 1)
                lines.continuations = 0
            }
            if let flow = handler.repeatContent(number, from: start, to: position(from &+ content.endTag)) {
                depth &-= 1
                tags &+= content.tags
                lastElement = content.lastElement
                forms.resume(behind: content.lastForm)
                return settle(flow) ? .end(from &+ content.count) : .stopped
            }
            lines = before
        } else if contents.hasRoom(for: element) {
            contents.begin(
                .init(scope: scope, start: start, detours: detours, tags: tags, remarks: handler.remarks))
        }
        return .end(from)
    }

    /// Remembers the content of the element that was just closed, where its handler can repeat it.
    ///
    /// - Parameter end: Of its end tag.
    @inline(never)
    mutating func learnContent(_ bytes: UnsafePointer<UInt8>, _ end: Int) {
        guard let candidate = contents.takeCandidate(), candidate.detours == detours,
            candidate.start.byte >= origin, candidate.remarks == handler.remarks
        else { return }
        let from = Int(candidate.start.byte - origin)
        guard from < end, end - from <= RepeatedContents.mostBytes else { return }
        guard handler.remember(content: contents.count, from: candidate.start) else { return contents.noteRefusal() }
        contents.add(
            candidate.scope, UnsafeBufferPointer(start: bytes + from, count: end - from), tags: tags - candidate.tags,
            lastElement: lastElement, lastForm: forms.current)
    }
}
