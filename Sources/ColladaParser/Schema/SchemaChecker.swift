import Diagnostics
import XMLReader

/// Holds one document against its schema, element by element as they come.
///
/// Of what is open it keeps a few words an element, as deep as the reader allows; of texts only what is cut off at the
/// end of a piece, where they are lists, and else one whole text. To the letter it also keeps each id.
final class SchemaChecker {
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
        /// Whose document is the first until somebody asks.
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
    let reader: DocumentReader
    /// Set once, before the root.
    @exclusivity(unchecked) private(set) var tables = SchemaTables.empty
    @exclusivity(unchecked) var states = SchemaStates(SchemaTables.empty.models, lenient: true)
    /// Of the root.
    private var namespace: String?
    // What each event asks for is single words and flat lists, whose calls do not come back to them: so none of it
    // costs a check of who else is at it.
    @exclusivity(unchecked) var open = FlatList<Open>()
    /// Elements that are open within one that has no place in the schema; it counts too.
    private var strange = 0
    /// The ids of the open elements, one behind the other.
    @exclusivity(unchecked) var labels = ByteArena()
    /// What was passed over in elements that are still open, by their depth.
    var owed: [(depth: Int, child: MissingChild)] = [] { didSet { owedDepth = owed.last?.depth ?? -1 } }
    /// Of the last of them; -1 without.
    private var owedDepth = -1
    /// The text of the innermost open element, where it is ``Text/gathered``: such an element has no others within. Where
    /// it is ``Text/counted``, its unfinished last item.
    @exclusivity(unchecked) private var value: [UInt8] = []
    @exclusivity(unchecked) private var numbers = NumberListScan()
    @exclusivity(unchecked) private var list: ListCheck?
    /// Whether the element that is ``Text/listed`` has any text.
    private var hasText = false
    /// Where each id was first.
    var ids: [String: XMLPosition] = [:]
    /// Profiles of techniques that were told.
    var profiles: Set<String> = []
    var detours = Detours()
    /// Which children may stand beside each, by type.
    var companions: [Int: [Int: UInt64]] = [:]

    var models: ContentModels { tables.models }

    init(lenient isLenient: Bool, _ reader: DocumentReader) {
        self.isLenient = isLenient
        self.reader = reader
    }

    /// Says whose schema the document is held against, before its root.
    func choose(_ version: SchemaVersion, namespace: String?) {
        tables = .tables(for: version, lenient: isLenient)
        states = SchemaStates(tables.models, lenient: isLenient)
        self.namespace = namespace
    }

    // MARK: - Events

    @inline(__always)
    func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
        guard strange == 0 else {
            strange += 1
            return
        }
        let known = name.number.map(tables.name) ?? self.name(of: name)
        let child = child(known, name, at: position)
        guard child.declaration >= 0 else {
            strange = 1
            return
        }
        let row = tables.types.at(child.type)
        begin(known, child, row, name, at: position)
        check(attributes, by: row)
    }

    /// Which of the text that comes now is looked at.
    @inline(__always)
    var flow: XMLFlow {
        guard strange == 0, let last = open.lastPlace else { return .passText }
        switch open.at(last).pointee.text {
        case .passed: return .passText
        case .blank: return .passIndents
        case .none, .gathered, .counted, .listed: return .proceed
        }
    }

    @inline(__always)
    func text(_ bytes: UnsafeRawBufferPointer) {
        guard strange == 0, let last = open.lastPlace else { return }
        switch open.at(last).pointee.text {
        case .passed: break
        case .blank: if !PlainBytes.areBlank(bytes) { tellText(bytes, of: last) }
        case .none: tellText(bytes, of: last)
        case .gathered:
            if value.count < reader.options.limits.textBytes { value.append(contentsOf: bytes) }
        case .counted: count(bytes, of: last)
        case .listed: list(bytes, of: last)
        }
    }

    @inline(__always)
    func end() {
        guard strange == 0 else {
            strange -= 1
            return
        }
        guard let last = open.lastPlace else { return }
        switch open.at(last).pointee.text {
        case .passed, .blank, .none: break
        case .gathered: checkValue(of: last)
        case .counted: checkCount(of: last)
        case .listed: checkListEnd(of: last)
        }
        if !states.isAccepting(open.at(last).pointee.state) || owedDepth == last { tellMissing(in: last) }
        labels.shorten(to: open.at(last).pointee.label)
        open.shorten(to: last)
    }

    /// Where an open element begins.
    func position(of index: Int) -> XMLPosition { inDocument(open.at(index).pointee.position) }

    func inDocument(_ position: XMLPosition) -> XMLPosition {
        var position = position
        position.document = reader.options.document
        return position
    }

    // MARK: - Elements

    // What few elements need is left where it is: within what all elements go through, its needs would be theirs, too.

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
    private func child(_ known: Int32, _ name: XMLName, at position: XMLPosition) -> Child {
        if let last = open.lastPlace {
            let parent = open.at(last)
            if let edge = states.edge(from: parent.pointee.state, known) {
                parent.pointee.state = edge.pointee.target
                parent.pointee.seen |= edge.pointee.bit
                return Child(declaration: edge.pointee.declaration, type: edge.pointee.type)
            }
        }
        let declaration = uncommon(known, name, at: position)
        return Child(declaration: declaration, type: declaration < 0 ? -1 : tables.typeOf[declaration])
    }

    /// The declaration of the root, and of a child that its parent has no way for; -1 for none.
    @inline(never)
    private func uncommon(_ known: Int32, _ name: XMLName, at position: XMLPosition) -> Int32 {
        guard let last = open.lastPlace else { return tables.global(known) }
        let parent = open.at(last)
        let rest = states.rest(from: parent.pointee.state)
        if rest >= 0 {
            parent.pointee.state = rest
            return max(tables.global(known), 0)
        }
        if tables.types[parent.pointee.type].isFree { return max(tables.global(known), 0) }
        return oddChild(known, name, of: last, at: inDocument(position))
    }

    @inline(__always)
    private func begin(
        _ known: Int32, _ child: Child, _ row: UnsafePointer<SchemaTables.TypeRow>, _ name: XMLName,
        at position: XMLPosition
    ) {
        let text = text(by: row.pointee.text, of: child.type)
        let label = labels.count
        if known < 0 { addLabel(name) }
        open.append(
            Open(
                declaration: child.declaration, type: child.type, name: known, state: states.first(of: child.type),
                text: text, label: label, position: position))
    }

    @inline(never)
    private func addLabel(_ name: XMLName) {
        var text = name.localName
        text.withUTF8 { labels.append(UnsafeRawBufferPointer($0)) }
    }

    // MARK: - Texts

    @inline(__always)
    private func text(by kind: SchemaTables.TextKind, of type: Int32) -> Text {
        switch kind {
        case .free: return .passed
        case .blank: return .blank
        case .none: return .none
        case .value:
            value.removeAll(keepingCapacity: true)
            return .gathered
        case .numbers:
            guard !isTold else { return .passed }
            value.removeAll(keepingCapacity: true)
            numbers = NumberListScan()
            hasText = false
            return .counted
        case .list: return beginList(of: type)
        }
    }

    @inline(never)
    private func beginList(of type: Int32) -> Text {
        guard !isTold, let simple = tables.texts.at(type).pointee.listType else { return .passed }
        list = ListCheck(simple, models)
        hasText = false
        return .listed
    }

    /// Whether the reader tells what is wrong with the numbers that come now.
    private var isTold: Bool { isLenient && reader.textUse == .decoded }

    private func checkValue(of index: Int) {
        guard case .value(let simple, let form) = tables.texts[open.at(index).pointee.type] else { return }
        if value.isEmpty, hasDefault(index) { return }
        if value.withUnsafeBytes({ form.isSurely($0, tables.words) }) { return }
        if let fault = models.fault(in: value.span, of: simple) { tell(fault, ofTextOf: index) }
    }

    private func list(_ bytes: UnsafeRawBufferPointer, of index: Int) {
        hasText = hasText || !bytes.isEmpty
        guard let fault = list?.add(bytes.assumingMemoryBound(to: UInt8.self).span, models) else { return }
        tell(fault, ofTextOf: index)
        // One fault a list: the others would say the same.
        open.at(index).pointee.text = .passed
    }

    private func checkListEnd(of index: Int) {
        guard let simple = tables.texts[open.at(index).pointee.type].listType, var list else { return }
        if !hasText, hasDefault(index) { return }
        if let fault = list.finish(models[simple], models) { tell(fault, ofTextOf: index) }
    }

    /// Whether it means something when it is empty.
    private func hasDefault(_ index: Int) -> Bool {
        models.declarations[Int(open.at(index).pointee.declaration)].defaultValue != nil
    }

    // MARK: - Numbers

    private func count(_ bytes: UnsafeRawBufferPointer, of index: Int) {
        guard numbers.take(bytes, tables.numberSteps) else {
            lookCloser(at: index)
            return list(bytes, of: index)
        }
        hasText = hasText || !bytes.isEmpty
        keepUnfinished(bytes)
        if value.count > Self.longestNumber { lookCloser(at: index) }
    }

    /// What is kept of a number that goes on in the next piece, in bytes.
    private static let longestNumber = 1 << 10

    private func keepUnfinished(_ bytes: UnsafeRawBufferPointer) {
        guard numbers.isWithin else { return value.removeAll(keepingCapacity: true) }
        var start = bytes.count
        while start > 0, !bytes[start - 1].isSpace { start -= 1 }
        if start > 0 { value.removeAll(keepingCapacity: true) }
        value.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    /// Goes on with a list by what can say what is wrong with it.
    private func lookCloser(at index: Int) {
        guard let simple = tables.texts[open.at(index).pointee.type].listType else { return }
        list = ListCheck(simple, models, after: numbers.ended, started: value)
        open.at(index).pointee.text = .listed
    }

    private func checkCount(of index: Int) {
        guard case .numbers(_, let least, let most) = tables.texts[open.at(index).pointee.type] else { return }
        guard !numbers.isSound || numbers.count < least || numbers.count > most else { return }
        lookCloser(at: index)
        checkListEnd(of: index)
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

/// Whether a document is held against the schema of its version while it is read.
public enum SchemaChecking: String, Sendable, Hashable, CaseIterable {
    case off
    /// What a reader can live with is told as no more than that: another order of elements, and what the schema of 1.5
    /// left out by mistake. Documents of no namespace, or another, are held against the schema of their version.
    case lenient
    /// Every departure from the letter is an error.
    case strict
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
