// One flat object a state: {"version": 1, "state": "downloading", "attempt": 2, "received": …}. Keys may be added
// within a version, never changed or removed; what is not known is null. A source is written as it is shown, without
// user name and password.

extension AssetState: Codable {
    private enum Key: String, CodingKey {
        case version, state
    }

    private enum Name: String, CaseIterable {
        case downloading, unzipping, parsing, ready, failed
    }

    private var name: Name {
        switch self {
        case .downloading: .downloading
        case .unzipping: .unzipping
        case .parsing: .parsing
        case .ready: .ready
        case .failed: .failed
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.checkVersion(at: .version)
        switch try container.name(Name.self, at: .state) {
        case .downloading: self = .downloading(try Download(from: decoder))
        case .unzipping: self = .unzipping(try Unzip(from: decoder))
        case .parsing: self = .parsing(try Parse(from: decoder))
        case .ready: self = .ready(try Ready(from: decoder))
        case .failed: self = .failed(try Failure(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(WireFormat.version, forKey: .version)
        try container.encode(name.rawValue, forKey: .state)
        // The payload's keys join the same object.
        switch self {
        case .downloading(let download): try download.encode(to: encoder)
        case .unzipping(let unzip): try unzip.encode(to: encoder)
        case .parsing(let parse): try parse.encode(to: encoder)
        case .ready(let ready): try ready.encode(to: encoder)
        case .failed(let failure): try failure.encode(to: encoder)
        }
    }
}

extension AssetState.Download: Codable {
    private enum Key: String, CodingKey {
        case source, attempt, received, expected
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            source: try container.decode(String.self, forKey: .source),
            attempt: try container.decode(Attempt.self, forKey: .attempt),
            bytes: try container.tally(done: .received, total: .expected))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(AssetSource.display(source), forKey: .source)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(received, forKey: .received)
        try container.encode(expected, forKey: .expected)
    }
}

extension AssetState.Unzip: Codable {
    private enum Key: String, CodingKey {
        case archive, attempt, entriesDone, entriesTotal
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            archive: try container.decode(String.self, forKey: .archive),
            attempt: try container.decode(Attempt.self, forKey: .attempt),
            entries: try container.tally(done: .entriesDone, total: .entriesTotal))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(archive, forKey: .archive)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(entriesDone, forKey: .entriesDone)
        try container.encode(entriesTotal, forKey: .entriesTotal)
    }
}

extension AssetState.Parse: Codable {
    private enum Key: String, CodingKey {
        case document, attempt, bytesRead, bytesTotal
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            document: try container.decode(String.self, forKey: .document),
            attempt: try container.decode(Attempt.self, forKey: .attempt),
            bytes: try container.tally(done: .bytesRead, total: .bytesTotal))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(document, forKey: .document)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(bytesRead, forKey: .bytesRead)
        try container.encode(bytesTotal, forKey: .bytesTotal)
    }
}

extension AssetState.Ready: Codable {
    private enum Key: String, CodingKey {
        case attempt, summary
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            attempt: try container.decode(Attempt.self, forKey: .attempt),
            summary: try container.decode(AssetSummary.self, forKey: .summary))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(summary, forKey: .summary)
    }
}
