// One flat object a state: {"version": 1, "state": "downloading", "attempt": 2, "received": …}. Keys may be added
// within a version, never changed or removed; what is not known is null.

import DaeDiagnostics

extension AssetState: Codable {
    /// Of all states: each writes those of its stage.
    private enum Key: String, CodingKey {
        case version, state, attempt
        case archive, entriesDone, entriesTotal
        case document, bytesRead, bytesTotal
        case summary
        case stage, code, message, place, resume
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.checkVersion(at: .version)
        let kind = try container.name(Kind.self, at: .state)
        let attempt = try container.decode(Attempt.self, forKey: .attempt)
        switch kind {
        case .downloading: self = .downloading(try Download(from: decoder))
        case .unzipping:
            self = .unzipping(
                Unzip(
                    archive: try container.decode(String.self, forKey: .archive), attempt: attempt,
                    entries: try container.tally(done: .entriesDone, total: .entriesTotal)))
        case .parsing:
            self = .parsing(
                Parse(
                    document: try container.decode(String.self, forKey: .document), attempt: attempt,
                    bytes: try container.tally(done: .bytesRead, total: .bytesTotal)))
        case .ready:
            self = .ready(
                Ready(attempt: attempt, summary: try container.decode(AssetSummary.self, forKey: .summary)))
        case .failed:
            let resume = try container.decodeIfPresent(Download.self, forKey: .resume)
            if let resume, resume.attempt != attempt.next {
                throw container.refusal(.resume, "Attempt \(resume.attempt) does not follow attempt \(attempt).")
            }
            self = .failed(
                Failure(
                    stage: try container.name(AssetStage.self, at: .stage), attempt: attempt,
                    reason: Reason(
                        try container.name(FindingCode.self, at: .code),
                        try container.decode(String.self, forKey: .message),
                        at: try container.decodeIfPresent(WrittenPlace.self, forKey: .place)?.place ?? Place()),
                    resume: resume))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(WireFormat.version, forKey: .version)
        try container.encode(kind.rawValue, forKey: .state)
        try container.encode(attempt, forKey: .attempt)
        switch self {
        // Its keys join the same object.
        case .downloading(let download): try download.encode(to: encoder)
        case .unzipping(let unzip):
            try container.encode(unzip.archive, forKey: .archive)
            try container.encode(unzip.entriesDone, forKey: .entriesDone)
            try container.encode(unzip.entriesTotal, forKey: .entriesTotal)
        case .parsing(let parse):
            try container.encode(parse.document, forKey: .document)
            try container.encode(parse.bytesRead, forKey: .bytesRead)
            try container.encode(parse.bytesTotal, forKey: .bytesTotal)
        case .ready(let ready): try container.encode(ready.summary, forKey: .summary)
        case .failed(let failure):
            try container.encode(failure.stage, forKey: .stage)
            try container.encode(failure.code.rawValue, forKey: .code)
            try container.encode(failure.message, forKey: .message)
            try container.encode(WrittenPlace(place: failure.place), forKey: .place)
            try container.encode(failure.resume, forKey: .resume)
        }
    }
}

extension AssetState.Download: Codable {
    private enum Key: String, CodingKey {
        case attempt, received, expected
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            attempt: try container.decode(Attempt.self, forKey: .attempt),
            bytes: try container.tally(done: .received, total: .expected))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(received, forKey: .received)
        try container.encode(expected, forKey: .expected)
    }
}

/// A place as it is written; the type itself belongs to a module that writes nothing.
private struct WrittenPlace: Codable {
    let place: Place

    private enum Key: String, CodingKey {
        case entry, line, column, byte, path, elementId
    }

    init(place: Place) { self.place = place }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        place = Place(
            entry: try container.decodeIfPresent(String.self, forKey: .entry),
            line: try container.countIfPresent(Int.self, at: .line, from: 1),
            column: try container.countIfPresent(Int.self, at: .column, from: 1),
            byte: try container.countIfPresent(Int64.self, at: .byte),
            path: try container.decodeIfPresent(String.self, forKey: .path),
            elementID: try container.decodeIfPresent(String.self, forKey: .elementId))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(place.entry, forKey: .entry)
        try container.encode(place.line, forKey: .line)
        try container.encode(place.column, forKey: .column)
        try container.encode(place.byte, forKey: .byte)
        try container.encode(place.path, forKey: .path)
        try container.encode(place.elementID, forKey: .elementId)
    }
}

// States and actions outlive the program that wrote them, on disk and over HTTP; a reader refuses what it does not know.

/// What is common to every enum that is written down: its version, and refusals in plain words.
enum WireFormat {
    static let version = 1
}

extension KeyedDecodingContainer {
    /// Refuses every version but the present one.
    func checkVersion(at key: Key) throws {
        let found = try decode(Int.self, forKey: key)
        guard found == WireFormat.version else {
            throw refusal(key, "Version \(found) is unknown; this program reads version \(WireFormat.version).")
        }
    }

    /// The case that a name stands for; an unknown name is refused together with the names there are.
    func name<Name: RawRepresentable & CaseIterable>(
        _ type: Name.Type, at key: Key
    ) throws -> Name where Name.RawValue == String {
        let text = try decode(String.self, forKey: key)
        guard let name = Name(rawValue: text) else {
            // A catalogue of codes is too long to list.
            let known =
                Name.allCases.count > 16 ? "" : "; known are " + Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(key, "'\(text.prefix(64))' is no \(key.stringValue) that this program knows\(known).")
        }
        return name
    }

    /// A count of at least `least`.
    func count<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, at key: Key, from least: Number = 0
    ) throws -> Number {
        let number = try decode(type, forKey: key)
        guard number >= least else { throw refusal(key, "\(number) is below \(least).") }
        return number
    }

    /// As ``count(_:at:from:)``; a key that is absent or null gives `nil`.
    func countIfPresent<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, at key: Key, from least: Number = 0
    ) throws -> Number? {
        guard let number = try decodeIfPresent(type, forKey: key) else { return nil }
        guard number >= least else { throw refusal(key, "\(number) is below \(least).") }
        return number
    }

    func tally(done: Key, total: Key) throws -> StageProgress {
        let count = try count(Int64.self, at: done)
        let all = try countIfPresent(Int64.self, at: total)
        guard let tally = StageProgress(exactly: count, of: all) else {
            throw refusal(done, "\(count) is more than there is in all.")
        }
        return tally
    }

    func refusal(_ key: Key, _ text: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: text)
    }
}
