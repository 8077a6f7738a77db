package import DaeDiagnostics
package import DaeXML

/// Stands before a document's reader and holds what comes against the schema.
///
/// The reader hears of each start before it is checked, and of each end after: so at both the element is the one that it
/// has open. It is asked where that stands, and what it does with the text.
package final class SchemaReader: XMLEventHandler {
    private enum Mode {
        case beforeRoot
        case checking
        /// There is no schema for such a document.
        case passing
    }
    private struct State: ~Copyable {
        var checker: SchemaChecker
        var mode = Mode.beforeRoot
    }
    private let reader: any CheckedReader
    private let isLenient: Bool
    private let state: HandlerState<State>

    package init(before reader: any CheckedReader, lenient isLenient: Bool) {
        self.reader = reader
        self.isLenient = isLenient
        state = HandlerState(State(checker: SchemaChecker(lenient: isLenient, reader)))
    }

    package var takesAnyLineEnd: Bool { reader.takesAnyLineEnd }

    package func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        let flow = reader.startElement(name, attributes: attributes, at: position)
        switch state.value.mode {
        case .checking: state.value.checker.start(name, attributes, at: position)
        case .passing: break
        case .beforeRoot: begin(with: name, attributes, at: position)
        }
        return textWanted(after: flow)
    }

    /// Takes the root, by which it is known what there is to check.
    @inline(never)
    private func begin(with name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
        guard !reader.hasFailed else { return }
        guard let version = version(name.namespace) else {
            state.value.mode = .passing
            if !isLenient { reportNamespace(of: name, at: position) }
            return
        }
        state.value.checker.choose(version, namespace: name.namespace)
        state.value.mode = .checking
        state.value.checker.start(name, attributes, at: position)
    }

    package func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch state.value.mode {
        case .checking: state.value.checker.text(bytes.assumingMemoryBound(to: UInt8.self).span)
        case .beforeRoot, .passing: break
        }
        return reader.text(bytes, at: position)
    }

    package func endElement(at position: XMLPosition) -> XMLFlow {
        switch state.value.mode {
        case .checking: state.value.checker.end()
        case .beforeRoot, .passing: break
        }
        return textWanted(after: reader.endElement(at: position))
    }

    /// Which text is reported next: what the reader wants, and of the rest what is checked here.
    @inline(__always)
    private func textWanted(after flow: XMLFlow) -> XMLFlow {
        switch flow {
        case .proceed, .passIndents: return .proceed
        case .stop: return .stop
        case .passText: break
        }
        switch state.value.mode {
        case .checking: return state.value.checker.flow
        case .beforeRoot, .passing: return .passText
        }
    }

    /// Whose schema a document is held against, by the root's namespace; where that is none of the two and this is no
    /// matter of the letter, by the version that it says it has.
    private func version(_ namespace: String?) -> SchemaVersion? {
        if let known = SchemaVersion.allCases.first(where: { $0.namespace == namespace }) { return known }
        guard isLenient, let version = reader.documentVersion else { return nil }
        if version.hasPrefix("1.4") { return .collada14 }
        return version.hasPrefix("1.5") ? .collada15 : nil
    }

    private func reportNamespace(of name: XMLName, at position: XMLPosition) {
        let expected = SchemaVersion.allCases.map(\.namespace).joined(separator: " or ")
        let found = name.namespace ?? ""
        var place = Place(position)
        place.document = reader.documentNumber
        place.path = "/" + name.localName
        reader.report(.schemaUnexpectedElement, ofElementAt: position.byte, severity: .error) {
            Finding(
                .schemaUnexpectedElement, at: place,
                "the root is of the namespace \(found.quoted()); expected \(expected)",
                arguments: [.init("element", name.localName), .init("namespace", found)], severity: .error)
        }
    }
}

/// What a document's reader says to the check that stands before it, of the element that is open in both.
package protocol CheckedReader: XMLEventHandler {
    /// Which of several documents that are read into one it reads, from 0.
    var documentNumber: Int { get }
    /// What the root says; `nil` before it, and where it says nothing.
    var documentVersion: String? { get }
    /// Whether it has given the document up.
    var hasFailed: Bool { get }
    /// Bytes of one text that are looked at.
    var textLimit: Int { get }
    /// Whether it repairs what is usual but wrong, and reports that itself.
    var repairs: Bool { get }
    /// Whether rules are held against the document beside this check.
    var isExamined: Bool { get }
    /// What becomes of the text that comes now.
    var textUse: TextUse { get }
    /// Whether the techniques of a profile have a meaning to it.
    func understands(profile: String) -> Bool
    /// Where the element that begins there stands in the tree; `nil` where it is not kept.
    func place(ofElementAt position: XMLPosition) -> Place?
    /// Adds a finding about the element that begins at `byte`.
    func report(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity, _ finding: () -> Finding)
}

/// What a reader does with a text.
package enum TextUse {
    /// Nothing, or it is kept as it stands.
    case passed
    case read
    /// Its numbers are decoded, and each that is none is reported.
    case decoded
}
