extension OpenAPI {
    /// Links that may be handed on, and tokens.
    static let accessPaths = #"""
        "/v1/assets/{id}/links": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "post": {
            "operationId": "linkAsset",
            "tags": ["access"],
            "summary": "Signed links by which whoever holds one gets a file without a token, until they expire",
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LinkOrder"}}}},
            "responses": {
              "200": {
                "description": "The links",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SignedLinks"}}}
              },
              "400": {"$ref": "#/components/responses/Problem"},
              "401": {"$ref": "#/components/responses/Problem"},
              "403": {"$ref": "#/components/responses/Problem"},
              "404": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              "415": {"$ref": "#/components/responses/Problem"},
              "421": {"$ref": "#/components/responses/Problem"},
              "429": {"$ref": "#/components/responses/Problem"},
              "500": {"$ref": "#/components/responses/Problem"},
              "503": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/v1/tokens": {
          "get": {
            "operationId": "listTokens",
            "tags": ["access"],
            "summary": "The tokens in use; needs the scope admin",
            "responses": {
              "200": {
                "description": "All but their secrets",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}}
              },
              "401": {"$ref": "#/components/responses/Problem"},
              "403": {"$ref": "#/components/responses/Problem"},
              "421": {"$ref": "#/components/responses/Problem"},
              "429": {"$ref": "#/components/responses/Problem"},
              "500": {"$ref": "#/components/responses/Problem"},
              "503": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/v1/tokens/{name}": {
          "parameters": [{"$ref": "#/components/parameters/tokenName"}],
          "delete": {
            "operationId": "revokeToken",
            "tags": ["access"],
            "summary": "Ends a token's use; needs the scope admin",
            "responses": {
              "204": {"description": "It lets nobody in any more"},
              "401": {"$ref": "#/components/responses/Problem"},
              "403": {"$ref": "#/components/responses/Problem"},
              "404": {"$ref": "#/components/responses/Problem"},
              "421": {"$ref": "#/components/responses/Problem"},
              "429": {"$ref": "#/components/responses/Problem"},
              "500": {"$ref": "#/components/responses/Problem"},
              "503": {"$ref": "#/components/responses/Problem"}
            }
          }
        }
        """#

    static let accessParameters = #"""
        "idempotencyKey": {
          "name": "Idempotency-Key",
          "in": "header",
          "description": "A request with the key of an earlier one is answered as that was, within a day",
          "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}
        },
        "tokenName": {
          "name": "name",
          "in": "path",
          "description": "What the token is called",
          "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
          "required": true
        }
        """#

    static let accessSchemas = #"""
        "LinkOrder": {
          "type": "object",
          "properties": {
            "expiresIn": {"type": "integer", "minimum": 1, "maximum": 2592000, "default": 3600, "description": "Seconds"},
            "files": {"type": "array", "maxItems": 1000, "items": {"type": "string"}, "description": "Files of the bundle"}
          }
        },
        "SignedLinks": {
          "type": "object",
          "required": ["expires", "links"],
          "properties": {
            "expires": {"type": "integer", "description": "Seconds since 1970"},
            "links": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^/v1/assets/"}}
          }
        },
        "Tokens": {
          "type": "object",
          "required": ["tokens"],
          "properties": {
            "tokens": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["id", "name", "scope", "created"],
                "properties": {
                  "id": {"type": "string"},
                  "name": {"type": "string"},
                  "scope": {"enum": ["read", "write", "admin"]},
                  "created": {"type": "integer", "description": "Milliseconds since 1970"}
                }
              }
            }
          }
        }
        """#
}
