extension OpenAPI {
    /// Assets and what happens to them.
    static let assetPaths = #"""
        "/v1/assets": {
          "get": {
            "operationId": "listAssets",
            "tags": ["assets"],
            "summary": "The assets that fit, the newest first",
            "parameters": [
              {"$ref": "#/components/parameters/limit"},
              {"$ref": "#/components/parameters/after"},
              {"$ref": "#/components/parameters/state"},
              {"$ref": "#/components/parameters/sha256"},
              {"$ref": "#/components/parameters/nameFilter"}
            ],
            "responses": {
              "200": {
                "description": "One page",
                "headers": {"Link": {"$ref": "#/components/headers/Link"}},
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AssetPage"}}}
              },
              \#(refusals)
            }
          },
          "post": {
            "operationId": "addAsset",
            "tags": ["assets"],
            "summary": "Adds an asset, by an address or by a file's bytes",
            "description": "A file's name is `name` of the query, else what the form or Content-Disposition says. Of a form the first part with a filename is taken.",
            "parameters": [
              {"$ref": "#/components/parameters/name"},
              {"$ref": "#/components/parameters/idempotencyKey"}
            ],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Order"}},
                "multipart/form-data": {
                  "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}}
                  }
                },
                "application/octet-stream": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
              }
            },
            "responses": {
              "201": {
                "description": "It was added",
                "headers": {
                  "Location": {"$ref": "#/components/headers/LocationRequired"},
                  "Idempotency-Replayed": {"$ref": "#/components/headers/Replayed"}
                },
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asset"}}}
              },
              "409": {"$ref": "#/components/responses/Problem"},
              "410": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              "415": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "getAsset",
            "tags": ["assets"],
            "summary": "An asset and its state",
            "responses": {
              "200": {
                "description": "The asset",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asset"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          },
          "delete": {
            "operationId": "removeAsset",
            "tags": ["assets"],
            "summary": "Removes an asset, and its bytes where no other has them",
            "responses": {
              "204": {"description": "It is gone"},
              "404": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/actions": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "post": {
            "operationId": "actOnAsset",
            "tags": ["assets"],
            "summary": "Takes an action: one of those that `availableActions` names",
            "parameters": [{"$ref": "#/components/parameters/idempotencyKey"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Action"}}}},
            "responses": {
              "200": {
                "description": "The asset as it is now",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asset"}}}
              },
              "202": {
                "description": "The model is being made",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Asset"}}}
              },
              "204": {"description": "It was removed"},
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "410": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/events": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "watchAsset",
            "tags": ["events"],
            "summary": "Server-sent events of one asset: its state, then every change",
            "parameters": [{"$ref": "#/components/parameters/lastEvent"}],
            "responses": {
              "200": {
                "description": "Events until the asset is removed",
                "content": {"text/event-stream": {"schema": {"type": "string"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/events": {
          "get": {
            "operationId": "watchAll",
            "tags": ["events"],
            "summary": "Server-sent events of all assets",
            "parameters": [{"$ref": "#/components/parameters/lastEvent"}],
            "responses": {
              "200": {"description": "Events", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
              \#(refusals)
            }
          }
        }
        """#
}
