import CLibXML2
import DaeCore
import Synchronization

/// Holds one document against a schema by libxml2, while its bytes come.
///
/// A class for the lifetimes of libxml2's parser and of its run. The bytes are those that an ``XMLReader`` has read
/// without failing: what it refuses must not come here.
package final class XMLSchemaRun {
    /// One thing that the schema does not allow.
    package struct Fault: Sendable, Equatable {
        /// From 1.
        package let line: Int
        package let message: String
    }

    private let file: XMLSchemaFile
    private var library: LibXML2 { file.library }
    private var run: xmlSchemaValidCtxtPtr?
    private var plug: xmlSchemaSAXPlugPtr?
    private var parser: xmlParserCtxtPtr?
    /// Where libxml2 keeps what it was plugged into, until it is unplugged.
    private let handler: UnsafeMutablePointer<xmlSAXHandlerPtr?>
    private let context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// Those since the last report.
    private var faults: [Fault] = []

    package init(_ file: XMLSchemaFile) {
        self.file = file
        handler = .allocate(capacity: 1)
        handler.initialize(to: nil)
        context = .allocate(capacity: 1)
        context.initialize(to: nil)
        run = library.schemaNewValidCtxt(file.schema)
        guard let run else { return }
        let own = Unmanaged.passUnretained(self).toOpaque()
        library.schemaSetValidStructuredErrors(run, Self.onFault, own)
        plug = library.schemaSAXPlug(run, handler, context)
        parser = library.createPushParserCtxt(handler.pointee, context.pointee, nil, 0, nil)
        guard let parser else { return }
        _ = library.ctxtUseOptions(parser, CInt(XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue))
        // The document's own faults are reported by who reads it.
        daedalus_xml_set_error_handler(parser) { _, _ in }
    }

    deinit {
        if let plug { _ = library.schemaSAXUnplug(plug) }
        if let parser { library.freeParserCtxt(parser) }
        if let run { library.schemaFreeValidCtxt(run) }
        handler.deallocate()
        context.deallocate()
    }

    /// Reads the next bytes, and reports what was found in them.
    package func read(_ bytes: UnsafeRawBufferPointer, report: (Fault) -> Void) {
        var at = 0
        while at < bytes.count {
            // So that no more is kept than one piece can be at fault in.
            let end = min(at + Self.pieceSize, bytes.count)
            feed(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), isLast: false)
            at = end
            takeFaults().forEach(report)
        }
    }

    package func finish(report: (Fault) -> Void) {
        feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        takeFaults().forEach(report)
    }

    private static let pieceSize = 64 * 1024

    private func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        guard let parser else { return }
        _ = library.parseChunk(
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

// libxml2 finds what a schema includes by one loader for the whole process. While a schema is loaded that is ours, which
// opens files of the schema's own folder and nothing else; what is imported from elsewhere, such as from the web, is
// taken from the file of the same name there. No other document is ever let to load anything.

/// A schema in the language of XML Schema, as libxml2 has it.
///
/// A class for the lifetime of the library's own; it is only read once it is made, so runs may share it.
package final class XMLSchemaFile: Sendable {
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    let library: LibXML2
    nonisolated(unsafe) let schema: xmlSchemaPtr  // allowed: libxml2 only reads it

    /// Loads a schema and what lies beside it.
    ///
    /// - Throws: ``Failure`` with what libxml2 says of the first thing that is wrong.
    package init(path: String) throws(Failure) {
        let resolved: String
        do throws(SystemError) { resolved = try RealPath.of(path) } catch {
            throw Failure(description: error.description)
        }
        switch LibXML2.shared {
        case .success(let loaded): library = loaded
        case .failure(let missing): throw Failure(description: "libxml2 cannot be loaded: \(missing.reason)")
        }
        let outcome = Self.loading.withLock { [library] _ in Self.load(resolved, library) }
        switch outcome {
        case .success(let loaded): schema = loaded.schema
        case .failure(let failure): throw failure
        }
    }

    deinit { library.schemaFree(schema) }

    // MARK: - Loading

    /// Carries a pointer out of the lock.
    private struct Loaded: @unchecked Sendable { let schema: xmlSchemaPtr }  // allowed: moves once

    /// Held while a schema is loaded: libxml2 hands its loader no context of ours.
    private static let loading = Mutex(())
    /// The folder of the schema that is being loaded, out of which nothing is opened.
    private static let folder = Mutex("")

    private static func load(_ path: String, _ library: LibXML2) -> Result<Loaded, Failure> {
        folder.withLock { $0 = path.split(separator: "/").dropLast().map { "/" + $0 }.joined() }
        let before = library.getExternalEntityLoader()
        library.setExternalEntityLoader(open)
        defer { library.setExternalEntityLoader(before) }
        guard let context = library.schemaNewParserCtxt(path) else {
            return .failure(Failure(description: "\(path): no memory"))
        }
        defer { library.schemaFreeParserCtxt(context) }
        var messages: [String] = []
        let schema = withUnsafeMutablePointer(to: &messages) { messages in
            library.schemaSetParserStructuredErrors(context, note, messages)
            return library.schemaParse(context)
        }
        guard let schema else {
            return .failure(Failure(description: "\(path): \(messages.first ?? "no schema")"))
        }
        return .success(Loaded(schema: schema))
    }

    private static let note: daedalus_xml_error_handler = { context, error in
        guard let context, let error = error?.pointee, error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let text = "line \(error.line): \(error.text)"
        context.assumingMemoryBound(to: [String].self).pointee.append(text)
    }

    private static let open: xmlExternalEntityLoader = { address, _, context in
        guard let address, let name = String(cString: address).split(separator: "/").last, name != ".." else {
            return nil
        }
        let path = folder.withLock { $0 } + "/" + name
        // A link would lead out of the folder.
        guard (try? RealPath.of(path)) == path else { return nil }
        guard case .success(let library) = LibXML2.shared else { return nil }
        return library.newInputFromFile(context, path)
    }
}

extension xmlError {
    /// Its message on one line, at most 300 characters.
    var text: String {
        guard let message else { return "error \(code)" }
        return String(cString: message).prefix(300).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
