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

    func tally(done: Key, total: Key) throws -> Tally {
        let count = try count(Int64.self, at: done)
        let all = try countIfPresent(Int64.self, at: total)
        guard let tally = Tally(exactly: count, of: all) else {
            throw refusal(done, "\(count) is more than there is in all.")
        }
        return tally
    }

    func refusal(_ key: Key, _ text: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: text)
    }
}
