import ColladaParser
import XMLReader

/// Holds a whole document against the table, to the letter: the shortest validator there can be.
final class StrictReading: XMLEventHandler {
    private struct Open {
        /// `nil` within what is wrong already.
        let declaration: ElementDeclaration?
        var progress: ContentProgress
        var text: [UInt8] = []
    }
    private let models: ContentModels
    private var open: [Open] = []
    private var ids: Set<[UInt8]> = []
    private(set) var faults: [String] = []

    init(_ version: SchemaVersion) {
        models = .models(for: version)
    }

    static func faults(in bytes: [UInt8], _ version: SchemaVersion) throws -> [String] {
        let reading = StrictReading(version)
        let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: reading)
        try bytes.withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        return reading.faults
    }

    private func schemaName(_ name: XMLName) -> SchemaName? {
        switch name.namespace {
        case models.version.namespace: models.name(name.localName)
        case "http://www.w3.org/1998/Math/MathML": models.name("mathml:" + name.localName)
        default: nil  // strings: an element of any other namespace is in no schema
        }
    }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        let declaration = declaration(of: name)
        let type = declaration?.type ?? ElementDeclaration.nothing
        open.append(Open(declaration: declaration, progress: ContentProgress(type)))
        guard declaration != nil else { return .proceed }
        var progress = AttributeProgress(type)
        for index in 0..<attributes.count {
            guard let attribute = attributes.name(at: index) else { continue }
            if attribute.namespace == "http://www.w3.org/2001/XMLSchema-instance" { continue }
            let value = [UInt8](attributes.value(at: index))
            if isSecond(id: value, in: models.name(attribute.text), of: type) {
                faults.append("\(position.line): \(name.text) has an id that another element has")
            }
            if progress.take(models.name(attribute.text), value: value.span, models) != .valid {
                faults.append(
                    "\(position.line): \(name.text) \(attribute.text)=\(String(decoding: value, as: UTF8.self))")
            }
        }
        for missing in progress.missing(models) { faults.append("\(position.line): \(name.text) has no \(missing)") }
        return .proceed
    }

    private func isSecond(id value: [UInt8], in name: SchemaName?, of type: ElementType.ID) -> Bool {
        guard let rule = models[type].attributes.first(where: { $0.name == name }),
            case .builtIn(.id) = models[rule.type].form
        else { return false }
        return !ids.insert(value).inserted
    }

    private func declaration(of name: XMLName) -> ElementDeclaration? {
        guard let parent = open.indices.last else {
            let root = schemaName(name).flatMap(models.global)
            if root == nil { faults.append("root \(name.text)") }
            return root
        }
        guard open[parent].declaration != nil else { return nil }
        let verdict = models.take(schemaName(name), into: &open[parent].progress, lenient: false)
        switch verdict {
        case .expected, .free: break
        case .early, .late, .repeated, .unknown: faults.append("\(name.text) \(verdict)")
        }
        return verdict.declaration
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        if let last = open.indices.last { open[last].text += bytes }
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        guard let last = open.popLast(), let declaration = last.declaration else { return .proceed }
        let name = models.text(declaration.name)
        for missing in models.missing(last.progress) { faults.append("\(position.line): \(name) needs \(missing)") }
        if let fault = models.fault(inTextOf: declaration, last.text.span, lenient: false) {
            faults.append("\(position.line): \(name) \(fault)")
        }
        return .proceed
    }
}

extension ElementDeclaration {
    /// A type for what is not looked into.
    fileprivate static let nothing = ContentModels.models(for: .collada14).declarations[0].type
}
