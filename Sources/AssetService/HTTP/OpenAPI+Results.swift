extension OpenAPI {
    /// What is known of one asset.
    static let resultPaths = #"""
        "/v1/assets/{id}/inspect": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "inspectAsset",
            "tags": ["results"],
            "summary": "What is in it, as `dae inspect --format json` says it",
            "responses": {
              "200": {
                "description": "The inspection, or why there is none",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/tree": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "treeOfAsset",
            "tags": ["results"],
            "summary": "Its nodes, as `dae tree --format json` says them",
            "responses": {
              "200": {
                "description": "The nodes",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/report": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "reportOfAsset",
            "tags": ["results"],
            "summary": "What is wrong with it, as `dae validate` says it",
            "parameters": [
              {"$ref": "#/components/parameters/format"},
              {"$ref": "#/components/parameters/ifNoneMatch"},
              {"$ref": "#/components/parameters/linkExpires"},
              {"$ref": "#/components/parameters/linkKey"},
              {"$ref": "#/components/parameters/linkSignature"}
            ],
            "responses": {
              "200": {
                "description": "The report",
                "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Report"}},
                  "application/sarif+json": {"schema": {"type": "object", "required": ["version", "runs"]}},
                  "text/markdown": {"schema": {"type": "string"}}
                }
              },
              "304": {"description": "The client has it", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}},
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/model.glb": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "modelOfAsset",
            "tags": ["results"],
            "summary": "It as binary glTF 2.0, made when it is first asked for",
            "parameters": [
              {"$ref": "#/components/parameters/range"},
              {"$ref": "#/components/parameters/ifRange"},
              {"$ref": "#/components/parameters/ifNoneMatch"},
              {"$ref": "#/components/parameters/linkExpires"},
              {"$ref": "#/components/parameters/linkKey"},
              {"$ref": "#/components/parameters/linkSignature"}
            ],
            "responses": {
              "200": {
                "description": "The model",
                "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                "content": {"model/gltf-binary": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "206": {
                "description": "A part of it",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ETag"},
                  "Content-Range": {"$ref": "#/components/headers/ContentRange"}
                },
                "content": {"model/gltf-binary": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "304": {"description": "The client has it", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}},
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "416": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/original": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "originalOfAsset",
            "tags": ["results"],
            "summary": "The bytes as they came",
            "parameters": [
              {"$ref": "#/components/parameters/range"},
              {"$ref": "#/components/parameters/ifRange"},
              {"$ref": "#/components/parameters/ifNoneMatch"},
              {"$ref": "#/components/parameters/linkExpires"},
              {"$ref": "#/components/parameters/linkKey"},
              {"$ref": "#/components/parameters/linkSignature"}
            ],
            "responses": {
              "200": {
                "description": "The bytes",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ETag"},
                  "Content-Disposition": {"$ref": "#/components/headers/Attachment"},
                  "Content-Security-Policy": {"$ref": "#/components/headers/Sandbox"}
                },
                "content": {"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "206": {
                "description": "A part of it",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ETag"},
                  "Content-Range": {"$ref": "#/components/headers/ContentRange"}
                },
                "content": {"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "304": {"description": "The client has it", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}},
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "416": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/files": {
          "parameters": [{"$ref": "#/components/parameters/id"}],
          "get": {
            "operationId": "filesOfAsset",
            "tags": ["results"],
            "summary": "The files of its bundle",
            "responses": {
              "200": {
                "description": "Their paths",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Files"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/assets/{id}/files/{path}": {
          "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/path"}],
          "get": {
            "operationId": "fileOfAsset",
            "tags": ["results"],
            "summary": "One file of its bundle; the path's slashes stand as they are",
            "parameters": [
              {"$ref": "#/components/parameters/range"},
              {"$ref": "#/components/parameters/ifRange"},
              {"$ref": "#/components/parameters/ifNoneMatch"},
              {"$ref": "#/components/parameters/linkExpires"},
              {"$ref": "#/components/parameters/linkKey"},
              {"$ref": "#/components/parameters/linkSignature"}
            ],
            "responses": {
              "200": {
                "description": "The bytes",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ETag"},
                  "Content-Disposition": {"$ref": "#/components/headers/Attachment"},
                  "Content-Security-Policy": {"$ref": "#/components/headers/Sandbox"}
                },
                "content": {"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "206": {
                "description": "A part of it",
                "headers": {
                  "ETag": {"$ref": "#/components/headers/ETag"},
                  "Content-Range": {"$ref": "#/components/headers/ContentRange"}
                },
                "content": {"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}}
              },
              "304": {"description": "The client has it", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}},
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "416": {"$ref": "#/components/responses/Problem"},
              "422": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        }
        """#
}
