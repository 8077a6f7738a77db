// What the counts mean is held fixed by the report of `inspect`, whose figures these are.

/// What a settled asset says of its scene without holding it.
public struct AssetSummary: Sendable, Hashable {
    /// The document's path in the bundle.
    public let document: String
    /// Nodes reached from the scene, instanced ones each time.
    public let nodes: Int
    /// Triangles of every instance.
    public let triangles: Int
    /// In the document's own units and axes; `nil` without a mesh.
    public let bounds: Bounds?
    /// Of the file, in hexadecimal; `nil` for a folder.
    public let sha256: String?
    /// How many findings there are of each severity.
    public let findings: Findings

    /// Negative counts become 0.
    public init(
        document: String, nodes: Int, triangles: Int, bounds: Bounds? = nil, sha256: String? = nil,
        findings: Findings = Findings()
    ) {
        self.document = document
        self.nodes = max(0, nodes)
        self.triangles = max(0, triangles)
        self.bounds = bounds
        self.sha256 = sha256
        self.findings = findings
    }

    /// A box along the axes, all six numbers finite, `min` nowhere above `max`.
    public struct Bounds: Sendable, Hashable {
        // Numbers and no vectors: values aligned to more than 16 bytes spoil the frame of an asynchronous function.
        private let (minX, minY, minZ): (Double, Double, Double)
        private let (maxX, maxY, maxZ): (Double, Double, Double)

        /// The least x, y and z, in the units and axes of the document.
        public var min: SIMD3<Double> { [minX, minY, minZ] }
        /// The greatest x, y and z.
        public var max: SIMD3<Double> { [maxX, maxY, maxZ] }

        /// `nil` for numbers that are no box.
        public init?(min: SIMD3<Double>, max: SIMD3<Double>) {
            for axis in 0..<3 {
                guard min[axis].isFinite, max[axis].isFinite, min[axis] <= max[axis] else { return nil }
            }
            (minX, minY, minZ) = (min.x, min.y, min.z)
            (maxX, maxY, maxZ) = (max.x, max.y, max.z)
        }
    }

    /// How many findings there are of each severity.
    public struct Findings: Sendable, Hashable {
        /// Findings that make the source wrong.
        public let errors: Int
        /// Findings that some readers stumble over.
        public let warnings: Int
        /// Findings that are good to know.
        public let infos: Int
        /// Findings that could be done better.
        public let hints: Int

        /// Negative counts become 0.
        public init(errors: Int = 0, warnings: Int = 0, infos: Int = 0, hints: Int = 0) {
            self.errors = max(0, errors)
            self.warnings = max(0, warnings)
            self.infos = max(0, infos)
            self.hints = max(0, hints)
        }
    }
}

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
