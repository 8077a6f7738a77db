extension OpenAPI {
    /// Who may do what.
    static let accessPaths = #"""
        "/v1/assets/{id}/links": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "post": {
            "operationId": "linksOfAsset",
            "tags": ["access"],
            "summary": "Makes signed links, by which whoever holds one gets a file without a token",
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LinkOrder"}}}},
            "responses": {
              "200": {
                "description": "The links, and when they expire",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SignedLinks"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/tokens": {
          "get": {
            "operationId": "listTokens",
            "tags": ["access"],
            "summary": "The tokens there are, without their secrets",
            "responses": {
              "200": {
                "description": "The tokens",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}}
              },
              \#(refusals)
            }
          }
        },
        "/v1/tokens/{name}": {
          "parameters": [{"$ref": "#/components/parameters/tokenName"}],
          "delete": {
            "operationId": "revokeToken",
            "tags": ["access"],
            "summary": "Revokes a token",
            "responses": {
              "204": {"description": "It lets nobody in any more"},
              "404": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        }
        """#
}
