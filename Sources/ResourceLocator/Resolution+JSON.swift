public import Diagnostics

extension Resolution {
    /// Every key always there, `null` where it does not apply: `reference`, `absolute`, `status`, `path`, `outside`,
    /// `root` (the label of the host's folder), `rule`, `confidence`, `url`, `mediaType`, `reason`, `candidates` with
    /// `count` (of an ambiguous one), and `trace` of `rule`, `path`, `folder`, `result`, `count`.
    public var json: JSONValue {
        var url: String?
        var mediaType: String?
        var reason: String?
        var candidates: [String] = []
        var count: Int?
        switch outcome {
        case .found, .outside, .missing: break
        case .ambiguous(let paths, let number, _): (candidates, count) = (paths, number)
        case .blocked(let why): reason = why.rawValue
        case .remote(let address), .fetched(let address): url = address
        case .unfetched(let address, let why): (url, reason) = (address, why)
        case .embedded(let type): mediaType = type
        }
        return [
            "reference": .string(reference), "absolute": .bool(isAbsolute), "status": .string(status.rawValue),
            "path": JSONValue(path), "outside": .bool(isOutside), "root": JSONValue(hostFile?.root.label),
            "rule": JSONValue(rule?.rawValue),
            "confidence": JSONValue(confidence?.rawValue), "url": JSONValue(url), "mediaType": JSONValue(mediaType),
            "reason": JSONValue(reason), "candidates": JSONValue(candidates), "count": JSONValue(count),
            "trace": .array(trace.map(\.json)),
        ]
    }
}

extension Resolution.Candidate {
    var json: JSONValue {
        [
            "rule": .string(rule.rawValue), "path": .string(path), "folder": JSONValue(folder),
            "result": .string(result.word), "count": count,
        ]
    }

    private var count: JSONValue {
        switch result {
        case .several(let count): JSONValue(count)
        case .hit, .miss, .folder, .link, .special, .unreadable, .outside, .unknownName: .null
        }
    }
}

extension Resolution.Candidate.Result {
    /// Stable, for reports.
    public var word: String {
        switch self {
        case .hit: "hit"
        case .miss: "miss"
        case .folder: "folder"
        case .link: "link"
        case .special: "special"
        case .unreadable: "unreadable"
        case .outside: "outside"
        case .several: "several"
        case .unknownName: "unknownName"
        }
    }
}
