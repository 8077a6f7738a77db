// Only the keywords that our own schemas use; any other is an error, so that nothing goes unchecked in silence.

/// A JSON Schema (2020-12) that values can be held against.
public struct JSONSchema: Sendable {
    /// What is wrong with a schema itself.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    private let root: JSONNode
    private let definitions: [String: JSONNode]

    /// - Throws: ``Fault`` for a keyword that is not known, a reference that leads nowhere, a value of the wrong kind.
    public init(_ root: JSONNode) throws {
        self.root = root
        if case .object(let definitions)? = root["$defs"] { self.definitions = definitions } else { definitions = [:] }
        try checkSchema(root, at: "#")
    }

    /// A schema that stands in another document, whose schemas it refers to as `#/components/schemas/…`.
    ///
    /// - Throws: As for one that stands alone; of `definitions` all are looked at.
    public init(_ root: JSONNode, definitions: [String: JSONNode]) throws {
        self.root = root
        self.definitions = definitions
        try checkSchema(root, at: "#")
        for (name, definition) in definitions { try checkSchema(definition, at: "#/components/schemas/\(name)") }
    }

    /// What is wrong with a value, each with its path; empty when the value fits.
    public func violations(in value: JSONNode) -> [String] { violations(of: root, in: value, at: "$") }

    // MARK: - The schema itself

    private func checkSchema(_ schema: JSONNode, at path: String) throws {
        guard case .object(let members) = schema else { throw Fault(description: "\(path) is no object") }
        for (keyword, value) in members { try check(keyword, value, at: "\(path)/\(keyword)") }
    }

    private func check(_ keyword: String, _ value: JSONNode, at path: String) throws {
        switch (keyword, value) {
        case ("$schema", .string), ("$id", .string), ("title", .string), ("description", .string), ("const", _),
            ("enum", .array), ("minimum", .number), ("maximum", .number), ("minItems", .number), ("maxItems", .number),
            ("minLength", .number), ("maxLength", .number), ("additionalProperties", .bool), ("type", .string),
            ("default", _), ("contentMediaType", .string), ("maxProperties", .number):
            break
        case ("type", .array(let words)), ("required", .array(let words)):
            guard words.allSatisfy({ $0.string != nil }) else { throw Fault(description: "\(path) has no words") }
        case ("pattern", .string(let pattern)): _ = try Regex(pattern)
        case ("properties", .object(let members)), ("$defs", .object(let members)):
            for (name, schema) in members { try checkSchema(schema, at: "\(path)/\(name)") }
        case ("items", let schema), ("additionalProperties", let schema), ("propertyNames", let schema):
            try checkSchema(schema, at: path)
        case ("oneOf", .array(let schemas)):
            for (index, schema) in schemas.enumerated() { try checkSchema(schema, at: "\(path)/\(index)") }
        case ("$ref", .string(let reference)):
            guard target(of: reference) != nil else {
                throw Fault(description: "\(path) refers to \(reference), which is not there")
            }
        default: throw Fault(description: "\(path): this keyword or its value is not known")  // strings
        }
    }

    private func target(of reference: String) -> JSONNode? {
        for prefix in ["#/$defs/", "#/components/schemas/"] where reference.hasPrefix(prefix) {
            return definitions[String(reference.dropFirst(prefix.count))]
        }
        return nil
    }

    // MARK: - Values

    private func violations(of schema: JSONNode, in value: JSONNode, at path: String) -> [String] {
        guard case .object(let keywords) = schema else { return ["\(path): the schema is no object"] }
        return keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule in
            violations(of: keyword, rule, beside: keywords, in: value, at: path)
        }
    }

    private func violations(
        of keyword: String, _ rule: JSONNode, beside keywords: [String: JSONNode], in value: JSONNode, at path: String
    ) -> [String] {
        switch (keyword, value) {
        case ("type", _):
            let allowed = (rule.string.map { [$0] } ?? rule.elements.compactMap(\.string))
            return allowed.contains(where: value.types.contains)
                ? [] : ["\(path) is no \(allowed.joined(separator: " or "))"]
        case ("const", _): return value == rule ? [] : ["\(path) is not what it must be"]
        case ("enum", _): return rule.elements.contains(value) ? [] : ["\(path) is none of the allowed values"]
        case ("$ref", _):
            guard let target = rule.string.flatMap(target) else { return ["\(path): unknown reference"] }
            return violations(of: target, in: value, at: path)
        case ("oneOf", _): return violations(ofOne: rule.elements, in: value, at: path)
        case ("required", .object(let members)):
            return rule.elements.compactMap(\.string).filter { members[$0] == nil }.map { "\(path).\($0) is missing" }
        case ("properties", .object(let members)):
            return members.sorted { $0.key < $1.key }.flatMap { name, member in
                rule[name].map { violations(of: $0, in: member, at: "\(path).\(name)") } ?? []
            }
        case ("additionalProperties", .object(let members)):
            let others = members.filter { keywords["properties"]?[$0.key] == nil }.sorted { $0.key < $1.key }
            if case .bool(let isAllowed) = rule {
                return isAllowed ? [] : others.map { "\(path).\($0.key) is unknown" }
            }
            return others.flatMap { violations(of: rule, in: $0.value, at: "\(path).\($0.key)") }
        case ("propertyNames", .object(let members)):
            return members.keys.sorted().flatMap {
                violations(of: rule, in: .string($0), at: "\(path), the name \($0)")
            }
        case ("maxProperties", .object(let members)):
            return Double(members.count) <= rule.number ?? 0 ? [] : ["\(path) has too many members"]
        case ("items", .array(let elements)):
            return elements.enumerated().flatMap { violations(of: rule, in: $1, at: "\(path)[\($0)]") }
        case ("minItems", .array(let elements)):
            return Double(elements.count) >= rule.number ?? 0 ? [] : ["\(path) has too few elements"]
        case ("maxItems", .array(let elements)):
            return Double(elements.count) <= rule.number ?? 0 ? [] : ["\(path) has too many elements"]
        case ("minLength", .string(let text)):
            return Double(text.count) >= rule.number ?? 0 ? [] : ["\(path) is too short"]
        case ("maxLength", .string(let text)):
            return Double(text.count) <= rule.number ?? 0 ? [] : ["\(path) is too long"]
        case ("maximum", .number(let number)): return number <= rule.number ?? 0 ? [] : ["\(path) is too large"]
        case ("minimum", .number(let number)): return number >= rule.number ?? 0 ? [] : ["\(path) is too small"]
        case ("pattern", .string(let text)):
            let isMatch = rule.string.flatMap { try? Regex($0) }.map { text.contains($0) } ?? false
            return isMatch ? [] : ["\(path) does not fit the pattern"]
        default: return []  // strings: a keyword for another kind of value, or one that only tells
        }
    }

    private func violations(ofOne schemas: [JSONNode], in value: JSONNode, at path: String) -> [String] {
        let all = schemas.map { violations(of: $0, in: value, at: path) }
        let fitting = all.count(where: \.isEmpty)
        if fitting == 1 { return [] }
        if fitting > 1 { return ["\(path) fits \(fitting) schemas; expected one"] }
        // Those of the nearest miss say most.
        return all.min { $0.count < $1.count } ?? ["\(path) fits nothing"]
    }
}
