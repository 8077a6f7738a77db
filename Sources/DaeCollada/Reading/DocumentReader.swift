// Turns the events of one document into a `ColladaDocument`: markup goes into the fragment, numbers straight into
// arrays, and each unit is decoded at its end tag by the reader of its family.

import DaeDiagnostics
import DaeNumbers
import DaeSchema
import DaeXML

struct DocumentReader: ~Copyable {
    /// What the text now arriving belongs to: the innermost open record, where it is read.
    private enum Text {
        /// White space, or nothing that is read.
        case none
        case plain, reals, integers, hex
    }

    /// What becomes of the elements now arriving.
    private enum Mode {
        case read
        /// Nothing; so many elements are open, the one that is skipped among them.
        case skip(depth: Int)
        /// They are kept as they are, for the innermost open record.
        case keep
    }

    private var document = ColladaDocument()
    private var context: ReadingContext
    private(set) var failure: CodedFailure?

    private let holder: FragmentHolder
    private let fragment: UnsafeMutablePointer<Fragment>
    private let vocabulary = ColladaVocabulary.shared
    /// The innermost open record; -1 before the root.
    private var current = -1
    private var mode = Mode.read
    private var text = Text.none
    /// Which record's text it is.
    private var textRecord = -1
    private var textLength = 0
    private var reals = NumberListReader<Double>()
    private var integers = NumberListReader<Int32>()
    private var hex = HexDecoder(limit: 0)
    /// `nil` where none is asked for.
    private var outline: DocumentOutline.Writer?
    private var kept = KeptElements()
    /// Elements that are kept of units that have ended, and lists of indices in the one that is read.
    private var endedElements = 0
    private var indexLists = 0

    // Readers of families that remember something of the document. The others are without state.
    private var assets = AssetReader()
    private var geometries = GeometryReader()
    private var animations = AnimationReader()

    init(options: ColladaOptions) {
        context = ReadingContext(options: options)
        outline = options.keepsOutline ? DocumentOutline.Writer(spool: options.spool) : nil
        holder = FragmentHolder()
        fragment = holder.pointer
    }

    /// What was wrong so far.
    var findings: FindingLog { context.log.findings }

    /// Why numbers could not be put out of memory; `nil` when all were.
    var numberFailure: CodedFailure? { context.numberFailure ?? outline?.failure }

    /// Completes the document at its end.
    mutating func finish(bytes: Int64, encoding: String?) -> ColladaDocument {
        animations.readLateSamplers(&context, in: &document)
        // Decoded at their end tags, so those within an animation came before it.
        document.orderAnimations()
        document.otherDocuments = context.otherDocuments
        document.number = context.options.document
        document.bytes = bytes
        document.encoding = encoding
        document.outline = outline.take()?.finish()
        return document
    }

    // MARK: - Events

    mutating func startElement(_ name: XMLName, attributes: XMLAttributes, at start: XMLPosition) -> XMLFlow {
        outline?.start(name, attributes, at: start)
        if isInProfile { kept.startInProfile(name, attributes) }
        switch mode {
        case .read:
            var position = start
            position.document = context.options.document
            guard read(name, attributes, at: position) else { return .stop }
        case .skip(let depth): mode = .skip(depth: depth + 1)
        case .keep: kept.start(name, attributes)
        }
        return flow
    }

    /// Most text is the white space between two elements.
    private var flow: XMLFlow {
        if case .none = text, case .read = mode, !isInProfile { .passText } else { .proceed }
    }

    var takesAnyLineEnd: Bool {
        guard !isInProfile else { return false }
        switch mode {
        case .skip: return true
        case .keep: return false
        case .read: break
        }
        switch text {
        case .none, .reals, .integers: return true
        case .plain, .hex: return false
        }
    }

    mutating func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        if isInProfile { kept.textInProfile(bytes) }
        switch mode {
        case .read: return read(bytes, at: position)
        case .skip: break
        case .keep: kept.text(bytes)
        }
        return .proceed
    }

    mutating func endElement(at position: XMLPosition) -> XMLFlow {
        outline?.end(at: position)
        if isInProfile { endInProfile(at: position) }
        switch mode {
        case .read: close(at: position)
        case .skip(let depth): mode = depth > 1 ? .skip(depth: depth - 1) : .read
        case .keep:
            guard let element = kept.end() else { break }
            mode = .read
            if kept.isCut { reportCut(element, at: position) }
            if current >= 0 { fragment.pointee.keep(element, for: current) }
        }
        return flow
    }

    /// Whether what arrives is within a profile that is kept as it stands beside being read for its images.
    private var isInProfile: Bool { kept.profileOwner != nil }

    private mutating func endInProfile(at position: XMLPosition) {
        guard let (profile, owner) = kept.endInProfile() else { return }
        if kept.isCut { reportCut(profile, at: position) }
        fragment.pointee.keep(profile, for: owner)
    }

    private mutating func reportCut(_ element: RawElement, at position: XMLPosition) {
        context.log.add(
            .workLimitExceeded, at: Place(position),
            "<\(element.name)> is kept as it stands, but for what lies more than \(KeptElements.mostLevels) levels deep in it"
        )
    }

    // MARK: - Reading

    /// False where the document is refused.
    @inline(__always)
    private mutating func read(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) -> Bool {
        let entry = name.number.flatMap { vocabulary.element($0) }
        let parent = current
        guard parent >= 0 else {
            guard let entry, entry.name == .collada else { return refuse(root: name.text, at: position) }
            begin(entry, attributes, at: position, below: -1)
            RootReader.readRoot(
                ElementView(fragment: fragment, index: 0), namespace: name.namespace, &context, into: &document)
            return true
        }
        let place = fragment.pointee.records.at(parent).pointee.entry
        switch place.content {
        case .reals, .integers, .hex:
            // No element means anything among numbers, which go on behind it.
            mode = .skip(depth: 1)
            return true
        case .elements, .text, .raw, .skipped: break
        }
        if let entry, entry.name != .technique || !isForeign(within: place) {
            switch entry.content {
            case .raw: keepOrSkip(name, entry, attributes, at: position, below: parent, place)
            case .skipped:
                mode = .skip(depth: 1)
                noteSkipped(entry, attributes, at: position, below: parent)
            case .elements, .text, .reals, .integers, .hex:
                guard endedElements + fragment.pointee.records.count < context.options.elementLimit else {
                    return refuseElements(at: position)
                }
                begin(entry.within(place.name), attributes, at: position, below: parent)
                if entry.isProfile { keepProfile(name, attributes) }
            }
        } else {
            keepOrSkip(name, entry, attributes, at: position, below: parent, place)
        }
        return true
    }

    /// Keeps an element that is not read as it stands, or nothing of it.
    private mutating func keepOrSkip(
        _ name: XMLName, _ entry: ElementEntry?, _ attributes: XMLAttributes, at position: XMLPosition,
        below parent: Int, _ place: ElementEntry
    ) {
        if let entry, entry.name == .extra { context.noteID(of: .extra, attributes, at: position) }
        let isMath = entry == nil && isFormula(name, within: parent)
        // A node's may hide it, which the size of the scene hangs on.
        let keeps = context.options.retention == .everything || isMath || place.needsExtras || place.name == .node
        if keeps, entry != nil || isMath || place.name.isShader, kept.hasRoom {
            kept.begin(name, attributes)
            mode = .keep
        } else {
            mode = .skip(depth: 1)
        }
    }

    /// Besides its images nothing of a profile is decoded while it arrives.
    private mutating func keepProfile(_ name: XMLName, _ attributes: XMLAttributes) {
        guard context.options.retention == .everything, kept.hasRoom, !isInProfile else { return }
        kept.beginProfile(name, attributes, for: current)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch text {
        case .none: return .proceed
        case .plain:
            textLength += bytes.count
            guard textLength <= context.options.limits.textBytes else {
                failure = CodedFailure(
                    .xmlSizeExceeded, at: Place(position),
                    "a text is longer than \(context.options.limits.textBytes) bytes, the most allowed")
                return .stop
            }
            fragment.pointee.appendText(to: textRecord, bytes)
        case .reals:
            reals.decode(bytes, at: position, of: ElementView(fragment: fragment, index: textRecord), &context)
        case .integers:
            integers.decode(bytes, at: position, of: ElementView(fragment: fragment, index: textRecord), &context)
        case .hex: hex.decode(bytes)
        }
        return .proceed
    }

    // MARK: - Elements

    @inline(__always)
    private mutating func begin(
        _ entry: ElementEntry, _ attributes: XMLAttributes, at position: XMLPosition, below parent: Int
    ) {
        endPlainText()
        let record = fragment.pointee.open(entry, below: parent, at: position)
        let id = fragment.pointee.setAttributes(of: record, attributes, vocabulary.attributes)
        current = record
        if let id, !id.isEmpty, context.notesIDs {
            let view = ElementView(fragment: fragment, index: record)
            context.note(id, of: entry.name, at: position) { view.place }
        }
        switch entry.content {
        case .elements, .raw, .skipped: text = .none
        case .text:
            fragment.pointee.beginText(of: record)
            textLength = 0
            (text, textRecord) = (.plain, record)
        case .reals:
            reals.begin()
            (text, textRecord) = (.reals, record)
        case .integers:
            indexLists += 1
            integers.begin()
            (text, textRecord) = (.integers, record)
        case .hex:
            hex = HexDecoder(limit: context.options.retention == .everything ? context.options.limits.textBytes : 0)
            (text, textRecord) = (.hex, record)
        }
    }

    /// Pads it, before anything else comes behind it.
    private mutating func endPlainText() {
        switch text {
        case .plain: fragment.pointee.endText()
        case .none, .reals, .integers, .hex: break
        }
    }

    /// An element whose inside is not read: it is there all the same, and a unit counts.
    private mutating func noteSkipped(
        _ entry: ElementEntry, _ attributes: XMLAttributes, at position: XMLPosition, below parent: Int
    ) {
        begin(entry, attributes, at: position, below: parent)
        close(at: position)
    }

    @inline(__always)
    private mutating func close(at end: XMLPosition) {
        let record = current
        guard record >= 0 else { return }
        current = Int(fragment.pointee.records.at(record).pointee.parent)
        if assets.innermostOwner == record { assets.endOwner(at: end, in: &document) }
        switch text {
        case .none: break
        case .plain, .reals, .integers, .hex: finishText()
        }
        if fragment.pointee.records.at(record).pointee.entry.isUnit {
            let elements = fragment.pointee.records.count - record
            endedElements += elements - min(indexLists, elements - 1)
            indexLists = 0
            fragment.pointee.closeUnit(as: decodeUnit(ElementView(fragment: fragment, index: record)))
            context.endNumbersOfUnit()
        }
        // Text behind a child is no value of its parent: nothing in COLLADA has both.
    }

    private mutating func finishText() {
        let view = ElementView(fragment: fragment, index: textRecord)
        switch text {
        case .none: return
        case .plain: fragment.pointee.endText()
        case .reals:
            let count = context.integer(view, .count)
            let values = reals.end(expectedCount: context.repairs ? count : nil, of: view, &context)
            compare(values.count, with: count, of: view)
            fragment.pointee.setReals(of: textRecord, values)
        case .integers:
            let values = integers.end(expectedCount: nil, of: view, &context)
            fragment.pointee.setIntegers(of: textRecord, values)
        case .hex:
            hex.report(of: view, &context)
            fragment.pointee.setHex(of: textRecord, hex)
            hex = HexDecoder(limit: 0)
        }
        text = .none
    }

    /// Holds how many numbers a list has against how many it says.
    private mutating func compare(_ found: Int, with count: Int?, of view: ElementView) {
        guard let count, count != found else { return }
        if count > found, view.isMeshArray {
            geometries.noteShortArray()
        } else {
            DataFlowReader.reportCount(count, of: view, found: found, &context)
        }
    }

    /// Decodes a unit into the document; gives its place in the list of its kind, `nil` where there is no such list.
    private mutating func decodeUnit(_ view: ElementView) -> Int? {
        switch view.name {
        case .asset: assets.readAsset(view, &context, into: &document)
        case .geometry: document.geometries.add(geometries.geometry(view, &context, in: &document))
        case .controller: document.controllers.add(ControllerReader.controller(view, &context))
        case .effect: document.effects.add(EffectReader.effect(view, &context))
        case .material: document.materials.add(EffectReader.material(view, &context))
        case .image: document.images.add(ImageReader.image(view, &context))
        case .camera: document.cameras.add(OpticsReader.camera(view, &context))
        case .light: document.lights.add(OpticsReader.light(view, &context))
        case .animation: document.animations.add(animations.animation(view, &context, in: &document))
        case .animationClip: document.animationClips.add(animations.animationClip(view, &context))
        case .node: document.nodes.add(NodeReader.node(view, &context, in: &document))
        case .visualScene: document.visualScenes.add(NodeReader.visualScene(view))
        case .scene: NodeReader.readScene(view, &context, into: &document)
        case .physicsMaterial: document.physicsMaterials.add(PhysicsReader.physicsMaterial(view, &context))
        case .forceField: document.forceFields.add(PhysicsReader.forceField(view))
        case .physicsModel: document.physicsModels.add(PhysicsReader.physicsModel(view, &context))
        case .physicsScene: document.physicsScenes.add(PhysicsReader.physicsScene(view, &context))
        case .joint: document.joints.add(KinematicsReader.joint(view, &context))
        case .formula: document.formulas.add(KinematicsReader.formula(view, &context))
        case .kinematicsModel:
            document.kinematicsModels.add(KinematicsReader.kinematicsModel(view, &context))
        case .articulatedSystem:
            document.articulatedSystems.add(KinematicsReader.articulatedSystem(view, &context))
        case .kinematicsScene:
            document.kinematicsScenes.add(KinematicsReader.kinematicsScene(view, &context))
        default: nil  // element names: every other one is no unit (ElementTable)
        }
    }

    private mutating func refuseElements(at position: XMLPosition) -> Bool {
        failure = CodedFailure(
            .xmlSizeExceeded, at: Place(position),
            "the document has more than \(context.options.elementLimit) elements that are kept, the most allowed")
        return false
    }

    private mutating func refuse(root: String, at position: XMLPosition) -> Bool {
        failure = CodedFailure(
            .docNotCollada, at: Place(position),
            "the root element is <\(root.prefix(80))>; expected <COLLADA>")
        return false
    }

    /// A `<technique>` is read only where it is the common profile's.
    private mutating func isForeign(within parent: ElementEntry) -> Bool {
        guard !parent.isProfile else { return false }
        switch parent.name {
        case .profileCommon, .shader: return false
        case .source: return !context.isVersion13
        default: return true  // element names: every other one's techniques are no profile's
        }
    }

    /// MathML is of another namespace, so its names are not in the vocabulary.
    private mutating func isFormula(_ name: XMLName, within parent: Int) -> Bool {
        let view = ElementView(fragment: fragment, index: parent)
        guard view.name == .techniqueCommon, view.parent?.name == .formula else { return false }
        return name.localName.split(separator: ":").last == "math"
    }

    // MARK: - The checks beside

    /// Reports what libxml2's check has found.
    mutating func report(_ fault: XMLSchemaRun.Fault) {
        context.log.add(
            .schemaXSD, at: Place(line: fault.line), fault.message, arguments: [.init("message", fault.message)])
    }

    /// Notes that the check against the schema has found something about the element that begins at `byte`.
    ///
    /// - Returns: Whether the finding is to be added.
    mutating func takes(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity) -> Bool {
        context.log.takes(code, ofElementAt: byte, severity: severity)
    }

    mutating func add(_ finding: Finding) { context.log.findings.add(finding) }

    var documentNumber: Int { context.options.document }
    var documentVersion: String? { document.version }
    var textLimit: Int { context.options.limits.textBytes }
    var repairs: Bool { context.repairs }
    var isExamined: Bool { context.isExamined }

    var textUse: TextUse {
        guard case .read = mode else { return .passed }
        switch text {
        case .none, .hex: return .passed
        case .plain: return .read
        case .reals, .integers: return .decoded
        }
    }

    /// The place of the innermost open element, with path and id, if it is the one that begins at `start`; `nil` for one
    /// that is skipped or kept as it stands.
    func place(ofElementAt start: XMLPosition) -> Place? {
        guard case .read = mode, current >= 0 else { return nil }
        let view = ElementView(fragment: fragment, index: current)
        return view.position.byte == start.byte ? view.place : nil
    }
}

extension Array {
    /// - Returns: The place of the element.
    fileprivate mutating func add(_ element: consuming Element) -> Int {
        append(element)
        return count - 1
    }
}
