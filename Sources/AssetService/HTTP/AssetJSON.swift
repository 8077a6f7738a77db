import Daedalus

extension AssetRecord {
    /// Where it is found.
    var path: String { "/v1/assets/\(id.text)" }

    /// What the service says of it.
    func json() throws -> JSONValue {
        let actions = state.availableActions
        var links: [String: JSONValue] = [
            "self": .string(path), "events": .string(path + "/events"), "inspect": .string(path + "/inspect"),
        ]
        for action in actions {
            links[action.rawValue] = .string(action == .remove ? path : path + "/actions")
        }
        if content != nil {
            for name in ["original", "report"] { links[name] = .string("\(path)/\(name)") }
        }
        if state.isReady {
            for name in ["tree", "files", "model.glb"] { links[name] = .string("\(path)/\(name)") }
        }
        return [
            "id": .string(id.text), "name": .string(name), "sha256": JSONValue(content?.digest.hex),
            "bytes": JSONValue(content?.bytes), "state": try StateText.json(state),
            "progress": JSONValue(state.progress), "availableActions": JSONValue(actions.map(\.rawValue)),
            "created": .integer(created), "changed": .integer(changed), "links": .object(links),
        ]
    }
}
