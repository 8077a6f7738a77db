import DaeArchive
import DaeDiagnostics
import DaeImages
import DaeResources
import DaeScene

extension Inspection: Decodable {
    /// From what `dae inspect --format json` prints and the service sends: all that is public here, and none of the rest.
    ///
    /// Keys that this version does not know are passed over. A finding whose code it does not know counts in the totals, and
    /// is not among those that are kept.
    public init(from decoder: any Decoder) throws {
        let members = try Members(decoder)
        let version: Int = try members.value("schemaVersion")
        guard version == Self.schemaVersion else {
            throw members.fault("schemaVersion", "This is version \(version); expected \(Self.schemaVersion).")
        }
        source = try Source(try members.object("source"))
        bundle = try BundleSummary(try members.object("bundle"))
        document = try DocumentSummary(try members.object("document"))
        counts = try Counts(try members.object("counts"))
        scene = try SceneSummary(try members.object("scene"))
        images = try members.objects("images").map { try ImageRow($0) }
        findings = try FindingLog(try members.object("findings"))
        (physics, kinematics) = (PhysicsCounts(), KinematicsCounts())
        (geometries, materials, animations, animationClips) = ([], [], [], [])
        (cameras, lights, controllers, linked) = ([], [], [], nil)
    }
}

/// The members of a JSON object.
private struct Members {
    private struct Key: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init(stringLiteral: String) { stringValue = stringLiteral }
        init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Key>

    private init(_ container: KeyedDecodingContainer<Key>) { self.container = container }

    init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }

    func object(_ name: String) throws -> Members {
        Members(try container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: name)))
    }

    /// `nil` for `null` and for what is not there.
    func objectIfPresent(_ name: String) throws -> Members? {
        let key = Key(stringValue: name)
        return try container.contains(key) && !container.decodeNil(forKey: key) ? object(name) : nil
    }

    func objects(_ name: String) throws -> [Members] {
        var list = try container.nestedUnkeyedContainer(forKey: Key(stringValue: name))
        var objects: [Members] = []
        while !list.isAtEnd { objects.append(Members(try list.nestedContainer(keyedBy: Key.self))) }
        return objects
    }

    func value<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: Key(stringValue: name))
    }

    /// `nil` for `null` and for what is not there.
    func optional<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: Key(stringValue: name))
    }

    /// One of a few words that the meaning depends on.
    func word<Word: RawRepresentable>(_ name: String) throws -> Word where Word.RawValue == String {
        let text: String = try value(name)
        guard let word = Word(rawValue: text) else { throw fault(name, "\(text.debugDescription) is not known.") }
        return word
    }

    /// `nil` also for words of later versions.
    func wordIfKnown<Word: RawRepresentable>(_ name: String) throws -> Word? where Word.RawValue == String {
        let text: String? = try optional(name)
        return text.flatMap { Word(rawValue: $0) }
    }

    func fault(_ name: String, _ reason: String) -> DecodingError {
        .dataCorruptedError(forKey: Key(stringValue: name), in: container, debugDescription: reason)
    }
}

extension Inspection.Source {
    fileprivate init(_ members: Members) throws {
        self.init(
            input: try members.value("input"), kind: try members.wordIfKnown("kind"),
            bytes: try members.optional("bytes"), sha256: try members.optional("sha256"))
    }
}

extension Inspection.BundleSummary {
    fileprivate init(_ members: Members) throws {
        let scene = try members.object("scene")
        self.init(
            entries: try members.value("entries"), bytes: try members.value("bytes"),
            scenePath: try scene.value("path"), rule: try scene.word("rule"), manifest: nil,
            candidates: try scene.value("candidates"), models: try scene.value("models"),
            unused: try members.value("unused"), duplicates: try members.value("duplicates"))
    }
}

extension Inspection.DocumentSummary {
    fileprivate init(_ members: Members) throws {
        let unit = try members.object("unit")
        self.init(
            version: try members.optional("version"), encoding: try members.optional("encoding"),
            bytes: try members.value("bytes"), authoringTools: try members.value("authoringTools"),
            upAxis: try members.word("upAxis"), unitName: try unit.optional("name"),
            metersPerUnit: try unit.value("meter"), statesUnit: true, authors: [], copyrights: [],
            created: try members.optional("created"), modified: try members.optional("modified"),
            title: try members.optional("title"))
    }
}

extension Inspection.Counts {
    fileprivate init(_ members: Members) throws {
        self.init()
        geometries = try members.value("geometries")
        submeshes = try members.value("submeshes")
        triangles = try members.value("triangles")
        faceCorners = try members.value("faceCorners")
        positions = try members.value("positions")
        lines = try members.value("lines")
        materials = try members.value("materials")
        effects = try members.value("effects")
        images = try members.value("images")
        cameras = try members.value("cameras")
        lights = try members.value("lights")
        controllers = try members.value("controllers")
        skins = try members.value("skins")
        morphs = try members.value("morphs")
        joints = try members.value("joints")
        animations = try members.value("animations")
        animationChannels = try members.value("animationChannels")
        animationClips = try members.value("animationClips")
        nodes = try members.value("nodes")
        visualScenes = try members.value("visualScenes")
        physicsScenes = try members.value("physicsScenes")
        kinematicsScenes = try members.value("kinematicsScenes")
    }
}

extension Inspection.SceneSummary {
    fileprivate init(_ members: Members) throws {
        let bounds = try members.objectIfPresent("bounds").map {
            Bounds(min: try $0.value("min"), max: try $0.value("max"))
        }
        self.init(
            name: try members.optional("name"), nodes: try members.value("nodes"), depth: try members.value("depth"),
            instances: try members.value("instances"), triangles: try members.value("triangles"), bounds: bounds,
            sizeInMeters: try members.optional("sizeInMeters"))
    }
}

extension Inspection.ImageRow {
    fileprivate init(_ members: Members) throws {
        let faults: [String] = try members.value("faults")
        self.init(
            id: try members.optional("id"), name: try members.optional("name"),
            reference: try members.optional("reference"), status: try members.word("status"),
            path: try members.optional("path"), reason: try members.optional("reason"),
            faults: faults.compactMap { Fault(rawValue: $0) }, rule: try members.wordIfKnown("rule"),
            confidence: try members.wordIfKnown("confidence"), isOutside: try members.value("outside"),
            bytes: try members.optional("bytes"), format: try members.wordIfKnown("format"),
            width: try members.optional("width"), height: try members.optional("height"),
            channels: try members.optional("channels"), gpuBytes: try members.optional("gpuBytes"),
            isTruncated: try members.optional("truncated"))
    }
}

extension FindingLog {
    fileprivate init(_ members: Members) throws {
        self.init(
            kept: try members.objects("messages").compactMap { try Finding($0) },
            totals: [
                .error: try members.value("errors"), .warning: try members.value("warnings"),
                .info: try members.value("infos"), .hint: try members.value("hints"),
            ])
    }
}

extension Finding {
    /// `nil` for a code of a later version.
    fileprivate init?(_ members: Members) throws {
        guard let code: FindingCode = try members.wordIfKnown("code") else { return nil }
        self.init(
            code, at: try Place(members), try members.value("message"),
            arguments: try members.objects("args").map { Argument(try $0.value("name"), try $0.value("value")) },
            related: try members.objects("related").map { try Place($0) }, fix: try members.optional("fix"),
            severity: try members.word("severity"))
    }
}

extension Place {
    fileprivate init(_ members: Members) throws {
        self.init(
            entry: try members.optional("entry"), line: try members.optional("line"),
            column: try members.optional("column"), path: try members.optional("path"),
            elementID: try members.optional("elementId"))
    }
}
