import Diagnostics
import XMLReader

/// Holds one document against its schema, element by element as they come.
///
/// Of what is open it keeps a few words an element, as deep as the reader allows; of texts only what is cut off at the
/// end of a piece, where they are lists, and else one whole text. To the letter it also keeps each id.
final class SchemaChecker {
    struct Open {
        let declaration: Int
        let type: Int32
        /// In the tables.
        let name: Int32
        var state: Int32
        /// Which of the first 64 children were seen.
        var seen: UInt64 = 0
        var text: Text
        /// Into ``labels``: where its id begins, or what it is called if the schema does not have its name.
        let label: Int
        let position: XMLPosition
    }
    /// What is done with the text directly within an element.
    enum Text {
        case passed
        /// It may be white space only; or not even that.
        case blank
        case none
        case gathered
        case listed
    }

    let tables: SchemaTables
    let isLenient: Bool
    let reader: DocumentReader
    /// Of the root.
    private let namespace: String?
    // What each event asks for is single words and flat lists, whose calls do not come back to them: so none of it
    // costs a check of who else is at it.
    @exclusivity(unchecked) var open = FlatList<Open>()
    /// Elements that are open within one that has no place in the schema; it counts too.
    private var strange = 0
    /// The ids of the open elements, one behind the other.
    @exclusivity(unchecked) var labels = FlatList<UInt8>()
    /// What was passed over in elements that are still open, by their depth.
    var owed: [(depth: Int, child: MissingChild)] = [] { didSet { owedDepth = owed.last?.depth ?? -1 } }
    /// Of the last of them; -1 without.
    private var owedDepth = -1
    /// The text of the innermost open element, where it is ``Text/gathered``: such an element has no others within.
    @exclusivity(unchecked) private var value: [UInt8] = []
    @exclusivity(unchecked) private var list: ListCheck?
    /// Whether the element that is ``Text/listed`` has any text.
    private var hasText = false  // a fact beside its state
    /// Where each id was first.
    var ids: [String: XMLPosition] = [:]
    /// Profiles of techniques that were told.
    var profiles: Set<String> = []
    var detours = Detours()
    /// Which children may stand beside each, by type.
    var companions: [Int: [Int: UInt64]] = [:]

    var models: ContentModels { tables.models }

    init(_ version: SchemaVersion, namespace: String?, lenient isLenient: Bool, _ reader: DocumentReader) {
        tables = .tables(for: version, lenient: isLenient)
        self.isLenient = isLenient
        self.namespace = namespace
        self.reader = reader
    }

    deinit {
        open.free()
        labels.free()
    }

    // MARK: - Events

    func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
        guard strange == 0 else {
            strange += 1
            return
        }
        var start = position
        start.document = reader.options.document
        let known = name.number.map(tables.name) ?? self.name(of: name)
        let declaration = declaration(of: known, name, at: start)
        guard declaration >= 0 else {
            strange = 1
            return
        }
        begin(known, Int(declaration), name, at: start)
        check(attributes)
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        guard strange == 0, let last = open.lastPlace else { return }
        switch open.at(last).pointee.text {
        case .passed: break
        case .blank:
            for byte in bytes where !byte.isSpace { return tellText(bytes, of: last) }
        case .none: tellText(bytes, of: last)
        case .gathered:
            if value.count < reader.options.limits.textBytes { value.append(contentsOf: bytes) }
        case .listed:
            let text = bytes.assumingMemoryBound(to: UInt8.self).span
            hasText = hasText || !bytes.isEmpty
            guard let fault = list?.add(text, models) else { break }
            tell(fault, ofTextOf: last)
            // One fault a list: the others would say the same.
            open.at(last).pointee.text = .passed
        }
    }

    func end() {
        guard strange == 0 else {
            strange -= 1
            return
        }
        guard let last = open.lastPlace else { return }
        switch open.at(last).pointee.text {
        case .passed, .blank, .none: break
        case .gathered: checkValue(of: last)
        case .listed: checkListEnd(of: last)
        }
        if !tables.isAccepting(open.at(last).pointee.state) || owedDepth == last { tellMissing(in: last) }
        labels.shorten(to: open.at(last).pointee.label)
        open.shorten(to: last)
    }

    // MARK: - Elements

    /// Of a name that the reader does not know, or that is in another namespace than the root's.
    private func name(of name: XMLName) -> Int32 {
        let space = name.namespace
        if space == namespace { return Int32(models.name(name.localName)?.index ?? -1) }
        guard space == Self.mathML else { return -1 }
        return Int32(models.name("mathml:" + name.localName)?.index ?? -1)
    }

    private static let mathML = "http://www.w3.org/1998/Math/MathML"

    /// By what an element is checked; -1 for not at all.
    private func declaration(of known: Int32, _ name: XMLName, at position: XMLPosition) -> Int32 {
        guard let parent = open.lastPlace else { return tables.global(known) }
        if let edge = tables.edge(from: open.at(parent).pointee.state, known) {
            open.at(parent).pointee.state = edge.target
            if edge.child < 64 { open.at(parent).pointee.seen |= 1 << UInt64(edge.child) }
            return edge.declaration
        }
        let rest = tables.rest(from: open.at(parent).pointee.state)
        if rest >= 0 {
            open.at(parent).pointee.state = rest
            return max(tables.global(known), 0)
        }
        if tables.types[Int(open.at(parent).pointee.type)].isFree { return max(tables.global(known), 0) }
        return oddChild(known, name, of: parent, at: position)
    }

    private func begin(_ known: Int32, _ declaration: Int, _ name: XMLName, at position: XMLPosition) {
        let type = tables.typeOf[declaration]
        let row = tables.types[Int(type)]
        let text: Text
        switch row.text {
        case .free: text = .passed
        case .blank: text = .blank
        case .none: text = .none
        case .value:
            value.removeAll(keepingCapacity: true)
            text = .gathered
        case .list(let simple):
            text = isLenient && reader.textUse == .decoded ? .passed : .listed
            if text == .listed {
                list = ListCheck(simple, models)
                hasText = false
            }
        }
        let label = labels.count
        if known < 0 {
            for byte in name.localName.utf8 { labels.append(byte) }
        }
        open.append(
            Open(
                declaration: declaration, type: type, name: known, state: row.firstState, text: text, label: label,
                position: position))
    }

    // MARK: - Texts

    private func checkValue(of index: Int) {
        guard case .value(let simple, let form) = tables.types[Int(open.at(index).pointee.type)].text else { return }
        if value.isEmpty, hasDefault(index) { return }
        if value.withUnsafeBytes({ form.isSurely($0) }) { return }
        if let fault = models.fault(in: value.span, of: simple) { tell(fault, ofTextOf: index) }
    }

    private func checkListEnd(of index: Int) {
        guard case .list(let simple) = tables.types[Int(open.at(index).pointee.type)].text, var list else { return }
        if !hasText, hasDefault(index) { return }
        if let fault = list.finish(models[simple], models) { tell(fault, ofTextOf: index) }
    }

    /// Whether it means something when it is empty.
    private func hasDefault(_ index: Int) -> Bool {
        models.declarations[open.at(index).pointee.declaration].defaultValue != nil
    }
}
