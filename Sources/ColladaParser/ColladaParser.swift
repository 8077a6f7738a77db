public import Diagnostics
import XMLReader

/// Reads one COLLADA document from bytes that arrive in chunks of any size.
///
/// ```swift
/// let parser = ColladaParser()
/// try parser.read(chunk)
/// let reading = try parser.finish()
/// ```
/// What cannot be read is skipped without loss of the rest, and told as a finding. Not safe for use from two threads at
/// once; memory grows with what is kept (``ColladaOptions/retention``) and the largest single library element.
public final class ColladaParser {
    /// A document that was read to its end.
    public struct Reading: Sendable {
        public let document: ColladaDocument
        /// What was odd, in the order it was met.
        public let log: FindingLog
    }

    private var documentReader: DocumentReader
    private var xml: XMLReader
    private var xsd: XMLSchemaRun?

    public init(options: ColladaOptions = ColladaOptions()) {
        documentReader = DocumentReader(options: options)
        xsd = options.xsd.map(XMLSchemaRun.init)
        xml = Self.xmlReader(documentReader)
    }

    /// What checks the schema stands before what reads.
    private static func xmlReader(_ documentReader: DocumentReader) -> XMLReader {
        let options = documentReader.options
        let handler: any XMLEventHandler =
            switch options.schema {
            case .off: documentReader
            case .lenient: SchemaReader(before: documentReader, lenient: true)
            case .strict: SchemaReader(before: documentReader, lenient: false)
            }
        return XMLReader(vocabulary: ColladaVocabulary.shared.names, limits: options.limits, handler: handler)
    }

    /// Whether numbers are needed that were not kept (``ColladaOptions/canReadAgain``): what is read from here on is for
    /// nothing, and all bytes have to be given once more after ``startAgain()``.
    public var wantsToReadAgain: Bool {
        switch documentReader.completeness {
        case .complete: false
        case .lacking: true
        }
    }

    /// Forgets all that was read; the second time nothing is asked for again.
    public func startAgain() {
        var options = documentReader.options
        options.canReadAgain = false
        documentReader = DocumentReader(options: options)
        xsd = options.xsd.map(XMLSchemaRun.init)
        xml = Self.xmlReader(documentReader)
    }

    /// Bytes given so far.
    public var bytesRead: Int64 { xml.bytesRead }

    /// What was odd so far.
    public var log: FindingLog {
        var log = xml.log
        log.merge(documentReader.log.findings)
        return log
    }

    /// Bytes that are best read at a time.
    public static let chunkSize = 256 * 1024

    /// Reads the next bytes; they may be cut anywhere.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(ColladaError) {
        do throws(XMLError) { try xml.read(bytes) } catch { throw documentReader.failure ?? ColladaError(error) }
        if let failure = documentReader.failure { throw failure }
        if let failure = documentReader.numbers.failure { throw failure }
        xsd?.read(bytes, tell: tell)
    }

    private func tell(_ fault: XMLSchemaRun.Fault) {
        documentReader.log.add(
            .schemaXSD, at: Place(line: fault.line), fault.message, arguments: [.init("message", fault.message)])
    }

    /// Says that the document is at its end, and gives what was read.
    public func finish() throws(ColladaError) -> Reading {
        do { try xml.finish() } catch { throw documentReader.failure ?? ColladaError(error) }
        if let failure = documentReader.failure ?? documentReader.numbers.failure { throw failure }
        xsd?.finish(tell: tell)
        documentReader.readLateSamplers()
        // Decoded at their end tags, so those within an animation came before it.
        documentReader.document.orderAnimations()
        documentReader.document.number = documentReader.options.document
        documentReader.document.bytes = xml.bytesRead
        documentReader.document.encoding = xml.encoding
        return Reading(document: documentReader.document, log: log)
    }

    /// Reads a document that is in memory.
    public static func read(_ bytes: [UInt8], options: ColladaOptions = ColladaOptions()) throws(ColladaError)
        -> Reading
    {
        let parser = ColladaParser(options: options)
        var failure: ColladaError?
        bytes.withUnsafeBytes { all in
            do throws(ColladaError) { try parser.read(all) } catch { failure = error }
        }
        if let failure { throw failure }
        return try parser.finish()
    }
}
