public import Diagnostics

extension FidelityReport {
    public var json: JSONValue {
        [
            "schemaVersion": 1,
            "isLossless": .bool(losses.isEmpty),
            "contents": [
                "bytes": JSONValue(contents.bytes), "nodes": JSONValue(contents.nodes),
                "meshes": JSONValue(contents.meshes), "primitives": JSONValue(contents.primitives),
                "materials": JSONValue(contents.materials), "images": JSONValue(contents.images),
                "skins": JSONValue(contents.skins), "animations": JSONValue(contents.animations),
                "cameras": JSONValue(contents.cameras), "lights": JSONValue(contents.lights),
            ],
            "changes": .array(
                entries.map { entry in
                    [
                        "change": .string(entry.change.rawValue), "subject": .string(entry.subject.rawValue),
                        "class": .string(entry.subject.fidelityClass.rawValue),
                        "title": .string(entry.subject.title(of: entry.change)), "isLoss": .bool(entry.change.isLoss),
                        "count": JSONValue(entry.count), "places": JSONValue(entry.places),
                        "deviation": JSONValue(entry.deviation), "deviationOf": JSONValue(entry.subject.measure),
                    ]
                }),
        ]
    }
}
