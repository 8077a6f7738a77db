extension OpenAPI {
    /// What bodies look like.
    static let schemas = #"""
        "Problem": {
          "type": "object",
          "required": ["type", "title", "status", "detail", "instance", "code", "requestId"],
          "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400},
            "detail": {"type": "string"},
            "instance": {"type": "string"},
            "code": {"type": ["string", "null"], "pattern": "^[A-Z0-9_]+$"},
            "requestId": {"type": "string"},
            "parameter": {"type": "string"},
            "availableActions": {"type": "array", "items": {"$ref": "#/components/schemas/ActionName"}}
          }
        },
        "Order": {
          "type": "object",
          "required": ["url"],
          "properties": {"url": {"type": "string", "pattern": "^https?://"}, "name": {"type": ["string", "null"]}}
        },
        "ActionName": {"enum": ["add", "retry", "cancel", "convert", "remove"]},
        "StateName": {"enum": ["downloading", "unzipping", "parsing", "ready", "failed"]},
        "Action": {
          "type": "object",
          "required": ["version", "action"],
          "properties": {
            "version": {"const": 1},
            "action": {"enum": ["retry", "cancel", "convert", "remove"]},
            "asset": {"type": "string"}
          }
        },
        "Asset": {
          "type": "object",
          "required": ["id", "name", "sha256", "bytes", "state", "progress", "availableActions", "created", "changed", "links"],
          "properties": {
            "id": {"type": "string"},
            "name": {"type": "string"},
            "sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"},
            "bytes": {"type": ["integer", "null"], "minimum": 0},
            "state": {"$ref": "#/components/schemas/State"},
            "progress": {"type": ["number", "null"], "minimum": 0},
            "availableActions": {"type": "array", "items": {"$ref": "#/components/schemas/ActionName"}},
            "created": {"type": "integer", "minimum": 0},
            "changed": {"type": "integer", "minimum": 0},
            "links": {"$ref": "#/components/schemas/Links"}
          },
          "additionalProperties": false
        },
        "Links": {
          "type": "object",
          "required": ["self", "events", "inspect"],
          "additionalProperties": {"type": "string", "pattern": "^/v1/assets/"}
        },
        "AssetPage": {
          "type": "object",
          "required": ["assets", "next", "links"],
          "properties": {
            "assets": {"type": "array", "items": {"$ref": "#/components/schemas/Asset"}},
            "next": {"type": ["integer", "null"], "minimum": 0},
            "links": {"type": "object", "required": ["next"], "properties": {"next": {"type": ["string", "null"]}}}
          },
          "additionalProperties": false
        },
        "State": {
          "oneOf": [
            {"$ref": "#/components/schemas/Downloading"},
            {"$ref": "#/components/schemas/Unzipping"},
            {"$ref": "#/components/schemas/Parsing"},
            {"$ref": "#/components/schemas/Ready"},
            {"$ref": "#/components/schemas/Failed"}
          ]
        },
        "Downloading": {
          "type": "object",
          "required": ["version", "state", "attempt", "source", "received"],
          "properties": {
            "version": {"const": 1},
            "state": {"const": "downloading"},
            "attempt": {"type": "integer", "minimum": 1},
            "source": {"type": "string"},
            "received": {"type": "integer", "minimum": 0},
            "expected": {"type": ["integer", "null"], "minimum": 0}
          }
        },
        "Unzipping": {
          "type": "object",
          "required": ["version", "state", "attempt", "archive", "entriesDone"],
          "properties": {
            "version": {"const": 1},
            "state": {"const": "unzipping"},
            "attempt": {"type": "integer", "minimum": 1},
            "archive": {"type": "string"},
            "entriesDone": {"type": "integer", "minimum": 0},
            "entriesTotal": {"type": ["integer", "null"], "minimum": 0}
          }
        },
        "Parsing": {
          "type": "object",
          "required": ["version", "state", "attempt", "document", "bytesRead"],
          "properties": {
            "version": {"const": 1},
            "state": {"const": "parsing"},
            "attempt": {"type": "integer", "minimum": 1},
            "document": {"type": "string"},
            "bytesRead": {"type": "integer", "minimum": 0},
            "bytesTotal": {"type": ["integer", "null"], "minimum": 0}
          }
        },
        "Ready": {
          "type": "object",
          "required": ["version", "state", "attempt", "summary"],
          "properties": {
            "version": {"const": 1},
            "state": {"const": "ready"},
            "attempt": {"type": "integer", "minimum": 1},
            "summary": {"type": "object", "required": ["document", "nodes", "triangles", "findings"]}
          }
        },
        "Failed": {
          "type": "object",
          "required": ["version", "state", "attempt", "stage", "code", "message"],
          "properties": {
            "version": {"const": 1},
            "state": {"const": "failed"},
            "attempt": {"type": "integer", "minimum": 1},
            "stage": {"enum": ["download", "unzip", "parse"]},
            "code": {"type": "string", "pattern": "^[A-Z0-9_]+$"},
            "message": {"type": "string"}
          }
        },
        "Report": {
          "type": "object",
          "required": ["schemaVersion", "source"],
          "properties": {
            "schemaVersion": {"const": 1},
            "source": {"type": "object", "required": ["input", "kind", "bytes", "sha256"]}
          }
        },
        "Files": {
          "type": "object",
          "required": ["files"],
          "properties": {
            "files": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["path", "bytes"],
                "properties": {"path": {"type": "string"}, "bytes": {"type": "integer", "minimum": 0}}
              }
            }
          }
        },
        "Upload": {
          "type": "object",
          "required": ["id", "name", "length", "offset", "expires", "asset", "links"],
          "properties": {
            "id": {"type": "string"},
            "name": {"type": "string"},
            "length": {"type": "integer", "minimum": 0},
            "offset": {"type": "integer", "minimum": 0},
            "expires": {"type": "integer", "minimum": 0},
            "asset": {"type": ["string", "null"]},
            "links": {"type": "object", "required": ["self"], "additionalProperties": {"type": "string"}}
          }
        },
        "Health": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}
        """#
}
