extension Finding {
    /// With the keys of the report's schema.
    public var json: JSONValue {
        var members = place.members
        members["code"] = .string(code.rawValue)
        members["severity"] = .string(severity.rawValue)
        members["stage"] = .string(stage.rawValue)
        members["path"] = JSONValue(place.path)
        members["message"] = .string(message)
        members["args"] = .array(arguments.map { ["name": .string($0.name), "value": .string($0.value)] })
        members["related"] = .array(related.map { .object($0.members) })
        members["fix"] = JSONValue(fix)
        return .object(members)
    }
}

extension Place {
    fileprivate var members: [String: JSONValue] {
        [
            "entry": JSONValue(entry), "line": JSONValue(line), "column": JSONValue(column),
            "elementId": JSONValue(elementID),
        ]
    }
}

extension FindingLog {
    public var json: JSONValue {
        [
            "errors": JSONValue(total(.error)), "warnings": JSONValue(total(.warning)),
            "infos": JSONValue(total(.info)), "hints": JSONValue(total(.hint)),
            "messages": .array(findings.map(\.json)),
        ]
    }
}
