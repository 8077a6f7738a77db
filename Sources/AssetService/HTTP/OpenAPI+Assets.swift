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

extension OpenAPI {
    /// Uploads that come in pieces: the tus protocol.
    static let uploadPaths = #"""
        "/v1/uploads": {
          "options": {
            "operationId": "tusOptions",
            "tags": ["uploads"],
            "summary": "What of the tus protocol is spoken",
            "responses": {
              "204": {
                "description": "The version and its extensions",
                "headers": {
                  "Tus-Resumable": {"$ref": "#/components/headers/TusResumable"},
                  "Tus-Version": {"$ref": "#/components/headers/TusVersion"},
                  "Tus-Extension": {"$ref": "#/components/headers/TusExtension"},
                  "Tus-Max-Size": {"$ref": "#/components/headers/TusMaxSize"}
                }
              },
              \#(refusals)
            }
          },
          "post": {
            "operationId": "beginUpload",
            "tags": ["uploads"],
            "summary": "Announces a file that comes in pieces",
            "parameters": [
              {"$ref": "#/components/parameters/tusResumable"},
              {"$ref": "#/components/parameters/uploadLength"},
              {"$ref": "#/components/parameters/uploadMetadata"},
              {"$ref": "#/components/parameters/uploadChecksum"}
            ],
            "requestBody": {
              "required": false,
              "content": {
                "application/offset+octet-stream": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
              }
            },
            "responses": {
              "201": {
                "description": "It may come",
                "headers": {
                  "Tus-Resumable": {"$ref": "#/components/headers/TusResumable"},
                  "Upload-Expires": {"$ref": "#/components/headers/UploadExpires"},
                  "Asset-Location": {"$ref": "#/components/headers/AssetLocation"},
                  "Location": {"$ref": "#/components/headers/LocationRequired"},
                  "Upload-Offset": {"$ref": "#/components/headers/UploadOffset"}
                }
              },
              "409": {"$ref": "#/components/responses/Problem"},
              "410": {"$ref": "#/components/responses/Problem"},
              "412": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              "423": {"$ref": "#/components/responses/Problem"},
              "460": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        },
        "/v1/uploads/{id}": {
          "parameters": [{"$ref": "#/components/parameters/upload"}],
          "options": {
            "operationId": "tusOptionsOfUpload",
            "tags": ["uploads"],
            "summary": "What of the tus protocol is spoken",
            "responses": {
              "204": {
                "description": "The version and its extensions",
                "headers": {
                  "Tus-Resumable": {"$ref": "#/components/headers/TusResumable"},
                  "Tus-Version": {"$ref": "#/components/headers/TusVersion"},
                  "Tus-Extension": {"$ref": "#/components/headers/TusExtension"},
                  "Tus-Max-Size": {"$ref": "#/components/headers/TusMaxSize"}
                }
              },
              \#(refusals)
            }
          },
          "get": {
            "operationId": "getUpload",
            "tags": ["uploads"],
            "summary": "An upload, and the asset that it became",
            "responses": {
              "200": {
                "description": "The upload",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Upload"}}}
              },
              "404": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          },
          "head": {
            "operationId": "offsetOfUpload",
            "tags": ["uploads"],
            "summary": "How much of it is kept",
            "parameters": [{"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "200": {
                "description": "The offset to go on from",
                "headers": {
                  "Tus-Resumable": {"$ref": "#/components/headers/TusResumable"},
                  "Upload-Expires": {"$ref": "#/components/headers/UploadExpires"},
                  "Asset-Location": {"$ref": "#/components/headers/AssetLocation"},
                  "Upload-Offset": {"$ref": "#/components/headers/UploadOffsetRequired"},
                  "Upload-Length": {"$ref": "#/components/headers/UploadLength"}
                }
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "412": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          },
          "patch": {
            "operationId": "continueUpload",
            "tags": ["uploads"],
            "summary": "Takes the next piece",
            "parameters": [
              {"$ref": "#/components/parameters/tusResumable"},
              {"$ref": "#/components/parameters/uploadOffset"},
              {"$ref": "#/components/parameters/uploadChecksum"}
            ],
            "requestBody": {
              "required": true,
              "content": {
                "application/offset+octet-stream": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}
              }
            },
            "responses": {
              "204": {
                "description": "The piece is kept",
                "headers": {
                  "Tus-Resumable": {"$ref": "#/components/headers/TusResumable"},
                  "Upload-Expires": {"$ref": "#/components/headers/UploadExpires"},
                  "Asset-Location": {"$ref": "#/components/headers/AssetLocation"},
                  "Upload-Offset": {"$ref": "#/components/headers/UploadOffsetRequired"}
                }
              },
              "404": {"$ref": "#/components/responses/Problem"},
              "409": {"$ref": "#/components/responses/Problem"},
              "410": {"$ref": "#/components/responses/Problem"},
              "412": {"$ref": "#/components/responses/Problem"},
              "413": {"$ref": "#/components/responses/Problem"},
              "415": {"$ref": "#/components/responses/Problem"},
              "423": {"$ref": "#/components/responses/Problem"},
              "460": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          },
          "delete": {
            "operationId": "dropUpload",
            "tags": ["uploads"],
            "summary": "Drops it",
            "parameters": [{"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "204": {"description": "It is gone", "headers": {"Tus-Resumable": {"$ref": "#/components/headers/TusResumable"}}},
              "404": {"$ref": "#/components/responses/Problem"},
              "412": {"$ref": "#/components/responses/Problem"},
              "423": {"$ref": "#/components/responses/Problem"},
              \#(refusals)
            }
          }
        }
        """#
}
