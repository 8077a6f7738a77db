import DaeDiagnostics
import DaeXML

/// Holds one document against its schema, element by element as they come.
///
/// Of each open element it keeps a few words, as deep as the reader allows. Of a text that is a list it keeps only the item
/// that the end of a piece cuts; any other it keeps whole until its element ends. A strict check also keeps each id.
struct SchemaChecker: ~Copyable {
    struct Open: BitwiseCopyable {
        let declaration: Int32
        let type: Int32
        /// In the tables.
        let name: Int32
        var state: Int32
        /// Which of the first 64 children were seen.
        var seen: UInt64 = 0
        var text: Text
        /// Into ``labels``: where its id begins, or what it is called if the schema does not have its name.
        let label: Int
        /// Its document is set only where somebody asks, by ``position(of:)``.
        let position: XMLPosition
    }
    /// What is done with the text directly within an element.
    enum Text: BitwiseCopyable {
        case passed
        /// It may be white space only; or not even that.
        case blank
        case none
        case gathered
        /// A list of numbers, of which nothing is wrong so far.
        case counted
        case listed
    }

    let isLenient: Bool
    let reader: any CheckedReader
    /// Set once, before the root.
    private(set) var tables = SchemaTables.empty
    private(set) var states = SchemaStates(SchemaTables.empty.models, lenient: true)
    /// Of the root.
    private var namespace: String?
    var open: [Open] = []
    /// Elements that are open within one that has no place in the schema; it counts too.
    private var unknownDepth = 0
    /// The ids of the open elements, one behind the other.
    var labels: [UInt8] = []
    /// What was passed over in elements that are still open, by their depth.
    var owed: [(depth: Int, child: MissingChild)] = [] { didSet { owedDepth = owed.last?.depth ?? -1 } }
    /// Of the last of them; -1 without.
    private var owedDepth = -1
    /// The text of the innermost open element, where it is ``Text/gathered``: such an element has no others within. Where
    /// it is ``Text/counted``, its unfinished last item.
    private var value: [UInt8] = []
    private var numbers = NumberListScan()
    private var list: ListCheck?
    /// Whether the element that is ``Text/listed`` has any text.
    private var hasText = false
    /// Where each id was first.
    var ids: [String: XMLPosition] = [:]
    /// Profiles of techniques that were reported.
    var profiles: Set<String> = []
    var detours = Detours()
    /// Which children may stand beside each, by type.
    var companions: [Int: [Int: UInt64]] = [:]

    var models: ContentModels { tables.models }

    init(lenient isLenient: Bool, _ reader: any CheckedReader) {
        self.isLenient = isLenient
        self.reader = reader
    }

    /// The place of the innermost open element; `nil` where there is none.
    @inline(__always)
    var innermost: Int? { open.isEmpty ? nil : open.count &- 1 }

    /// Says whose schema the document is held against, before its root.
    mutating func choose(_ version: SchemaVersion, namespace: String?) {
        tables = .tables(for: version, lenient: isLenient)
        states = SchemaStates(tables.models, lenient: isLenient)
        self.namespace = namespace
    }

    // MARK: - Events

    @inline(__always)
    mutating func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
        guard unknownDepth == 0 else {
            unknownDepth += 1
            return
        }
        let known = name.number.map(tables.name) ?? self.name(of: name)
        let child = child(known, name, at: position)
        guard child.declaration >= 0 else {
            unknownDepth = 1
            return
        }
        let row = tables.types[Int(child.type)]
        begin(known, child, row, name, at: position)
        check(attributes, by: row)
    }

    /// Which of the text that comes now is looked at.
    @inline(__always)
    var flow: XMLFlow {
        guard unknownDepth == 0, let last = innermost else { return .passText }
        switch open[last].text {
        case .passed: return .passText
        case .blank: return .passIndents
        case .none, .gathered, .counted, .listed: return .proceed
        }
    }

    @inline(__always)
    mutating func text(_ bytes: Span<UInt8>) {
        guard unknownDepth == 0, let last = innermost else { return }
        switch open[last].text {
        case .passed: break
        case .blank: if !ShortText.isBlank(bytes) { reportText(bytes, of: last) }
        case .none: reportText(bytes, of: last)
        case .gathered:
            if value.count < reader.textLimit { value.append(bytes, from: 0) }
        case .counted: count(bytes, of: last)
        case .listed: list(bytes, of: last)
        }
    }

    @inline(__always)
    mutating func end() {
        guard unknownDepth == 0 else {
            unknownDepth -= 1
            return
        }
        guard let last = innermost else { return }
        switch open[last].text {
        case .passed, .blank, .none: break
        case .gathered: checkValue(of: last)
        case .counted: checkCount(of: last)
        case .listed: checkListEnd(of: last)
        }
        if !states.isAccepting(open[last].state) || owedDepth == last { reportMissing(in: last) }
        // Few elements have one.
        let own = labels.count - open[last].label
        if own > 0 { labels.removeLast(own) }
        open.removeLast()
    }

    /// Where an open element begins.
    func position(of index: Int) -> XMLPosition { inDocument(open[index].position) }

    func inDocument(_ position: XMLPosition) -> XMLPosition {
        var position = position
        position.document = reader.documentNumber
        return position
    }

    // MARK: - Elements

    // What few elements need is in functions of its own, which are not inlined: the common way stays short.

    /// Of a name that the reader does not know, or that is in another namespace than the root's.
    @inline(never)
    private func name(of name: XMLName) -> Int32 {
        let space = name.namespace
        if space == namespace { return Int32(models.name(name.localName)?.index ?? -1) }
        guard space == Self.mathML else { return -1 }
        return Int32(models.name("mathml:" + name.localName)?.index ?? -1)
    }

    private static let mathML = "http://www.w3.org/1998/Math/MathML"

    /// By what an element is checked.
    private struct Child: BitwiseCopyable {
        /// -1 for not at all.
        let declaration: Int32
        /// The declaration's.
        let type: Int32
    }

    @inline(__always)
    private mutating func child(_ known: Int32, _ name: XMLName, at position: XMLPosition) -> Child {
        if let last = innermost, let edge = states.edge(from: open[last].state, known) {
            open[last].state = edge.target
            open[last].seen |= edge.bit
            return Child(declaration: edge.declaration, type: edge.type)
        }
        let declaration = otherDeclaration(known, name, at: position)
        return Child(declaration: declaration, type: declaration < 0 ? -1 : tables.typeOf[Int(declaration)])
    }

    /// The declaration of the root, and of a child that its parent has no way for; -1 for none.
    @inline(never)
    private mutating func otherDeclaration(_ known: Int32, _ name: XMLName, at position: XMLPosition) -> Int32 {
        guard let last = innermost else { return tables.global(known) }
        let rest = states.rest(from: open[last].state)
        if rest >= 0 {
            open[last].state = rest
            return max(tables.global(known), 0)
        }
        if tables.types[Int(open[last].type)].isFree { return max(tables.global(known), 0) }
        return unexpectedChild(known, name, of: last, at: inDocument(position))
    }

    @inline(__always)
    private mutating func begin(
        _ known: Int32, _ child: Child, _ row: SchemaTables.TypeRow, _ name: XMLName,
        at position: XMLPosition
    ) {
        let text = text(by: row.text, of: child.type)
        let label = labels.count
        if known < 0 { addLabel(name) }
        open.append(
            Open(
                declaration: child.declaration, type: child.type, name: known, state: states.first(of: child.type),
                text: text, label: label, position: position))
    }

    @inline(never)
    private mutating func addLabel(_ name: XMLName) {
        labels += name.localName.utf8
    }

    // MARK: - Texts

    @inline(__always)
    private mutating func text(by kind: SchemaTables.TextKind, of type: Int32) -> Text {
        switch kind {
        case .free: return .passed
        case .blank: return .blank
        case .none: return .none
        case .value:
            value.removeAll(keepingCapacity: true)
            return .gathered
        case .numbers:
            guard !isReportedByReader else { return .passed }
            value.removeAll(keepingCapacity: true)
            numbers = NumberListScan()
            hasText = false
            return .counted
        case .list: return beginList(of: type)
        }
    }

    @inline(never)
    private mutating func beginList(of type: Int32) -> Text {
        guard !isReportedByReader, let simple = tables.texts[Int(type)].listType else { return .passed }
        list = ListCheck(simple, models)
        hasText = false
        return .listed
    }

    /// Whether the reader reports what is wrong with the numbers that come now.
    private var isReportedByReader: Bool { isLenient && reader.textUse == .decoded }

    private func checkValue(of index: Int) {
        guard case .value(let simple, let form) = tables.texts[Int(open[index].type)] else { return }
        if value.isEmpty, hasDefault(index) { return }
        if form.isSurely(value.span, tables.words) { return }
        if let fault = models.fault(in: value.span, of: simple) { report(fault, ofTextOf: index) }
    }

    private mutating func list(_ bytes: Span<UInt8>, of index: Int) {
        hasText = hasText || bytes.count > 0
        let models = models
        guard let fault = list?.add(bytes, models) else { return }
        report(fault, ofTextOf: index)
        // One fault a list: the others would say the same.
        open[index].text = .passed
    }

    private func checkListEnd(of index: Int) {
        guard let simple = tables.texts[Int(open[index].type)].listType, var list else { return }
        if !hasText, hasDefault(index) { return }
        if let fault = list.finish(models[simple], models) { report(fault, ofTextOf: index) }
    }

    /// Whether it means something when it is empty.
    private func hasDefault(_ index: Int) -> Bool {
        models.declarations[Int(open[index].declaration)].defaultValue != nil
    }

    // MARK: - Numbers

    private mutating func count(_ bytes: Span<UInt8>, of index: Int) {
        guard numbers.take(bytes, tables.numberSteps) else {
            lookCloser(at: index)
            return list(bytes, of: index)
        }
        hasText = hasText || bytes.count > 0
        keepUnfinished(bytes)
        if value.count > Self.longestNumber { lookCloser(at: index) }
    }

    /// What is kept of a number that goes on in the next piece, in bytes.
    private static let longestNumber = 1 << 10

    private mutating func keepUnfinished(_ bytes: Span<UInt8>) {
        guard numbers.isWithin else { return value.removeAll(keepingCapacity: true) }
        var start = bytes.count
        while start > 0, !bytes[start - 1].isSpace { start -= 1 }
        if start > 0 { value.removeAll(keepingCapacity: true) }
        value.append(bytes, from: start)
    }

    /// Goes on with a list by what can say what is wrong with it.
    private mutating func lookCloser(at index: Int) {
        guard let simple = tables.texts[Int(open[index].type)].listType else { return }
        list = ListCheck(simple, models, after: numbers.ended, started: value)
        open[index].text = .listed
    }

    private mutating func checkCount(of index: Int) {
        guard case .numbers(_, let least, let most) = tables.texts[Int(open[index].type)] else { return }
        guard !numbers.isSound || numbers.count < least || numbers.count > most else { return }
        lookCloser(at: index)
        checkListEnd(of: index)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ bytes: Span<UInt8>, from start: Int) {
        bytes.extracting(start...).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension SchemaTables.Text {
    /// What the items are held against, where it is a list.
    fileprivate var listType: SimpleType.ID? {
        switch self {
        case .list(let simple), .numbers(let simple, _, _): simple
        case .free, .blank, .none, .value: nil
        }
    }
}

/// The two schemas of COLLADA. Documents of 1.4.0 are held against 1.4.1's, which says that it is theirs too.
package enum SchemaVersion: Sendable, Hashable, CaseIterable {
    case collada14, collada15

    /// The namespace of the schema's elements.
    package var namespace: String {
        switch self {
        case .collada14: "http://www.collada.org/2005/11/COLLADASchema"
        case .collada15: "http://www.collada.org/2008/03/COLLADASchema"
        }
    }
}
