// Turns the events of one document into a `ColladaDocument`: markup goes into the fragment, numbers straight into
// arrays, and each unit is decoded at its end tag by the file of its family.

import DaeDiagnostics
import DaeNumbers
import DaeSchema
import DaeXML

struct DocumentReader: ~Copyable {
    /// What the text now arriving belongs to: the innermost open record, where it is read.
    enum Text {
        /// White space, or nothing that is read.
        case none
        case plain, reals, integers, hex
    }

    /// What becomes of the elements now arriving.
    enum Passage {
        case read
        /// Nothing; so many elements are open, the one that is skipped among them.
        case skip(depth: Int)
        /// They are kept as they are, for the innermost open record.
        case keep
    }

    let options: ColladaOptions
    var document = ColladaDocument()
    /// Kept, as each geometry asks for it and the list of authors is as long as a file makes it.
    var isSketchUps = false
    var log = ReadingLog()
    /// `nil` where nobody looks at the units.
    var examiner: (any UnitExaminer)?
    /// Whether there is one, asked of each list of numbers.
    let isExamined: Bool
    /// Whether arrays of the mesh being read have fewer values than they say.
    var hasShortArrays = false
    var ids = SeenIDs()

    /// Samplers that wait for the sources of other animations.
    var late = LateSamplers()
    private(set) var failure: ColladaError?

    private let holder: FragmentHolder
    let fragment: UnsafeMutablePointer<Fragment>
    let vocabulary = ColladaVocabulary.shared
    /// The innermost open record; -1 before the root.
    private(set) var current = -1
    var passage = Passage.read
    var text = Text.none
    /// Which record's text it is.
    var textRecord = -1
    private var textLength = 0
    /// Bytes of a piece of a list from which on the decoder is told how many numbers the list announces.
    private static let longText = 1 << 15
    var issuesReported = 0
    /// `nil` where none is asked for.
    private var outline: DocumentOutline.Writer?
    private var openAssets = OpenAssets()
    private var kept = KeptElements()
    /// Elements that are kept of units that have ended, and lists of indices in the one that is read.
    private var endedElements = 0
    private var indexLists = 0
    var reals = NumberDecoder<Double>()
    var integers = NumberDecoder<Int32>()
    /// For the numbers of one element, such as a matrix, where they are unusual; used again, with its room.
    var few = NumberDecoder<Double>()
    /// For those that are not.
    var fewNumbers: [Double] = []
    var lists = CommonLists()
    var texts = CommonTexts()
    /// The numbers of the geometry or another unit that is read, or of the whole document where all are kept.
    var numbers: NumberStorage
    /// Those that outlive their units where only figures are wanted.
    var keptNumbers: NumberStorage
    var places = TokenPlaces()
    var hex = HexDecoder(limit: 0)
    /// Files that references were found to lead into, so that each is noted once.
    private var knownFiles: Set<String> = []

    init(options: ColladaOptions) {
        self.options = options
        examiner = options.examiner?()
        isExamined = examiner != nil
        let spool = options.isOutOfMemory ? options.spool : nil
        numbers = NumberStorage(spool, bound: spool?.memoryBytes ?? 0)
        keptNumbers = NumberStorage(spool, bound: (spool?.memoryBytes ?? 0) / 8)
        outline = options.keepsOutline ? DocumentOutline.Writer(spool: options.spool) : nil
        holder = FragmentHolder()
        fragment = holder.pointer
    }

    /// Why numbers could not be put out of memory; `nil` when all were.
    var numberFailure: ColladaError? { numbers.failure ?? keptNumbers.failure ?? outline?.failure }

    // MARK: - Events

    mutating func startElement(_ name: XMLName, attributes: XMLAttributes, at start: XMLPosition) -> XMLFlow {
        outline?.start(name, attributes, at: start)
        if isInProfile { kept.startInProfile(name, attributes) }
        switch passage {
        case .read:
            var position = start
            position.document = options.document
            guard read(name, attributes, at: position) else { return .stop }
        case .skip(let depth): passage = .skip(depth: depth + 1)
        case .keep: kept.start(name, attributes)
        }
        return flow
    }

    /// Most text is the white space between two elements.
    private var flow: XMLFlow {
        if case .none = text, case .read = passage, !isInProfile { .passText } else { .proceed }
    }

    var takesAnyLineEnd: Bool {
        guard !isInProfile else { return false }
        switch passage {
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
        switch passage {
        case .read: return read(bytes, at: position)
        case .skip: break
        case .keep: kept.text(bytes)
        }
        return .proceed
    }

    mutating func endElement(at position: XMLPosition) -> XMLFlow {
        outline?.end(at: position)
        if isInProfile { endInProfile(at: position) }
        switch passage {
        case .read: close(at: position)
        case .skip(let depth): passage = depth > 1 ? .skip(depth: depth - 1) : .read
        case .keep:
            guard let element = kept.end() else { break }
            passage = .read
            if kept.isCut { reportCut(element, at: position) }
            if current >= 0 { fragment.pointee.keep(element, for: current) }
        }
        return flow
    }

    /// Whether what arrives is within a profile that is kept as it stands beside being read for its images.
    var isInProfile: Bool { kept.profileOwner != nil }

    private mutating func endInProfile(at position: XMLPosition) {
        guard let (profile, owner) = kept.endInProfile() else { return }
        if kept.isCut { reportCut(profile, at: position) }
        fragment.pointee.keep(profile, for: owner)
    }

    private mutating func reportCut(_ element: RawElement, at position: XMLPosition) {
        log.add(
            .workLimitExceeded, at: Place(position),
            "<\(element.name)> is kept as it stands, but for what lies more than \(RawElementBuilder.mostLevels) levels deep in it"
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
            readRoot(ElementView(fragment: fragment, index: 0), namespace: name.namespace)
            return true
        }
        let place = fragment.pointee.records.at(parent).pointee.entry
        switch place.content {
        case .reals, .integers, .hex:
            // No element means anything among numbers, which go on behind it.
            passage = .skip(depth: 1)
            return true
        case .elements, .text, .raw, .skipped: break
        }
        if let entry, entry.name != .technique || !isForeign(within: place) {
            switch entry.content {
            case .raw: pass(name, entry, attributes, at: position, below: parent, place)
            case .skipped:
                passage = .skip(depth: 1)
                noteSkipped(entry, attributes, at: position, below: parent)
            case .elements, .text, .reals, .integers, .hex:
                guard endedElements + fragment.pointee.records.count < options.elementLimit else {
                    return refuseElements(at: position)
                }
                begin(entry.within(place.name), attributes, at: position, below: parent)
                if entry.isProfile { keepProfile(name, attributes) }
            }
        } else {
            pass(name, entry, attributes, at: position, below: parent, place)
        }
        return true
    }

    /// Keeps an element that is not read as it stands, or nothing of it.
    private mutating func pass(
        _ name: XMLName, _ entry: ElementEntry?, _ attributes: XMLAttributes, at position: XMLPosition,
        below parent: Int, _ place: ElementEntry
    ) {
        if let entry, entry.name == .extra { noteID(of: .extra, attributes, at: position) }
        let isMath = entry == nil && isFormula(name, within: parent)
        // A node's may hide it, which the size of the scene hangs on.
        let keeps = options.retention == .everything || isMath || place.needsExtras || place.name == .node
        if keeps, entry != nil || isMath || place.name.isShader, kept.hasRoom {
            kept.begin(name, attributes)
            passage = .keep
        } else {
            passage = .skip(depth: 1)
        }
    }

    /// Besides its images nothing of a profile is decoded while it arrives.
    private mutating func keepProfile(_ name: XMLName, _ attributes: XMLAttributes) {
        guard options.retention == .everything, kept.hasRoom, !isInProfile else { return }
        kept.beginProfile(name, attributes, for: current)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch text {
        case .none: return .proceed
        case .plain:
            textLength += bytes.count
            guard textLength <= options.limits.textBytes else {
                failure = ColladaError(
                    .xmlSizeExceeded, at: Place(position),
                    "a text is longer than \(options.limits.textBytes) bytes, the most allowed")
                return .stop
            }
            fragment.pointee.appendText(to: textRecord, bytes)
        case .reals, .integers:
            if bytes.count >= Self.longText { announceNumbers() }
            decode(bytes, at: position)
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
        if let id, !id.isEmpty, notesIDs {
            let view = ElementView(fragment: fragment, index: record)
            note(id, of: entry.name, at: position) { view.place }
        }
        switch entry.content {
        case .elements, .raw, .skipped: text = .none
        case .text:
            fragment.pointee.beginText(of: record)
            textLength = 0
            (text, textRecord) = (.plain, record)
        case .reals: beginNumbers(.reals, of: record)
        case .integers:
            indexLists += 1
            beginNumbers(.integers, of: record)
        case .hex:
            hex = HexDecoder(limit: options.retention == .everything ? options.limits.textBytes : 0)
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
        if openAssets.innermost == record { endAssetScope(at: end) }
        switch text {
        case .none: break
        case .plain, .reals, .integers, .hex: finishText()
        }
        if fragment.pointee.records.at(record).pointee.entry.isUnit {
            let elements = fragment.pointee.records.count - record
            endedElements += elements - min(indexLists, elements - 1)
            indexLists = 0
            fragment.pointee.closeUnit(as: decodeUnit(ElementView(fragment: fragment, index: record)))
            endNumbersOfUnit()
        }
        // Text behind a child is no value of its parent: nothing in COLLADA has both.
    }

    /// Decodes a unit into the document; gives its place in the list of its kind, `nil` where there is no such list.
    private mutating func decodeUnit(_ view: ElementView) -> Int? {
        switch view.name {
        case .asset: decodeAsset(view)
        case .geometry: document.geometries.add(decodeGeometry(view))
        case .controller: document.controllers.add(decodeController(view))
        case .effect: document.effects.add(decodeEffect(view))
        case .material: document.materials.add(decodeMaterial(view))
        case .image: document.images.add(decodeImage(view))
        case .camera: document.cameras.add(decodeCamera(view))
        case .light: document.lights.add(decodeLight(view))
        case .animation: document.animations.add(decodeAnimation(view))
        case .animationClip: document.animationClips.add(decodeAnimationClip(view))
        case .node: document.nodes.add(decodeNode(view))
        case .visualScene: document.visualScenes.add(decodeVisualScene(view))
        case .scene: decodeScene(view)
        case .physicsMaterial: document.physicsMaterials.add(decodePhysicsMaterial(view))
        case .forceField: document.forceFields.add(decodeForceField(view))
        case .physicsModel: document.physicsModels.add(decodePhysicsModel(view))
        case .physicsScene: document.physicsScenes.add(decodePhysicsScene(view))
        case .joint: document.joints.add(decodeJoint(view))
        case .formula: document.formulas.add(decodeFormula(view))
        case .kinematicsModel: document.kinematicsModels.add(decodeKinematicsModel(view))
        case .articulatedSystem: document.articulatedSystems.add(decodeArticulatedSystem(view))
        case .kinematicsScene: document.kinematicsScenes.add(decodeKinematicsScene(view))
        default: nil  // element names: every other one is no unit (ElementTable)
        }
    }

    /// Nothing outlives its unit where only figures are wanted but what was put apart.
    private mutating func endNumbersOfUnit() {
        switch options.retention {
        case .everything: break
        case .figures: numbers.removeAll()
        }
    }

    private mutating func refuseElements(at position: XMLPosition) -> Bool {
        failure = ColladaError(
            .xmlSizeExceeded, at: Place(position),
            "the document has more than \(options.elementLimit) elements that are kept, the most allowed")
        return false
    }

    private mutating func refuse(root: String, at position: XMLPosition) -> Bool {
        failure = ColladaError(
            .docNotCollada, at: Place(position),
            "the root element is <\(root.prefix(80))>; expected <COLLADA>")
        return false
    }

    /// A `<technique>` is read only where it is the common profile's.
    private mutating func isForeign(within parent: ElementEntry) -> Bool {
        guard !parent.isProfile else { return false }
        switch parent.name {
        case .profileCommon, .shader: return false
        case .source: return !isVersion13
        default: return true  // element names: every other one's techniques are no profile's
        }
    }

    /// MathML is of another namespace, so its names are not in the vocabulary.
    private mutating func isFormula(_ name: XMLName, within parent: Int) -> Bool {
        let view = ElementView(fragment: fragment, index: parent)
        guard view.name == .techniqueCommon, view.parent?.name == .formula else { return false }
        return name.localName.split(separator: ":").last == "math"
    }

    var isVersion13: Bool { document.version?.hasPrefix("1.3") ?? false }

    // MARK: - Notes on the way

    /// Hands the outline to the document, at its end.
    mutating func finishOutline() { document.outline = outline.take()?.finish() }

    /// Notes the file of a reference that leads out of the document; the first reference to each stands for all.
    mutating func note(_ reference: ColladaDocument.Reference) {
        guard let file = reference.file, knownFiles.count < options.documentLimit,
            knownFiles.insert(file).inserted
        else { return }
        document.otherDocuments.append(reference)
    }

    /// Keeps the asset of an open element other than the root; the first one of each counts.
    mutating func keepAsset(_ asset: ColladaDocument.Asset, of owner: ElementView, at position: XMLPosition) {
        guard openAssets.innermost != owner.index else { return }
        openAssets.begin(owner.index, asset: document.nestedAssets.count)
        document.nestedAssets.append(
            .init(
                asset: asset, owner: owner.name.rawValue, position: position, start: owner.position.byte, end: .max))
    }

    private mutating func endAssetScope(at end: XMLPosition) {
        guard let asset = openAssets.end() else { return }
        document.nestedAssets[asset].end = end.byte
    }
}

extension Array {
    /// - Returns: The place of the element.
    fileprivate mutating func add(_ element: consuming Element) -> Int {
        append(element)
        return count - 1
    }
}
