// Reads the markup that files are made of, and nothing else: what it does not know for certain to be well-formed is odd,
// and whoever runs it hands the document over to libxml2 there. So it needs no words for any fault.

struct PlainTokenizer: ~Copyable {
    /// How far a step came; where it stands, everything before is done with.
    enum Step {
        case next(Int)
        /// It depends on bytes that are not there yet.
        case more(Int)
        case odd(Int)
        /// By the handler.
        case stopped
    }
    enum Stage {
        case start, prolog, content, epilog
    }
    /// What becomes of text before the next tag.
    enum Telling {
        case told, passed
        /// All but what is a newline, and blanks or tabs behind it.
        case withoutIndents
    }
    /// Where lines begin, so that a place costs only what is asked for.
    struct Lines {
        var line = 1
        /// The byte of the document at which it begins.
        var start: Int64 = 0
        /// Bytes in it so far that begin no character.
        var continuations = 0
    }
    struct OpenElement {
        var local: Int
        /// -1 where there is none.
        var prefix: Int
        /// Namespaces it declares.
        var declared: Int
        var start: XMLPosition
        /// Where its start tag ends.
        var tagEnd: XMLPosition
    }
    struct Binding {
        /// -1 for the default.
        var prefix: Int
        var uri: Int
    }
    /// A comment or an instruction: a fault just behind it is told at its place.
    struct Passed {
        var start: XMLPosition
        var end: XMLPosition
    }

    static let most = 256
    /// Elements that are open at once.
    static let mostOpen = 4096
    /// Those that mean something to itself.
    static let ownNames: [StaticString] = ["xmlns", "xml"]

    let limits: XMLLimits
    let handler: any XMLEventHandler
    var stage = Stage.start
    var telling = Telling.told
    var lines = Lines()
    /// Of the document, at which the bytes being read begin.
    var origin: Int64 = 0
    var names: NameIndex
    let xmlns: Int
    let xml: Int
    /// Room for ``mostOpen``; those that follow have room for ``most``.
    let open: UnsafeMutablePointer<OpenElement>
    var depth = 0
    var tags = 0
    /// The name of the start tag before; that of the vocabulary's first, before there was any.
    var lastElement = 0
    let bindings: UnsafeMutablePointer<Binding>
    var bindingCount = 0
    let attributes: UnsafeMutablePointer<XMLAttributes.Entry>
    /// The element's, and behind it those of attributes with prefixes.
    let qualifiers: UnsafeMutablePointer<XMLName.Qualifier>
    let attributeNames: UnsafeMutablePointer<(local: Int, prefix: Int)>
    /// In the index, or -1.
    var defaultURI = -1
    var rootURI = -1
    var lastPassed: Passed?
    /// Values that are not as they are written, of the tag being read.
    var side: UnsafeMutablePointer<UInt8>
    var sideCapacity = 4096
    var sideCount = 0

    init(vocabulary: XMLVocabulary, limits: XMLLimits, handler: any XMLEventHandler) {
        self.limits = limits
        self.handler = handler
        var names = NameIndex(vocabulary)
        xmlns = Self.place(of: Self.ownNames[0], in: &names)
        xml = Self.place(of: Self.ownNames[1], in: &names)
        self.names = names
        open = .allocate(capacity: Self.mostOpen)
        bindings = .allocate(capacity: Self.most)
        attributes = .allocate(capacity: Self.most)
        qualifiers = .allocate(capacity: Self.most + 1)
        attributeNames = .allocate(capacity: Self.most)
        side = .allocate(capacity: sideCapacity)
    }

    deinit {
        open.deallocate()
        bindings.deallocate()
        attributes.deallocate()
        qualifiers.deallocate()
        attributeNames.deallocate()
        side.deallocate()
    }

    private static func place(of name: StaticString, in names: inout NameIndex) -> Int {
        switch names.find(name.utf8Start, name.utf8CodeUnitCount, readable: name.utf8CodeUnitCount) {
        case .found(let place): place
        case .absent, .crowded: names.insert(name.utf8Start, name.utf8CodeUnitCount)
        }
    }

    @inline(__always)
    func position(_ at: Int) -> XMLPosition {
        let byte = origin &+ Int64(truncatingIfNeeded: at)
        return XMLPosition(
            positiveLine: lines.line, column: Int(truncatingIfNeeded: byte &- lines.start) &- lines.continuations &+ 1,
            byte: byte)
    }

    mutating func passByteOrderMark() {
        origin += 3
        lines.start += 3
    }

    /// Passes white space, and marks of the byte order, in front of the declaration.
    mutating func pass(lead: UnsafeRawBufferPointer) {
        for (place, byte) in lead.enumerated() {
            switch byte {
            case 0x0A:
                lines.line += 1
                lines.start = origin + Int64(place) + 1
            case 0x80...: lines.start += 1
            default: break
            }
        }
        origin += Int64(lead.count)
    }

    /// Whether the document may end here.
    var isComplete: Bool {
        switch stage {
        case .start, .prolog, .content: false
        case .epilog: true
        }
    }

    /// Reads what begins at ``origin``, and moves that on to where it stopped.
    mutating func read(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Step {
        var at = 0
        var step = Step.next(0)
        reading: while at < count {
            if bytes[at] != UInt8(ascii: "<") {
                let newline = newlineOfIndent(bytes, at, count)
                let end = depth > 0 && bytes[newline] == 0x0A ? indentEnd(bytes, newline, count) : -1
                if end >= 0 {
                    guard readIndent(bytes, newline, end) else {
                        step = .stopped
                        break reading
                    }
                    at = end
                    continue
                }
                step = depth > 0 ? readText(bytes, at, count) : readBlank(bytes, at, count)
            } else if at + 1 == count {
                step = .more(at)
            } else {
                let before = lines
                switch bytes[at + 1] {
                case UInt8(ascii: "/"): step = readEnd(bytes, at, count)
                case UInt8(ascii: "!"): step = readSection(bytes, at, count)
                case UInt8(ascii: "?"): step = readInstruction(bytes, at, count)
                default: step = readStart(bytes, at, count)
                }
                switch step {
                case .next, .stopped: break
                case .more, .odd: lines = before
                }
            }
            switch step {
            case .next(let end): at = end
            case .more(let end), .odd(let end):
                at = end
                break reading
            case .stopped: break reading
            }
        }
        origin += Int64(at)
        return step
    }

    // MARK: - Events

    /// Text that begins at `from` and is as it is written.
    mutating func tell(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int, at position: XMLPosition) -> Bool {
        guard end > from else { return true }
        switch telling {
        case .told, .withoutIndents: break
        case .passed: return true
        }
        return Self.goesOn(handler.text(UnsafeRawBufferPointer(start: bytes + from, count: end - from), at: position))
    }

    private static func goesOn(_ flow: XMLFlow) -> Bool {
        switch flow {
        case .proceed, .passText, .passIndents: true
        case .stop: false
        }
    }

    /// Takes what a handler said to a tag; gives whether reading goes on.
    @inline(__always)
    mutating func settle(_ flow: XMLFlow) -> Bool {
        switch flow {
        case .proceed: telling = .told
        case .passText: telling = .passed
        case .passIndents: telling = .withoutIndents
        case .stop: return false
        }
        return true
    }
}
