// Turns the events of one document into a `ColladaDocument`: markup goes into the fragment, numbers straight into
// arrays, and each unit is decoded at its end tag.

import Diagnostics
import NumberDecoding
import XMLReader

final class DocumentReader: XMLEventHandler {
    /// What the text now arriving belongs to.
    private enum Text {
        /// White space, or nothing that is read.
        case none
        case plain(record: Int)
        case reals(record: Int)
        case integers(record: Int)
        case hex(record: Int)
    }

    /// What becomes of the elements now arriving.
    private enum Passage {
        case read
        /// Nothing; so many elements are open, the one that is skipped among them.
        case skip(depth: Int)
        /// They are kept as they are, for the innermost open record.
        case keep(RawElementBuilder)
    }

    let options: ColladaOptions
    var document = ColladaDocument()
    var log = FindingLog()
    /// Samplers that wait for the sources of other animations.
    var late = LateSamplers()
    private(set) var failure: ColladaError?

    private let fragment = Fragment()
    private var open: [Int] = []
    private var marks: [Fragment.Mark] = []
    private var passage = Passage.read
    /// A profile that is kept as it stands beside being read for its images, and its record.
    private var profile: (builder: RawElementBuilder, record: Int)?
    /// Bytes of raw elements kept so far.
    private var rawBytes = 0
    private var text = Text.none
    private var reals = NumberDecoder<Double>()
    private var integers = NumberDecoder<Int32>()
    /// For the numbers of one element, such as a matrix; used again, with its room.
    var few = NumberDecoder<Double>()
    /// What becomes of numbers that are not kept.
    var numbers: NumberStream
    private var hex = HexDecoder(limit: 0)
    private var textLength = 0
    private var places = TokenPlaces()
    private var issuesTold = 0
    /// Files that references were found to lead into, so that each is noted once.
    private var knownFiles: Set<String> = []
    /// Elements that are open and have an asset of their own, with its place in the document's list.
    private var assetScopes: [(record: Int, asset: Int)] = []

    init(options: ColladaOptions) {
        self.options = options
        numbers = NumberStream(spool: options.spool)
    }

    // MARK: - Events

    func startElement(_ name: XMLName, attributes: XMLAttributes, at start: XMLPosition) -> XMLFlow {
        var position = start
        position.document = options.document
        profile?.builder.start(name, attributes)
        switch passage {
        case .read: return read(name, attributes, at: position)
        case .skip(let depth): passage = .skip(depth: depth + 1)
        case .keep(var builder):
            passage = .read  // so that the builder is not shared while it changes
            builder.start(name, attributes)
            passage = .keep(builder)
        }
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        profile?.builder.text(bytes)
        switch passage {
        case .read: return read(bytes, at: position)
        case .skip: break
        case .keep(var builder):
            passage = .read
            builder.text(bytes)
            passage = .keep(builder)
        }
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        if profile != nil { endInProfile() }
        switch passage {
        case .read: close(at: position)
        case .skip(let depth):
            passage = depth > 1 ? .skip(depth: depth - 1) : .read
        case .keep(var builder):
            passage = .read
            if let element = builder.end() {
                rawBytes += builder.bytes
                if let top = open.last { fragment.keep(element, for: top) }
            } else {
                passage = .keep(builder)
            }
        }
        return .proceed
    }

    private func endInProfile() {
        guard let element = profile?.builder.end(), let done = profile else { return }
        rawBytes += done.builder.bytes
        fragment.keep(element, for: done.record)
        profile = nil
    }

    // MARK: - Reading

    private func read(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        let entry = ColladaVocabulary.element(name)
        guard let parent = open.last else {
            guard let entry, entry.name == .collada else { return refuse(root: name.text, at: position) }
            begin(entry, attributes, at: position, below: -1)
            readRoot(ElementView(fragment: fragment, index: 0), namespace: name.namespace)
            return .proceed
        }
        let place = fragment.records[parent].entry
        switch place.content {
        case .reals, .integers, .hex:
            // No element means anything among numbers, which go on behind it.
            passage = .skip(depth: 1)
            return .proceed
        case .elements, .text, .raw, .skipped: break
        }
        if let entry, !isForeign(entry.name, within: place.name), entry.content != .raw {
            switch entry.content {
            case .skipped:
                passage = .skip(depth: 1)
                noteSkipped(entry, attributes, at: position, below: parent)
            case .elements, .text, .reals, .integers, .hex, .raw:
                begin(entry.within(place.name), attributes, at: position, below: parent)
                if Self.profiles.contains(entry.name) { keepProfile(name, attributes) }
            }
            return .proceed
        }
        let isMath = entry == nil && isFormula(name, within: parent)
        let keeps = options.retention == .everything || isMath || place.needsExtras
        if keeps, entry != nil || isMath, rawBytes < Self.rawLimit {
            var builder = RawElementBuilder(limit: Self.rawElementLimit)
            builder.start(name, attributes)
            passage = .keep(builder)
        } else {
            passage = .skip(depth: 1)
        }
        return .proceed
    }

    /// Besides its images nothing of a profile is decoded while it arrives.
    private func keepProfile(_ name: XMLName, _ attributes: XMLAttributes) {
        guard options.retention == .everything, rawBytes < Self.rawLimit, profile == nil, let record = open.last
        else { return }
        var builder = RawElementBuilder(limit: Self.rawElementLimit)
        builder.start(name, attributes)
        profile = (builder, record)
    }

    private static let profiles = Set(
        ColladaDocument.Profile.Kind.allCases.compactMap { ElementName(rawValue: $0.rawValue) })

    /// Bytes of one raw element, and of all of a document, that are kept.
    private static let rawElementLimit = 4 << 20
    private static let rawLimit = 64 << 20

    private func read(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch text {
        case .none: return .proceed
        case .plain(let record):
            textLength += bytes.count
            guard textLength <= options.limits.textBytes else {
                failure = ColladaError(
                    .xmlSizeExceeded, at: Place(position),
                    "a text is longer than \(options.limits.textBytes) bytes, the most allowed")
                return .stop
            }
            fragment.appendText(to: record, bytes)
        case .reals(let record):
            places.add(bytes, at: position)
            numbers.decode(bytes, by: &reals)
            tell(reals.issues, of: reals.issueCount, in: record)
            places.settle(bytes)
        case .integers(let record):
            places.add(bytes, at: position)
            numbers.decode(bytes, by: &integers)
            tell(integers.issues, of: integers.issueCount, in: record)
            places.settle(bytes)
        case .hex: hex.decode(bytes)
        }
        return .proceed
    }

    // MARK: - Elements

    private func begin(_ entry: ElementEntry, _ attributes: XMLAttributes, at position: XMLPosition, below parent: Int)
    {
        let record = fragment.open(entry, below: parent, at: position)
        if entry.isUnit { marks.append(fragment.mark(before: record)) }
        fragment.setAttributes(of: record, attributes)
        open.append(record)
        textLength = 0
        issuesTold = 0
        places.reset()
        switch entry.content {
        case .elements, .raw, .skipped: text = .none
        case .text:
            fragment.beginText(of: record)
            text = .plain(record: record)
        case .reals:
            text = .reals(record: record)
            numbers.begin(isStored: isStored(record, in: fragment))
        case .integers:
            text = .integers(record: record)
            numbers.begin(isStored: isStored(record, in: fragment))
        case .hex:
            hex = HexDecoder(limit: options.retention == .everything ? options.limits.textBytes : 0)
            text = .hex(record: record)
        }
    }

    /// An element whose inside is not read: it is there all the same, and a unit counts.
    private func noteSkipped(
        _ entry: ElementEntry, _ attributes: XMLAttributes, at position: XMLPosition, below parent: Int
    ) {
        begin(entry, attributes, at: position, below: parent)
        close(at: position)
    }

    private func close(at end: XMLPosition) {
        guard let record = open.popLast() else { return }
        if let scope = assetScopes.last, scope.record == record {
            document.nestedAssets[scope.asset].end = end.byte
            assetScopes.removeLast()
        }
        finishText(of: record)
        if fragment.records[record].entry.isUnit, let mark = marks.popLast() {
            let unit = decodeUnit(ElementView(fragment: fragment, index: record))
            fragment.close(mark, as: unit)
        }
        // Text behind a child is no value of its parent: nothing in COLLADA has both.
    }

    private func refuse(root: String, at position: XMLPosition) -> XMLFlow {
        failure = ColladaError(
            .docNotCollada, at: Place(position),
            "the root element is <\(root.prefix(80))>; expected <COLLADA>")
        return .stop
    }

    /// A `<technique>` is read only where it is the common profile's.
    private func isForeign(_ name: ElementName, within parent: ElementName) -> Bool {
        guard name == .technique else { return false }
        return
            !(parent == .profileCommon || Self.profiles.contains(parent) || parent == .shader
            || parent == .source && isVersion13)
    }

    /// MathML is of another namespace, so its names are not in the vocabulary.
    private func isFormula(_ name: XMLName, within parent: Int) -> Bool {
        let record = fragment.records[parent]
        guard record.entry.name == .techniqueCommon, record.parent >= 0,
            fragment.records[record.parent].entry.name == .formula
        else { return false }
        return name.localName.split(separator: ":").last == "math"
    }

    var isVersion13: Bool { document.version?.hasPrefix("1.3") ?? false }

    // MARK: - Notes on the way

    /// Notes the file of a reference that leads out of the document; the first reference to each stands for all.
    func note(_ reference: ColladaDocument.Reference) {
        guard let file = reference.file, knownFiles.count < options.documentLimit,
            knownFiles.insert(file).inserted
        else { return }
        document.otherDocuments.append(reference)
    }

    /// Keeps the asset of an open element other than the root; the first one of each counts.
    func keepAsset(_ asset: ColladaDocument.Asset, of owner: ElementView, at position: XMLPosition) {
        guard assetScopes.last?.record != owner.index else { return }
        assetScopes.append((owner.index, document.nestedAssets.count))
        document.nestedAssets.append(
            .init(
                asset: asset, owner: owner.name.rawValue, position: position, start: owner.position.byte, end: .max))
    }

    // MARK: - Numbers

    private func finishText(of record: Int) {
        defer { text = .none }
        switch text {
        case .none, .plain: break
        case .reals:
            let view = ElementView(fragment: fragment, index: record)
            let count = integer(view, .count)
            reals.finish(expectedCount: count)
            tell(reals.issues, of: reals.issueCount, in: record)
            let stored = numbers.end(&reals, of: record)
            let values = reals.takeValues()
            let found = stored ?? values.count
            if let count, count != found {
                log.add(
                    .arrayCountMismatch, at: view.place, "count is \(count), but the array has \(found) values",
                    arguments: [.init("count", "\(count)"), .init("values", "\(found)")])
            }
            if stored == nil { fragment.setReals(of: record, values) }
        case .integers:
            integers.finish(expectedCount: nil)
            tell(integers.issues, of: integers.issueCount, in: record)
            let stored = numbers.end(&integers, of: record)
            let values = integers.takeValues()
            if stored == nil { fragment.setIntegers(of: record, values) }
        case .hex:
            tell(hex, in: record)
            fragment.setHex(of: record, hex)
            hex = HexDecoder(limit: 0)
        }
    }

    private func tell(_ hex: HexDecoder, in record: Int) {
        let view = ElementView(fragment: fragment, index: record)
        if hex.strays > 0 || hex.isOdd {
            let odd = hex.isOdd ? "a digit without its partner" : ""
            let strays = hex.strays > 0 ? "\(hex.strays) characters that are no digits" : ""
            log.add(
                .imageDataInvalid, at: view.place,
                "the hexadecimal data has \([strays, odd].filter { !$0.isEmpty }.joined(separator: " and "))")
        }
        if options.retention == .everything, !hex.isWhole {
            log.add(
                .imageTooLarge, at: view.place,
                "the embedded image has \(hex.count) bytes; the most kept is \(options.limits.textBytes)",
                arguments: [.init("bytes", "\(hex.count)"), .init("limit", "\(options.limits.textBytes)")])
        }
    }

    /// Tells of what was odd about numbers since the last call.
    private func tell(_ issues: [NumberIssue], of count: Int, in record: Int) {
        guard count > issuesTold else { return }
        for issue in issues.dropFirst(issuesTold) { add(issue, at: place(of: issue, in: record)) }
        let untold = count - max(issuesTold, issues.count)
        if untold > 0, let last = issues.last {
            for _ in 0..<untold { log.count(last.kind.code) }
        }
        issuesTold = count
    }

    private func place(of issue: NumberIssue, in record: Int) -> Place {
        var place = ElementView(fragment: fragment, index: record).place
        let position = places.position(of: issue.offset)
        (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
        return place
    }

    func add(_ issue: NumberIssue, at place: @autoclosure () -> Place) {
        log.add(
            issue.kind.code, at: place(), issue.kind.message(text: issue.text, index: issue.index),
            arguments: [.init("text", issue.text), .init("index", "\(issue.index)")])
    }
}

extension NumberIssue.Kind {
    var code: FindingCode {
        switch self {
        case .malformed, .outOfRange: .schemaInvalidNumber
        case .nonFinite: .numberNonFinite
        case .decimalComma, .commaSeparator: .numberDecimalComma
        }
    }

    func message(text: String, index: Int) -> String {
        switch self {
        case .malformed: "value \(index) is \(text.debugDescription), which is no number"
        case .outOfRange: "value \(index) is \(text.debugDescription), which is too large"
        case .nonFinite: "value \(index) is \(text.debugDescription), which is not finite"
        case .decimalComma: "value \(index) is \(text.debugDescription); its comma was read as a point"
        case .commaSeparator: "value \(index) is \(text.debugDescription); its commas were read as separators"
        }
    }
}
