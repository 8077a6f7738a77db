import Diagnostics

extension AssetState.Failure: Codable {
    private enum Key: String, CodingKey {
        case stage, attempt, code, message, place, resume
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let attempt = try container.decode(Attempt.self, forKey: .attempt)
        let resume = try container.decodeIfPresent(AssetState.Download.self, forKey: .resume)
        if let resume, resume.attempt != attempt.next {
            throw container.refusal(.resume, "Attempt \(resume.attempt) does not follow attempt \(attempt).")
        }
        self.init(
            stage: try container.name(AssetStage.self, at: .stage), attempt: attempt,
            reason: AssetState.Reason(
                try container.name(FindingCode.self, at: .code),
                try container.decode(String.self, forKey: .message),
                at: try container.decodeIfPresent(WrittenPlace.self, forKey: .place)?.place ?? Place()),
            resume: resume)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(stage, forKey: .stage)
        try container.encode(attempt, forKey: .attempt)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(WrittenPlace(place: place), forKey: .place)
        try container.encode(resume, forKey: .resume)
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
