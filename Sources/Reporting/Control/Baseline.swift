import Diagnostics

/// The findings of an earlier report of form `json`, one source or several.
public struct Baseline: Sendable {
    /// What was known of one source.
    public struct Source: Sendable {
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
    public init(parsing text: [UInt8], file: String) throws(ControlError) {
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
    public func source(_ input: String) -> Source? { byInput[input] ?? single }
}
