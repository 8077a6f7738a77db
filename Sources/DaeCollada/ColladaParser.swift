public import DaeDiagnostics
import DaeSchema
public import DaeXML

/// Reads one COLLADA document from bytes that arrive in chunks of any size.
///
/// ```swift
/// let parser = ColladaParser()
/// try parser.read(chunk)
/// let reading = try parser.finish()
/// ```
/// What cannot be read is skipped without loss of the rest, and reported as a finding. Not safe for use from two threads at
/// once; memory grows with what is kept (``ColladaOptions/retention``) and the largest single library element.
package final class ColladaParser {
    /// A document that was read to its end.
    package struct Reading: Sendable {
        package let document: ColladaDocument
        /// What was wrong, in the order it was met.
        package let log: FindingLog
    }

    private let events: DocumentEvents
    private var xml: XMLReader
    private var xsd: XMLSchemaRun?

    package init(options: ColladaOptions = ColladaOptions()) {
        events = DocumentEvents(options: options)
        xsd = options.xsd.map(XMLSchemaRun.init)
        xml = Self.xmlReader(events, options)
    }

    /// What checks the schema stands before what reads.
    private static func xmlReader(_ events: DocumentEvents, _ options: ColladaOptions) -> XMLReader {
        let handler: any XMLEventHandler =
            switch options.schema {
            case .off: events
            case .lenient: SchemaReader(before: events, lenient: true)
            case .strict: SchemaReader(before: events, lenient: false)
            }
        return XMLReader(vocabulary: ColladaVocabulary.shared.names, limits: options.limits, handler: handler)
    }

    /// Bytes given so far.
    package var bytesRead: Int64 { xml.bytesRead }

    /// What was wrong so far.
    package var log: FindingLog {
        var log = xml.log
        log.merge(events.reader.findings)
        return log
    }

    /// Bytes that are best read at a time.
    package static let chunkSize = 256 * 1024

    /// Reads the next bytes; they may be cut anywhere.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(CodedFailure) {
        do throws(CodedFailure) { try xml.read(bytes) } catch { throw events.reader.failure ?? error }
        if let failure = events.reader.failure { throw failure }
        if let failure = events.reader.numberFailure { throw failure }
        xsd?.read(bytes, report: report)
    }

    private func report(_ fault: XMLSchemaRun.Fault) { events.reader.report(fault) }

    /// Says that the document is at its end, and gives what was read.
    package func finish() throws(CodedFailure) -> Reading {
        do { try xml.finish() } catch { throw events.reader.failure ?? error }
        if let failure = events.reader.failure ?? events.reader.numberFailure { throw failure }
        xsd?.finish(report: report)
        let document = events.reader.finish(bytes: xml.bytesRead, encoding: xml.encoding)
        return Reading(document: document, log: log)
    }

    /// Reads a document that is in memory.
    package static func read(_ bytes: [UInt8], options: ColladaOptions = ColladaOptions()) throws(CodedFailure)
        -> Reading
    {
        let parser = ColladaParser(options: options)
        var failure: CodedFailure?
        bytes.withUnsafeBytes { all in
            do throws(CodedFailure) { try parser.read(all) } catch { failure = error }
        }
        if let failure { throw failure }
        return try parser.finish()
    }
}

/// Hands the events of a document to its reader, and to the check against the schema what that has of it.
private final class DocumentEvents: XMLEventHandler {
    private let state: HandlerState<DocumentReader>

    init(options: ColladaOptions) { state = HandlerState(DocumentReader(options: options)) }

    var reader: DocumentReader {
        _read { yield state.value }
        _modify { yield &state.value }
    }

    var takesAnyLineEnd: Bool { reader.takesAnyLineEnd }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        reader.startElement(name, attributes: attributes, at: position)
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        reader.text(bytes, at: position)
    }

    func endElement(at position: XMLPosition) -> XMLFlow { reader.endElement(at: position) }
}

extension DocumentEvents: CheckedReader {
    var documentNumber: Int { reader.documentNumber }
    var documentVersion: String? { reader.documentVersion }
    var hasFailed: Bool { reader.failure != nil }
    var textLimit: Int { reader.textLimit }
    var repairs: Bool { reader.repairs }
    var isExamined: Bool { reader.isExamined }
    var textUse: TextUse { reader.textUse }

    func understands(profile: String) -> Bool { MaterialExtras.isKnown(profile) }

    func place(ofElementAt start: XMLPosition) -> Place? { reader.place(ofElementAt: start) }

    func report(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity, _ finding: () -> Finding) {
        // Apart, since a finding asks the reader for the place of its element.
        guard reader.takes(code, ofElementAt: byte, severity: severity) else { return }
        let finding = finding()
        reader.add(finding)
    }
}

/// How a document is read.
public struct ColladaOptions: Sendable {
    /// What is kept of meshes.
    public enum Retention: Sendable, Hashable {
        /// Every array.
        case everything
        /// Figures, and what the bounds of a scene are made of: positions in use and influences, which are stored out of
        /// memory where there is a `spool`. Arrays are given back at the end of each geometry.
        case figures
    }
    /// What of a document's numbers is kept.
    public var retention = Retention.everything
    /// Where the arrays of meshes and curves lie of which everything is kept.
    public enum ArrayPlace: Sendable, Hashable {
        case memory
        /// In a file where there is a `spool` and they are very many.
        case archive
    }
    /// Where the numbers that are kept lie.
    public var arrays = ArrayPlace.memory
    /// Where numbers go that only figures are made of and that memory is too dear for; `nil` to keep them in memory.
    package var spool: NumberSpool?
    /// What the markup of a document may ask for.
    public var limits = XMLLimits()
    /// Elements of a document that are kept, at most: lists of indices count only while their mesh is read.
    package var elementLimit = 5_000_000
    /// Whether, and how closely, documents are held against COLLADA's schema.
    public var schema = SchemaChecking.off
    /// What becomes of what exporters write otherwise than it should be, in ways that are known.
    public enum Repairs: Sendable, Hashable {
        /// It is read as it was meant, and reported.
        case made
        /// It is a fault like any other: what depends on it is left out.
        case refused
    }
    /// Whether what can be repaired is read, with a finding, or refused.
    public var repairs = Repairs.made
    /// A schema that libxml2 holds the document against besides.
    package var xsd: XMLSchemaFile?
    /// Nodes after instancing, at most; and as many instances of geometries and controllers.
    public var nodeLimit = 10_000_000
    /// The visual scene that is wanted, by its id or its name; `nil` for the one that the document instances.
    public var visualScene: String?
    /// The document's own path in its bundle, or its file name: it may refer to itself by that, and other documents are
    /// looked for beside it.
    package var documentPath: String?
    /// Which of several documents that are read into one it is; 0 is the first.
    package var document = 0
    /// Other documents that are read for a scene, at most; and how many bytes they may have together.
    package var documentLimit = 256
    package var documentBytes: Int64 = 4 << 30

    /// Whether the document knows afterwards which element stands where (``ColladaDocument/outline``).
    package var keepsOutline = false

    /// Makes what looks at each unit at its end; its numbers stay in memory until then. `nil` to look at none.
    package var examiner: (@Sendable () -> any UnitExaminer)?

    /// The defaults of each property.
    public init() {}

    /// Lets libxml2 hold documents against a schema of XML Schema besides. Of what the schema includes, files
    /// of its own folder are loaded and nothing else.
    public mutating func useXSD(path: String) throws(CodedFailure) {
        do { xsd = try XMLSchemaFile(path: path) } catch {
            throw CodedFailure(.schemaXSD, at: Place(), error.description)
        }
    }
}

/// Whether a document is held against the schema of its version while it is read.
public enum SchemaChecking: String, Sendable, Hashable, CaseIterable {
    case off
    /// What a reader can live with is no error: another order of elements, and what the schema of 1.5
    /// left out by mistake. Documents of no namespace, or another, are held against the schema of their version.
    case lenient
    /// Every departure from the letter is an error.
    case strict
}
