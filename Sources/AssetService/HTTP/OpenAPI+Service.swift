extension OpenAPI {
    /// The service itself.
    static let servicePaths = #"""
        "/v1/openapi.json": {
          "get": {
            "operationId": "describe",
            "tags": ["service"],
            "summary": "This document",
            "responses": {
              "200": {
                "description": "The document",
                "content": {"application/json": {"schema": {"type": "object", "required": ["openapi", "paths"]}}}
              },
              \#(refusals)
            }
          }
        },
        "/healthz": {
          "get": {
            "operationId": "isAlive",
            "tags": ["service"],
            "summary": "Whether it lives",
            "responses": {
              "200": {
                "description": "It does",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
              },
              \#(refusals)
            }
          }
        },
        "/readyz": {
          "get": {
            "operationId": "isReady",
            "tags": ["service"],
            "summary": "Whether it can take work",
            "responses": {
              "200": {
                "description": "It can",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
              },
              \#(refusals)
            }
          }
        },
        "/": {
          "get": {
            "operationId": "page",
            "tags": ["service"],
            "summary": "A page for a person",
            "responses": {
              "200": {"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}},
              \#(refusals)
            }
          }
        }
        """#
}
