import CServiceFiles

/// The description of the API by OpenAPI 3.1, which `/v1/openapi.json` gives and `daed openapi` prints. What it says is in
/// `Sources/CServiceFiles/openapi.json`; the tests hold every answer that they get against it.
enum OpenAPI {
    static let text = String(cString: daed_openapi_document())
}
