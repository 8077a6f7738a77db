import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema
import DaeXML

// What is usual but wrong is read as it was meant where options say so; each repair is reported where it is made.

/// What the readers of all families need while one document is read: the options, the findings, what is known of the
/// document as a whole, and how single values are read.
struct ReadingContext: ~Copyable {
    let options: ColladaOptions
    var log = ReadingLog()
    var lists = CommonLists()
    /// The numbers of the geometry or another unit that is read, or of the whole document where all are kept.
    var numbers: NumberStorage
    /// Those that outlive their units where only figures are wanted.
    var keptNumbers: NumberStorage
    /// The references that lead into other files: the first to each.
    private(set) var otherDocuments: [ColladaDocument.Reference] = []
    private(set) var isVersion13 = false
    /// Whether SketchUp wrote the document. Kept, as each geometry asks for it and the list of authors is as long as a
    /// file makes it.
    private(set) var isSketchUp = false
    /// Whether anybody looks at the units, asked of each list of numbers.
    let isExamined: Bool

    /// `nil` where nobody looks at the units.
    private var examiner: (any UnitExaminer)?
    private var texts = CommonTexts()
    private var ids = SeenIDs()
    /// Files that references were found to lead into, so that each is noted once.
    private var knownFiles: Set<String> = []
    /// For the numbers of one element, such as a matrix, where they are unusual; used again, with its room.
    private var few = NumberDecoder<Double>()
    /// For those that are not.
    private var fewNumbers: [Double] = []

    init(options: ColladaOptions) {
        self.options = options
        examiner = options.examiner?()
        isExamined = examiner != nil
        let spool = options.isOutOfMemory ? options.spool : nil
        numbers = NumberStorage(spool, bound: spool?.memoryBytes ?? 0)
        keptNumbers = NumberStorage(spool, bound: (spool?.memoryBytes ?? 0) / 8)
    }

    /// Whether what is known to be written wrongly is read as it was meant.
    var repairs: Bool { options.repairs == .made }

    /// Why numbers could not be put out of memory; `nil` when all were.
    var numberFailure: CodedFailure? { numbers.failure ?? keptNumbers.failure }

    mutating func noteVersion(_ version: String?) { isVersion13 = version?.hasPrefix("1.3") ?? false }

    mutating func noteContributors(_ contributors: [ColladaDocument.Contributor]) {
        isSketchUp = contributors.contains { $0.authoringTool?.hasBytes(of: "SketchUp") == true }
    }

    /// Nothing outlives its unit where only figures are wanted but what was put apart.
    mutating func endNumbersOfUnit() {
        switch options.retention {
        case .everything: break
        case .figures: numbers.removeAll()
        }
    }

    /// Extras that were kept only because they have a meaning here are given back where figures are all that is asked.
    func kept(_ extras: [ColladaDocument.Extra]) -> [ColladaDocument.Extra] {
        options.retention == .everything ? extras : []
    }

    // MARK: - Examination

    mutating func examine(_ geometry: GeometryUnit) { examiner?.examine(geometry, &log.findings) }
    mutating func examine(_ skin: SkinUnit) { examiner?.examine(skin, &log.findings) }
    mutating func examine(_ sampler: SamplerUnit) { examiner?.examine(sampler, &log.findings) }

    /// Whether a mesh's sources and inputs are to be kept for rules over the whole document.
    mutating func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool { examiner?.asksAgain(of: mesh) == true }

    // MARK: - References, texts and children

    mutating func reference(_ view: ElementView, _ attribute: AttributeName) -> ColladaDocument.Reference? {
        guard let text = view.bytes(of: attribute)?.trimmed else { return nil }
        var reference = ColladaDocument.Reference(xml: text, position: view.position, among: &texts)
        if !repairs, attribute.isAddress(of: view.name) { reference = reference.refusedWithoutHash }
        // The sources of data lie within their document; only skins and morphs have a source that is an element.
        if attribute != .source || view.name == .skin || view.name == .morph { note(reference) }
        return reference
    }

    /// A text that stands elsewhere too.
    mutating func common(_ text: UnsafeRawBufferPointer) -> String { texts.text(text) }

    /// An attribute whose value stands elsewhere too, as an id does in what refers to it; `nil` without it.
    mutating func common(_ attribute: AttributeName, of view: ElementView) -> String? {
        view.bytes(of: attribute).map { common($0) }
    }

    /// An element's name, which many exporters write as its id, too; it then shares its memory.
    func name(of view: ElementView, id: String?) -> String? {
        if let id, view.says(.name, id) { id } else { view.attribute(.name) }
    }

    /// A whole number in an attribute; reported where there is a text that is none.
    mutating func integer(_ view: ElementView, _ attribute: AttributeName) -> Int? {
        if let number = view.integer(attribute) { return number }
        if let text = view.attribute(attribute) {
            log.add(
                .schemaInvalidNumber, at: view.place,
                "the \(attribute.rawValue) of <\(view.name.rawValue)> is \(text.quoted(40)); expected a whole number; read as if it were not given",
                arguments: [.init("attribute", attribute.rawValue), .init("text", text)])
        }
        return nil
    }

    mutating func reportMissing(_ attribute: AttributeName, of view: ElementView) {
        log.add(
            .schemaMissingAttribute, at: view.place,
            "<\(view.name.rawValue)> has no \(attribute.rawValue) attribute",
            arguments: [.init("attribute", attribute.rawValue)])
    }

    /// A reference that must be there: reported when it is not, and then empty.
    mutating func requiredReference(_ view: ElementView, _ attribute: AttributeName) -> ColladaDocument.Reference {
        if let reference = reference(view, attribute) { return reference }
        reportMissing(attribute, of: view)
        return .absent(at: view.position)
    }

    /// The text of an element as a reference.
    func reference(in view: ElementView) -> ColladaDocument.Reference {
        ColladaDocument.Reference(text: view.text, position: view.position)
    }

    /// A child that must be there; reported when it is not.
    mutating func needed(_ name: ElementName, in view: ElementView) -> ElementView? {
        if let child = view.first(name) { return child }
        log.add(
            .schemaMissingElement, at: view.place, "<\(view.name.rawValue)> has no <\(name.rawValue)>",
            arguments: [.init("element", name.rawValue)])
        return nil
    }

    /// Notes the file of a reference that leads out of the document; the first reference to each stands for all.
    private mutating func note(_ reference: ColladaDocument.Reference) {
        guard let file = reference.file, knownFiles.count < options.documentLimit,
            knownFiles.insert(file).inserted
        else { return }
        otherDocuments.append(reference)
    }

    // MARK: - Ids

    /// Whether ids are noted here: to the letter the check against the schema reports all of them.
    var notesIDs: Bool {
        switch options.schema {
        case .off, .lenient: true
        case .strict: false
        }
    }

    /// Notes an element's id, and reports one that another element has.
    ///
    /// - Parameter place: The element's own, with the id.
    mutating func note(
        _ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition, _ place: () -> Place
    ) {
        guard let first = ids.insert(id, of: element, at: position) else { return }
        let place = place()
        let id = place.elementID ?? ""
        var related = Place(first.position)
        related.elementID = id
        log.add(
            .idDuplicate, at: place,
            "the id \(id.quoted()) stands twice, first on the <\(first.element.rawValue)> of line \(first.position.line)",
            arguments: [.init("id", id)], related: [related],
            // A reference says by its element which kind is meant, so that nothing is lost.
            severity: first.element == element ? nil : .info)
    }

    /// Of an element that is not read; where it is in the tree is not known.
    mutating func noteID(of element: ElementName, _ attributes: XMLAttributes, at position: XMLPosition) {
        for index in 0..<attributes.count
        where attributes.number(at: index).flatMap({ ColladaVocabulary.shared.attribute($0) }) == .id {
            let id = attributes.value(at: index)
            guard notesIDs, !id.isEmpty else { return }
            note(id, of: element, at: position) {
                var place = Place(position)
                place.elementID = String(xml: id)
                return place
            }
        }
    }

    // MARK: - Numbers

    /// The numbers in an element's text, reported when they are not `count` or not finite; `nil` when they cannot be used:
    /// one that is none would spoil all that it is combined with.
    ///
    /// The array is used again where its holder lets go of it before the next call.
    mutating func numbers(in view: ElementView, count: Int) -> [Double]? {
        if let text = view.paddedText, NumberText.readFew(text, into: &fewNumbers), fewNumbers.count == count {
            return fewNumbers
        }
        return unusualNumbers(in: view, count: count)
    }

    private mutating func unusualNumbers(in view: ElementView, count: Int) -> [Double]? {
        few.decode(view.trimmedBytes)
        few.finish(expectedCount: repairs ? count : nil)
        for issue in few.issues { add(issue, at: view.place) }
        let values = few.takeValues()
        guard values.count == count else {
            log.add(
                .schemaListLength, at: view.place,
                "<\(view.name.rawValue)> has \(values.count) values; expected \(count)",
                arguments: [.init("values", "\(values.count)"), .init("expected", "\(count)")])
            return nil
        }
        return values.allSatisfy(\.isFinite) ? values : nil
    }

    /// The one number in an element's text.
    mutating func number(in view: ElementView?) -> Double? {
        guard let view else { return nil }
        return numbers(in: view, count: 1)?.first
    }

    /// Four numbers, or three: a missing alpha is 1.
    mutating func color(in view: ElementView) -> SIMD4<Double>? {
        let lacksAlpha = view.wordCount == 3 && repairs
        guard let values = numbers(in: view, count: lacksAlpha ? 3 : 4) else { return nil }
        if lacksAlpha {
            log.add(
                .quirkColorWithoutAlpha, at: view.place,
                "<\(view.name.rawValue)> has 3 numbers; expected 4; the alpha was taken for 1",
                arguments: [.init("values", "3"), .init("expected", "4")], fix: "write \(view.text.prefix(80)) 1")
        }
        return SIMD4(values[0], values[1], values[2], values.count > 3 ? values[3] : 1)
    }

    /// The numbers in an element's text, which may be infinite but no NaN; reported when they are not as many as `counts`.
    ///
    /// - Returns: `nil` when there are too few; no more than the most that are wanted.
    mutating func reals(in view: ElementView?, _ counts: ClosedRange<Int>) -> [Double]? {
        guard let view else { return nil }
        few.decode(view.trimmedBytes)
        few.finish(expectedCount: repairs ? counts.upperBound : nil)
        let issues = few.issues
        let values = few.takeValues()
        for issue in issues where issue.kind != .nonFinite || values.contains(where: \.isNaN) {
            add(issue, at: view.place)
        }
        if !counts.contains(values.count) {
            let expected = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "\(counts)"
            log.add(
                .schemaListLength, at: view.place,
                "<\(view.name.rawValue)> has \(values.count) values; expected \(expected)",
                arguments: [.init("values", "\(values.count)"), .init("expected", expected)])
        }
        guard values.count >= counts.lowerBound, !values.contains(where: \.isNaN) else { return nil }
        return Array(values.prefix(counts.upperBound))
    }

    mutating func real(in view: ElementView?) -> Double? { reals(in: view, 1...1)?.first }

    mutating func pair(in view: ElementView?) -> SIMD2<Double>? {
        reals(in: view, 2...2).map { SIMD2($0[0], $0[1]) }
    }

    mutating func vector(in view: ElementView?) -> SIMD3<Double>? {
        reals(in: view, 3...3).map { SIMD3($0[0], $0[1], $0[2]) }
    }

    mutating func quadruple(in view: ElementView?) -> SIMD4<Double>? {
        reals(in: view, 4...4).map { SIMD4($0[0], $0[1], $0[2], $0[3]) }
    }

    mutating func bool(in view: ElementView?) -> Bool? {
        guard let view else { return nil }
        let text = view.text
        if let value = Self.bools[text] { return value }
        if let value = repaired(text, "<\(view.name.rawValue)>", in: view) { return value }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "<\(view.name.rawValue)> is \(text.quoted(40)); expected true or false; left out",
            arguments: [.init("text", text)])
        return nil
    }

    mutating func bool(_ attribute: AttributeName, of view: ElementView) -> Bool {
        guard let text = view.attribute(attribute)?.trimmed else { return false }
        return Self.bools[text]
            ?? repaired(text, "the \(attribute.rawValue) of <\(view.name.rawValue)>", in: view) ?? false
    }

    /// - Parameter what: Whose text it is.
    private mutating func repaired(_ text: String, _ what: String, in view: ElementView) -> Bool? {
        guard repairs, let value = Self.bools[text.lowercased()] else { return nil }
        log.add(
            .quirkBooleanCase, at: view.place, "\(what) is \(text.quoted()); it was read as \(value)",
            arguments: [.init("found", text), .init("expected", "\(value)")], fix: "write \(value)")
        return value
    }

    private static let bools = ["true": true, "1": true, "false": false, "0": false]

    mutating func integer(in view: ElementView?) -> Int? {
        guard let view, let value = real(in: view) else { return nil }
        guard let number = Int(exactly: value) else {
            log.add(
                .schemaInvalidNumber, at: view.place,
                "<\(view.name.rawValue)> is \(view.text.quoted(40)); expected a whole number",
                arguments: [.init("text", view.text)])
            return nil
        }
        return number
    }

    // MARK: - Number issues

    mutating func add(_ issue: NumberIssue, at place: @autoclosure () -> Place) {
        log.add(
            code(of: issue), at: place(),
            issue.kind.message(text: issue.text, index: issue.index),
            arguments: [.init("text", issue.text), .init("index", "\(issue.index)")])
    }

    func code(of issue: NumberIssue) -> FindingCode {
        switch (options.schema, issue.kind) {
        // The schema has it for a number like any other, and what it means is infinite.
        case (.strict, .outOfRange) where Double(issue.text)?.isInfinite == true: .numberNonFinite
        case (.strict, _), (.lenient, _), (.off, _): issue.kind.code(repairs: repairs)
        }
    }

    /// A number with a comma is none where nothing is repaired.
    func repaired(_ value: Double?, _ issue: NumberIssue?) -> Double? {
        switch issue?.kind {
        case .decimalComma, .commaSeparator: repairs ? value : nil
        case .malformed, .outOfRange, .nonFinite, nil: value
        }
    }
}

extension AttributeName {
    /// Whether its text is the address of an element, which has a `#`.
    fileprivate func isAddress(of element: ElementName) -> Bool {
        switch self {
        case .url, .source, .convexHullOf: true
        case .target: element == .instanceMaterial
        default: false  // element names: attributes are no addresses else, or those of sids
        }
    }
}

extension ColladaOptions {
    /// Whether very many numbers go into a file.
    fileprivate var isOutOfMemory: Bool {
        switch (retention, arrays) {
        case (.everything, .memory): false
        case (.everything, .archive), (.figures, .memory), (.figures, .archive): true
        }
    }
}

// How an issue of a number is reported.

extension NumberIssue.Kind {
    /// - Parameter repairs: Whether commas are read as they were meant.
    fileprivate func code(repairs: Bool) -> FindingCode {
        switch self {
        case .malformed, .outOfRange: .schemaInvalidNumber
        case .nonFinite: .numberNonFinite
        case .decimalComma, .commaSeparator: repairs ? .numberDecimalComma : .schemaInvalidNumber
        }
    }

    fileprivate func message(text: String, index: Int) -> String {
        switch self {
        case .malformed: "value \(index) is \(text.quoted()), which is no number"
        case .outOfRange: "value \(index) is \(text.quoted()), which is too large"
        case .nonFinite: "value \(index) is \(text.quoted()), which is not finite"
        case .decimalComma: "value \(index) is \(text.quoted()); its comma was read as a point"
        case .commaSeparator: "value \(index) is \(text.quoted()); its commas were read as separators"
        }
    }
}

/// The findings of one document. What the check against the schema has reported about an element is not reported a second time by
/// what reads the element, which would use other words for it.
struct ReadingLog {
    private struct Reported: Hashable {
        let code: FindingCode
        /// Where the element begins.
        let byte: Int64
    }
    var findings = FindingLog()
    private var reported: Set<Reported> = []
    private var reportedCodes: Set<FindingCode> = []

    /// Beyond so many faults of one document the rest may be counted twice.
    private static let mostReported = 1 << 16

    mutating func add(
        _ code: FindingCode, at place: @autoclosure () -> Place = Place(), _ message: @autoclosure () -> String,
        arguments: @autoclosure () -> [Finding.Argument] = [], related: @autoclosure () -> [Place] = [],
        fix: @autoclosure () -> String? = nil, severity: Severity? = nil
    ) {
        if !reported.isEmpty, reportedCodes.contains(code), let byte = place().byte,
            reported.contains(Reported(code: code, byte: byte))
        {
            return
        }
        findings.add(
            code, at: place(), message(), arguments: arguments(), related: related(), fix: fix(), severity: severity)
    }

    /// Counts further findings of a code without keeping them.
    mutating func count(_ code: FindingCode, times: Int) { findings.count(code, times: times) }

    /// Notes that the check has found something about the element that begins at `byte`.
    ///
    /// - Returns: Whether the finding is to be added. One that is not is counted, with the severity that it has.
    mutating func takes(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity) -> Bool {
        if reported.count < Self.mostReported {
            reported.insert(Reported(code: code, byte: byte))
            reportedCodes.insert(code)
        }
        guard (findings.counts[code] ?? 0) < findings.capPerCode else {
            findings.add(code, "", severity: severity)
            return false
        }
        return true
    }
}
