/// The findings of an earlier report of form `json`, one source or several.
package struct Baseline: Sendable {
    /// What was known of one source.
    package struct Source: Sendable {
        private var counts: [FindingIdentity: Int] = [:]
        /// Of each code, those that the report counted and did not show.
        private(set) var suppressed: [FindingCode: Int] = [:]

        /// Whether a finding was known; each that was known stands for one.
        mutating func take(_ identity: FindingIdentity) -> Bool {
            guard let count = counts[identity], count > 0 else { return false }
            counts[identity] = count - 1
            return true
        }

        fileprivate init(_ findings: LocatedJSON, file: String) throws(ControlError) {
            guard let messages = findings["messages"]?.array else {
                throw ControlError(
                    file: file, line: findings.line, message: "no report of --format json: findings.messages is missing"
                )
            }
            for message in messages {
                guard let code = message["code"]?.string else {
                    throw ControlError(file: file, line: message.line, message: "a finding without its code")
                }
                let arguments = message["args"]?.array ?? []
                let identity = FindingIdentity(
                    code: code, entry: message["entry"]?.string, path: message["path"]?.string,
                    elementID: message["elementId"]?.string,
                    arguments: arguments.map { ($0["name"]?.string ?? "", $0["value"]?.string ?? "") })
                counts[identity, default: 0] += 1
            }
            guard case .object(let members)? = findings["suppressed"]?.value else { return }
            for (name, _, value) in members {
                // A code of a later version says nothing here.
                guard let code = FindingCode(rawValue: name), case .integer(let number) = value.value else { continue }
                suppressed[code] = Int(exactly: number) ?? 0
            }
        }
    }

    private var byInput: [String: Source] = [:]
    private var single: Source?

    /// - Parameters:
    ///   - text: The report's bytes.
    ///   - file: Its name, for errors.
    package init(parsing text: [UInt8], file: String) throws(ControlError) {
        let values: [LocatedJSON]
        do { values = try LocatedJSON.values(in: text) } catch {
            throw ControlError(file: file, line: error.line, message: "no valid JSON: \(error.message)")
        }
        guard !values.isEmpty else { throw ControlError(file: file, line: 1, message: "the report is empty") }
        for value in values {
            guard let findings = value["findings"] else {
                throw ControlError(
                    file: file, line: value.line, message: "no report of --format json: findings is missing")
            }
            let source = try Source(findings, file: file)
            if values.count == 1 { single = source }
            if let input = value["source"]?["input"]?.string { byInput[input] = source }
        }
    }

    /// What was known of a source: by its name as it was given; a report of a single source is taken for any.
    package func source(_ input: String) -> Source? { byInput[input] ?? single }
}

/// What makes a finding the same one when lines above it have moved: what it says of which element, not where.
package struct FindingIdentity: Sendable, Hashable {
    let code: String
    let entry: String?
    let path: String?
    let elementID: String?
    /// Name and value in turn; those that are places are left out.
    let arguments: [String]

    package init(_ finding: Finding) {
        self.init(
            code: finding.code.rawValue, entry: finding.place.entry, path: finding.place.path,
            elementID: finding.place.elementID, arguments: finding.arguments.map { ($0.name, $0.value) })
    }

    init(code: String, entry: String?, path: String?, elementID: String?, arguments: [(name: String, value: String)]) {
        self.code = code
        self.entry = entry
        self.path = path
        self.elementID = elementID
        self.arguments = arguments.filter { !Self.places.contains($0.name) }.flatMap { [$0.name, $0.value] }
    }

    private static let places = ["line", "column", "byte", "offsetInFile"]

    /// 32 hexadecimal digits, the same in every run.
    var fingerprint: String {
        var text: [UInt8] = []
        for part in [code, entry ?? "", path ?? "", elementID ?? ""] + arguments {
            text += part.utf8
            text.append(0)
        }
        return Self.hash(text, 0xCBF2_9CE4_8422_2325) + Self.hash(text.reversed(), 0x9AE1_6A3B_2F90_404F)
    }

    /// FNV-1a: no secret hangs on it.
    private static func hash(_ bytes: [UInt8], _ start: UInt64) -> String {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
