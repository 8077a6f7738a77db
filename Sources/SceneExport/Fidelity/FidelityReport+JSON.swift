public import Diagnostics

extension FidelityReport {
    public var json: JSONValue {
        [
            "schemaVersion": 1,
            "isLossless": .bool(losses.isEmpty),
            "changes": .array(
                entries.map { entry in
                    [
                        "change": .string(entry.change.rawValue), "subject": .string(entry.subject.rawValue),
                        "title": .string(entry.subject.title(of: entry.change)), "isLoss": .bool(entry.change.isLoss),
                        "count": JSONValue(entry.count), "places": JSONValue(entry.places),
                        "deviation": JSONValue(entry.deviation), "deviationOf": JSONValue(entry.subject.measure),
                    ]
                }),
        ]
    }
}
