// Text and no value: what is served is what is read here, and it costs the compiler nothing. The tests hold every answer
// that they get against it.

import Daedalus

/// The description of the API by OpenAPI 3.1, which `/v1/openapi.json` gives and `daed openapi` prints.
enum OpenAPI {
    static let text: String = {
        let paths = [assetPaths, resultPaths, uploadPaths, servicePaths].joined(separator: ",\n")
        return """
            {
            "openapi": "3.1.0",
            "info": {
              "title": "daed", "version": "\(Daed.version)", "summary": "Takes in downloadable 3D models, and gives back \
            scenes that can be trusted.",
              "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
            },
            "servers": [{"url": "/"}],
            "paths": {
            \(paths)
            },
            "components": {
            "parameters": {
            \(parameters)
            },
            "headers": {
            \(headers)
            },
            "responses": {
            \(responses)
            },
            "schemas": {
            \(schemas)
            }
            }
            }

            """
    }()
}
