extension AssetSummary: Codable {
    private enum Key: String, CodingKey {
        case document, nodes, triangles, bounds, sha256, findings
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            document: try container.decode(String.self, forKey: .document),
            nodes: try container.count(Int.self, at: .nodes),
            triangles: try container.count(Int.self, at: .triangles),
            bounds: try container.decodeIfPresent(Bounds.self, forKey: .bounds),
            sha256: try container.decodeIfPresent(String.self, forKey: .sha256),
            findings: try container.decode(Findings.self, forKey: .findings))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(document, forKey: .document)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(triangles, forKey: .triangles)
        try container.encode(bounds, forKey: .bounds)
        try container.encode(sha256, forKey: .sha256)
        try container.encode(findings, forKey: .findings)
    }
}

extension AssetSummary.Bounds: Codable {
    private enum Key: String, CodingKey {
        case min, max
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let bounds = AssetSummary.Bounds(
            min: try container.decode(SIMD3<Double>.self, forKey: .min),
            max: try container.decode(SIMD3<Double>.self, forKey: .max))
        guard let bounds else { throw container.refusal(.min, "These numbers are no box.") }
        self = bounds
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(min, forKey: .min)
        try container.encode(max, forKey: .max)
    }
}

extension AssetSummary.Findings: Codable {
    private enum Key: String, CodingKey {
        case errors, warnings, infos, hints
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            errors: try container.count(Int.self, at: .errors), warnings: try container.count(Int.self, at: .warnings),
            infos: try container.count(Int.self, at: .infos), hints: try container.count(Int.self, at: .hints))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(errors, forKey: .errors)
        try container.encode(warnings, forKey: .warnings)
        try container.encode(infos, forKey: .infos)
        try container.encode(hints, forKey: .hints)
    }
}
