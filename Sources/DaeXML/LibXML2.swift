import CLibXML2
import DaeCore

/// libxml2, loaded by the first document that needs it: what it brings along takes longer to load than a small file to read.
///
/// Its functions, by their own names without the prefix.
struct LibXML2: Sendable {
    /// Why it cannot be used.
    struct Missing: Error {
        let reason: String
    }

    /// Made at its first use, and once.
    static let shared = load(file: String(cString: daedalus_xml_file_name()))

    let initParser: @convention(c) @Sendable () -> Void
    let createPushParserCtxt:
        @convention(c) @Sendable (
            UnsafeMutablePointer<xmlSAXHandler>?, UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt,
            UnsafePointer<CChar>?
        ) -> xmlParserCtxtPtr?
    let ctxtUseOptions: @convention(c) @Sendable (xmlParserCtxtPtr?, CInt) -> CInt
    let switchEncoding: @convention(c) @Sendable (xmlParserCtxtPtr?, xmlCharEncoding) -> CInt
    let parseChunk: @convention(c) @Sendable (xmlParserCtxtPtr?, UnsafePointer<CChar>?, CInt, CInt) -> CInt
    let stopParser: @convention(c) @Sendable (xmlParserCtxtPtr?) -> Void
    let freeParserCtxt: @convention(c) @Sendable (xmlParserCtxtPtr?) -> Void
    let dictLookup: @convention(c) @Sendable (xmlDictPtr?, UnsafePointer<UInt8>?, CInt) -> UnsafePointer<UInt8>?
    let getExternalEntityLoader: @convention(c) @Sendable () -> xmlExternalEntityLoader?
    let setExternalEntityLoader: @convention(c) @Sendable (xmlExternalEntityLoader?) -> Void
    let newInputFromFile: @convention(c) @Sendable (xmlParserCtxtPtr?, UnsafePointer<CChar>?) -> xmlParserInputPtr?
    let schemaNewParserCtxt: @convention(c) @Sendable (UnsafePointer<CChar>?) -> xmlSchemaParserCtxtPtr?
    let schemaSetParserStructuredErrors:
        @convention(c) @Sendable (
            xmlSchemaParserCtxtPtr?, daedalus_xml_error_handler?, UnsafeMutableRawPointer?
        ) -> Void
    let schemaParse: @convention(c) @Sendable (xmlSchemaParserCtxtPtr?) -> xmlSchemaPtr?
    let schemaFreeParserCtxt: @convention(c) @Sendable (xmlSchemaParserCtxtPtr?) -> Void
    let schemaFree: @convention(c) @Sendable (xmlSchemaPtr?) -> Void
    let schemaNewValidCtxt: @convention(c) @Sendable (xmlSchemaPtr?) -> xmlSchemaValidCtxtPtr?
    let schemaSetValidStructuredErrors:
        @convention(c) @Sendable (
            xmlSchemaValidCtxtPtr?, daedalus_xml_error_handler?, UnsafeMutableRawPointer?
        ) -> Void
    let schemaSAXPlug:
        @convention(c) @Sendable (
            xmlSchemaValidCtxtPtr?, UnsafeMutablePointer<xmlSAXHandlerPtr?>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> xmlSchemaSAXPlugPtr?
    let schemaSAXUnplug: @convention(c) @Sendable (xmlSchemaSAXPlugPtr?) -> CInt
    let schemaFreeValidCtxt: @convention(c) @Sendable (xmlSchemaValidCtxtPtr?) -> Void

    static func load(file: String) -> Result<LibXML2, Missing> {
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(Missing(reason: dlerror().map { String(cString: $0) } ?? "no reason is given"))
        }
        do throws(Missing) {
            let loaded = try LibXML2(library)
            loaded.initParser()
            return .success(loaded)
        } catch { return .failure(error) }
    }

    private init(_ library: UnsafeMutableRawPointer) throws(Missing) {
        func find<Function>(_ name: String, _: Function.Type = Function.self) throws(Missing) -> Function {
            guard let symbol = dlsym(library, "xml" + name) else { throw Missing(reason: "xml\(name) is not in it") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        initParser = try find("InitParser")
        createPushParserCtxt = try find("CreatePushParserCtxt")
        ctxtUseOptions = try find("CtxtUseOptions")
        switchEncoding = try find("SwitchEncoding")
        parseChunk = try find("ParseChunk")
        stopParser = try find("StopParser")
        freeParserCtxt = try find("FreeParserCtxt")
        dictLookup = try find("DictLookup")
        getExternalEntityLoader = try find("GetExternalEntityLoader")
        setExternalEntityLoader = try find("SetExternalEntityLoader")
        newInputFromFile = try find("NewInputFromFile")
        schemaNewParserCtxt = try find("SchemaNewParserCtxt")
        schemaSetParserStructuredErrors = try find("SchemaSetParserStructuredErrors")
        schemaParse = try find("SchemaParse")
        schemaFreeParserCtxt = try find("SchemaFreeParserCtxt")
        schemaFree = try find("SchemaFree")
        schemaNewValidCtxt = try find("SchemaNewValidCtxt")
        schemaSetValidStructuredErrors = try find("SchemaSetValidStructuredErrors")
        schemaSAXPlug = try find("SchemaSAXPlug")
        schemaSAXUnplug = try find("SchemaSAXUnplug")
        schemaFreeValidCtxt = try find("SchemaFreeValidCtxt")
    }
}
