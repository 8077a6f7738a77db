// libxml2 finds what a schema includes by one loader for the whole process. While a schema is loaded that is ours, which
// opens files of the schema's own folder and nothing else; what is imported from elsewhere, such as from the web, is
// taken from the file of the same name there. No other document is ever let to load anything.

import CLibXML2
import Glibc
import Synchronization

/// A schema in the language of XML Schema, as libxml2 has it.
///
/// A class for the lifetime of the library's own; it is only read once it is made, so runs may share it.
public final class XMLSchemaFile: Sendable {
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public let description: String
    }

    nonisolated(unsafe) let schema: xmlSchemaPtr  // allowed: libxml2 only reads it

    /// Loads a schema and what lies beside it.
    ///
    /// - Throws: ``Failure`` with what libxml2 says of the first thing that is wrong.
    public init(path: String) throws(Failure) {
        let real = realpath(path, nil)
        defer { free(real) }
        guard let real else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
        let resolved = String(cString: real)
        let outcome = Self.loading.withLock { _ in Self.load(resolved) }
        switch outcome {
        case .success(let loaded): schema = loaded.schema
        case .failure(let failure): throw failure
        }
    }

    deinit { xmlSchemaFree(schema) }

    // MARK: - Loading

    /// Carries a pointer out of the lock.
    private struct Loaded: @unchecked Sendable { let schema: xmlSchemaPtr }  // allowed: moves once

    /// What the loader may open, and what went wrong; libxml2 hands it no context of ours.
    private static let loading = Mutex(())
    private nonisolated(unsafe) static var folder = ""  // allowed: within the lock

    private static func load(_ path: String) -> Result<Loaded, Failure> {
        xmlInitParser()
        folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let before = xmlGetExternalEntityLoader()
        xmlSetExternalEntityLoader(open)
        defer { xmlSetExternalEntityLoader(before) }
        guard let context = xmlSchemaNewParserCtxt(path) else {
            return .failure(Failure(description: "\(path): no memory"))
        }
        defer { xmlSchemaFreeParserCtxt(context) }
        var messages: [String] = []
        let schema = withUnsafeMutablePointer(to: &messages) { messages in
            daedalus_xsd_set_loading_handler(context, note, messages)
            return xmlSchemaParse(context)
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
        let path = folder + "/" + name
        // A link would lead out of the folder.
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        guard String(cString: real) == path else { return nil }
        return xmlNewInputFromFile(context, path)
    }
}

extension xmlError {
    /// Its message on one line, at most 300 characters.
    var text: String {
        guard let message else { return "error \(code)" }
        return String(cString: message).prefix(300).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
