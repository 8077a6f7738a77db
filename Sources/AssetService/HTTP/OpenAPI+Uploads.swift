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
