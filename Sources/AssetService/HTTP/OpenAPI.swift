// Text and no value: what is served is what is read here, and it costs the compiler nothing. The tests hold every answer
// that they get against it.

import Daedalus

/// The description of the API by OpenAPI 3.1, which `/v1/openapi.json` gives and `daed openapi` prints.
enum OpenAPI {
    static let text: String = {
        let paths = [assetPaths, resultPaths, uploadPaths, accessPaths, servicePaths].joined(separator: ",\n")
        return """
            {
            "openapi": "3.1.0",
            "info": {
              "title": "daed", "version": "\(Daed.version)", "summary": "Takes in downloadable 3D models, and gives back \
            scenes that can be trusted.",
              "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
            },
            "servers": [{"url": "/"}],
            "security": [{}, {"token": []}],
            "paths": {
            \(paths)
            },
            "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
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

extension OpenAPI {
    /// What every operation may answer.
    static let refusals = [400, 401, 403, 421, 429, 500, 503, 507].map {
        "\"\($0)\": {\"$ref\": \"#/components/responses/Problem\"}"
    }.joined(separator: ", ")

    /// Of paths, queries and headers.
    static let parameters = #"""
        "id": {
          "name": "id",
          "in": "path",
          "description": "The asset",
          "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
          "required": true
        },
        "upload": {
          "name": "id",
          "in": "path",
          "description": "The upload",
          "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
          "required": true
        },
        "path": {
          "name": "path",
          "in": "path",
          "description": "A path in the bundle",
          "schema": {"type": "string", "minLength": 1},
          "required": true
        },
        "limit": {
          "name": "limit",
          "in": "query",
          "description": "Assets on one page at most",
          "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50}
        },
        "after": {
          "name": "after",
          "in": "query",
          "description": "`next` of the page before",
          "schema": {"type": "integer", "minimum": 1}
        },
        "state": {
          "name": "state",
          "in": "query",
          "description": "Of this state alone",
          "schema": {"$ref": "#/components/schemas/StateName"}
        },
        "sha256": {
          "name": "sha256",
          "in": "query",
          "description": "Of these bytes alone",
          "schema": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"}
        },
        "nameFilter": {
          "name": "name",
          "in": "query",
          "description": "Whose name contains this, at most 200 bytes, in letters of either case",
          "schema": {"type": "string", "minLength": 1, "maxLength": 50}
        },
        "name": {"name": "name", "in": "query", "description": "What the file is called", "schema": {"type": "string"}},
        "format": {
          "name": "format",
          "in": "query",
          "description": "The form; else what Accept names",
          "schema": {"enum": ["json", "sarif", "md", "markdown"]}
        },
        "lastEvent": {
          "name": "Last-Event-ID",
          "in": "header",
          "description": "The last event that was seen",
          "schema": {"type": "integer", "minimum": 0}
        },
        "range": {"name": "Range", "in": "header", "description": "Which bytes", "schema": {"type": "string"}},
        "ifRange": {
          "name": "If-Range",
          "in": "header",
          "description": "The ETag of what the client has a part of: of other bytes it gets the whole",
          "schema": {"type": "string"}
        },
        "ifNoneMatch": {
          "name": "If-None-Match",
          "in": "header",
          "description": "The ETag of what the client has",
          "schema": {"type": "string"}
        },
        "tusResumable": {
          "name": "Tus-Resumable",
          "in": "header",
          "description": "The version that the client speaks",
          "schema": {"const": "1.0.0"},
          "required": true
        },
        "uploadLength": {
          "name": "Upload-Length",
          "in": "header",
          "description": "Bytes of the whole file",
          "schema": {"type": "integer", "minimum": 1},
          "required": true
        },
        "uploadOffset": {
          "name": "Upload-Offset",
          "in": "header",
          "description": "Where the piece begins",
          "schema": {"type": "integer", "minimum": 0},
          "required": true
        },
        "uploadMetadata": {
          "name": "Upload-Metadata",
          "in": "header",
          "description": "Keys with values in base 64, parted by commas; `filename` is understood",
          "schema": {"type": "string", "pattern": "^filename [A-Za-z0-9+/]{4,40}$"}
        },
        "tokenName": {
          "name": "name", "in": "path", "description": "The token's name", "schema": {"type": "string", "minLength": 1},
          "required": true
        },
        "idempotencyKey": {
          "name": "Idempotency-Key", "in": "header",
          "description": "Names the request: sent again, it is answered as it was the first time",
          "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}
        },
        "linkExpires": {
          "name": "expires", "in": "query", "description": "Of a signed link", "schema": {"type": "string"}
        },
        "linkKey": {"name": "key", "in": "query", "description": "Of a signed link", "schema": {"type": "string"}},
        "linkSignature": {
          "name": "signature", "in": "query", "description": "Of a signed link", "schema": {"type": "string"}
        },
        "uploadChecksum": {
          "name": "Upload-Checksum",
          "in": "header",
          "description": "sha256 or sha1 of the piece, in base 64",
          "schema": {"type": "string", "pattern": "^sha(256|1) [A-Za-z0-9+/]{20,44}=*$"}
        }
        """#

    /// Of answers.
    static let headers = #"""
        "Link": {"description": "The next page", "schema": {"type": "string", "pattern": "^<.*>; rel=\"next\"$"}},
        "LocationRequired": {
          "description": "Where it is",
          "schema": {"type": "string", "pattern": "^/v1/(assets|uploads)/"},
          "required": true
        },
        "ETag": {"description": "Names the bytes", "schema": {"type": "string", "pattern": "^\".+\"$"}, "required": true},
        "ContentRange": {
          "description": "Which bytes these are",
          "schema": {"type": "string", "pattern": "^bytes [0-9]+-[0-9]+/[0-9]+$"},
          "required": true
        },
        "Attachment": {
          "description": "To be saved and not shown",
          "schema": {"type": "string", "pattern": "^attachment;"},
          "required": true
        },
        "Sandbox": {"description": "Nothing in it is run", "schema": {"const": "sandbox; default-src 'none'"}, "required": true},
        "TusResumable": {"description": "The protocol's version", "schema": {"const": "1.0.0"}, "required": true},
        "TusVersion": {"description": "Versions that are spoken", "schema": {"type": "string"}, "required": true},
        "TusExtension": {"description": "Extensions that are spoken", "schema": {"type": "string"}, "required": true},
        "TusMaxSize": {
          "description": "Bytes of a file at most",
          "schema": {"type": "string", "pattern": "^[0-9]+$"},
          "required": true
        },
        "UploadOffset": {"description": "Bytes that are kept", "schema": {"type": "string", "pattern": "^[0-9]+$"}},
        "UploadOffsetRequired": {"description": "Bytes that are kept", "schema": {"type": "string", "pattern": "^[0-9]+$"}, "required": true},
        "UploadLength": {
          "description": "Bytes of the whole file",
          "schema": {"type": "string", "pattern": "^[0-9]+$"},
          "required": true
        },
        "UploadExpires": {"description": "Until when it is kept", "schema": {"type": "string", "pattern": " GMT$"}, "required": true},
        "AssetLocation": {
          "description": "The asset that it became, once it is whole",
          "schema": {"type": "string", "pattern": "^/v1/assets/"}
        },
        "Replayed": {"description": "The answer is that of an earlier request", "schema": {"const": "true"}},
        "RetryAfter": {
          "description": "Seconds after which asking again may help",
          "schema": {"type": "string", "pattern": "^[0-9]+$"}
        },
        "RequestID": {"description": "The request's name in the log", "schema": {"type": "string"}, "required": true}
        """#

    /// Refusals of every kind.
    static let responses = #"""
        "Problem": {
          "description": "Why it was not done (RFC 9457)",
          "headers": {
            "X-Request-Id": {"$ref": "#/components/headers/RequestID"},
            "Retry-After": {"$ref": "#/components/headers/RetryAfter"}
          },
          "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
        }
        """#
}

extension OpenAPI {
    /// Who may do what.
    private static let accessPaths = #"""
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

extension OpenAPI {
    /// The service itself.
    private static let servicePaths = #"""
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
