/// Reports the events of a document to its handler, but for the text that this has no use for.
struct EventReporter {
    /// Which text is reported before the next tag.
    private enum TextMode {
        case all, none
        /// All but what is a newline, and blanks or tabs behind it.
        case withoutIndentation
    }

    private let handler: any XMLEventHandler
    private var textMode = TextMode.all

    init(_ handler: any XMLEventHandler) { self.handler = handler }

    /// Whether the handler takes lines' ends as they are written.
    var takesAnyLineEnd: Bool { handler.takesAnyLineEnd }

    /// Whether the indentation of the next tag is not reported.
    @inline(__always)
    var skipsIndentation: Bool {
        switch textMode {
        case .none, .withoutIndentation: true
        case .all: false
        }
    }

    // Each says whether reading goes on.

    @inline(__always)
    mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) -> Bool {
        goOn(handler.startElement(name, attributes: attributes, at: position))
    }

    @inline(__always)
    mutating func endElement(at position: XMLPosition) -> Bool { goOn(handler.endElement(at: position)) }

    private mutating func goOn(_ flow: XMLFlow) -> Bool {
        switch flow {
        case .proceed: textMode = .all
        case .passText: textMode = .none
        case .passIndents: textMode = .withoutIndentation
        case .stop: return false
        }
        return true
    }

    /// Text that is as it is written.
    func text(_ bytes: Span<UInt8>, _ from: Int, _ end: Int, at position: XMLPosition) -> Bool {
        guard end > from else { return true }
        return text(bytes.text(from, end), at: position)
    }

    /// A character that is written otherwise.
    func text(_ character: Unicode.Scalar, at position: XMLPosition) -> Bool {
        String(character).utf8.withContiguousStorageIfAvailable { text(UnsafeRawBufferPointer($0), at: position) }
            ?? true
    }

    private func text(_ text: UnsafeRawBufferPointer, at position: XMLPosition) -> Bool {
        switch textMode {
        case .none: return true
        case .all, .withoutIndentation: break
        }
        switch handler.text(text, at: position) {
        case .proceed, .passText, .passIndents: return true
        case .stop: return false
        }
    }
}
