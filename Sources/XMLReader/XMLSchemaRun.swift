import CLibXML2

/// Holds one document against a schema by libxml2, while its bytes come.
///
/// A class for the lifetimes of libxml2's parser and of its run. The bytes are those that an ``XMLReader`` has read
/// without failing: what it refuses must not come here.
public final class XMLSchemaRun {
    /// One thing that the schema does not allow.
    public struct Fault: Sendable, Equatable {
        /// From 1.
        public let line: Int
        public let message: String
    }

    private let file: XMLSchemaFile
    private var run: xmlSchemaValidCtxtPtr?
    private var plug: xmlSchemaSAXPlugPtr?
    private var parser: xmlParserCtxtPtr?
    /// Where libxml2 keeps what it was plugged into, until it is unplugged.
    private let handler: UnsafeMutablePointer<xmlSAXHandlerPtr?>
    private let context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// Since they were last told.
    private var faults: [Fault] = []

    public init(_ file: XMLSchemaFile) {
        self.file = file
        handler = .allocate(capacity: 1)
        handler.initialize(to: nil)
        context = .allocate(capacity: 1)
        context.initialize(to: nil)
        xmlInitParser()
        run = xmlSchemaNewValidCtxt(file.schema)
        guard let run else { return }
        let own = Unmanaged.passUnretained(self).toOpaque()
        daedalus_xsd_set_error_handler(run, Self.onFault, own)
        plug = xmlSchemaSAXPlug(run, handler, context)
        parser = xmlCreatePushParserCtxt(handler.pointee, context.pointee, nil, 0, nil)
        guard let parser else { return }
        xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue))
        // The document's own faults are told by who reads it.
        daedalus_xml_set_error_handler(parser) { _, _ in }
    }

    deinit {
        if let plug { xmlSchemaSAXUnplug(plug) }
        if let parser { xmlFreeParserCtxt(parser) }
        if let run { xmlSchemaFreeValidCtxt(run) }
        handler.deallocate()
        context.deallocate()
    }

    /// Reads the next bytes, and tells what was found in them.
    public func read(_ bytes: UnsafeRawBufferPointer, tell: (Fault) -> Void) {
        var at = 0
        while at < bytes.count {
            // So that no more is kept than one piece can be at fault in.
            let end = min(at + Self.pieceSize, bytes.count)
            feed(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), isLast: false)
            at = end
            takeFaults().forEach(tell)
        }
    }

    public func finish(tell: (Fault) -> Void) {
        feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        takeFaults().forEach(tell)
    }

    private static let pieceSize = 64 * 1024

    private func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        guard let parser else { return }
        xmlParseChunk(
            parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: bytes.count),
            isLast ? 1 : 0)
    }

    private func takeFaults() -> [Fault] {
        defer { faults.removeAll(keepingCapacity: true) }
        return faults
    }

    private static let onFault: daedalus_xml_error_handler = { context, error in
        guard let context, let error = error?.pointee, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let run = Unmanaged<XMLSchemaRun>.fromOpaque(context).takeUnretainedValue()
        let here = Int(run.parser?.pointee.input?.pointee.line ?? 1)
        run.faults.append(Fault(line: error.line > 0 ? Int(error.line) : max(1, here), message: error.text))
    }
}
