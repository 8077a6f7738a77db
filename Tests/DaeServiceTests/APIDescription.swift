import Synchronization
import TestSupport

/// What the service says of its own API, and how answers are held against it.
struct APIDescription: Sendable {
    struct Operation: Sendable {
        /// Such as `GET /v1/assets/{id}`.
        let name: String
        let node: JSONNode
    }

    /// As the program prints it.
    static let present = Result { try APIDescription(JSONNode(parsing: printed())) }

    private static let seen = Mutex<[UInt16: Set<String>]>([:])

    let document: JSONNode
    private let schemas: [String: JSONNode]

    init(_ document: JSONNode) throws {
        self.document = document
        schemas = document["components"]?["schemas"]?.members ?? [:]
        _ = try JSONSchema(["type": "object"], definitions: schemas)
    }

    static func printed() throws -> [UInt8] { try Program.run(["openapi"], program: ServiceProcess.program).output }

    /// Remembers that an operation of the service at a port was asked for.
    static func note(_ operation: String?, port: UInt16) {
        guard let operation else { return }
        _ = seen.withLock { $0[port, default: []].insert(operation) }
    }

    static func seen(at port: UInt16) -> Set<String> { seen.withLock { $0[port] ?? [] } }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch"]

    /// The names of all operations.
    var operations: [String] {
        (document["paths"]?.members ?? [:]).flatMap { template, item in
            Self.methods.filter { item[$0] != nil }.map { "\($0.uppercased()) \(template)" }
        }
    }

    func operation(_ method: String, _ path: String) -> Operation? {
        guard let (template, item) = item(path) else { return nil }
        let method = method.lowercased()
        // An answer to HEAD is that to GET without its body.
        guard let node = item[method] ?? (method == "head" ? item["get"] : nil) else { return nil }
        return Operation(name: "\((item[method] == nil ? "get" : method).uppercased()) \(template)", node: node)
    }

    /// What of an answer is not as described; empty where all is.
    func violations(_ method: String, _ path: String, _ answer: ServiceClient.Answer) -> [String] {
        // What a browser asks before it sends is of no operation.
        if method == "OPTIONS", answer.status == 204, answer.headers["access-control-allow-methods"] != nil {
            return []
        }
        guard let operation = operation(method, path) else {
            let expected = item(path) == nil ? [404, 400, 401, 403, 421, 429] : [405, 400, 401, 403, 421, 429]
            guard expected.contains(answer.status) else { return ["the operation is not described"] }
            return bodyViolations(document["components"]?["responses"]?["Problem"] ?? [:], answer)
        }
        guard let response = resolved(operation.node["responses"]?[String(answer.status)]) else {
            return ["the status is not described"]
        }
        return headerViolations(response, answer) + (method == "HEAD" ? [] : bodyViolations(response, answer))
    }

    // MARK: - Parts

    private func headerViolations(_ response: JSONNode, _ answer: ServiceClient.Answer) -> [String] {
        (response["headers"]?.members ?? [:]).flatMap { name, reference -> [String] in
            guard let header = resolved(reference) else { return ["the header \(name) refers to nothing"] }
            guard let value = answer.headers[name.lowercased()] else {
                return header["required"] == true ? ["the header \(name) is missing"] : []
            }
            return schemaViolations(header["schema"] ?? [:], .string(value)).map { "header \(name): \($0)" }
        }
    }

    private func bodyViolations(_ response: JSONNode, _ answer: ServiceClient.Answer) -> [String] {
        guard let content = response["content"] else { return answer.body.isEmpty ? [] : ["there is a body"] }
        let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? "none"
        guard let media = content[type] ?? content["*/*"] else { return ["the content type \(type) is not described"] }
        guard type.hasSuffix("json"), content[type] != nil, answer.status != 206 else { return [] }
        guard let json = answer.json else { return ["the body is no JSON"] }
        return schemaViolations(media["schema"] ?? [:], json)
    }

    private func schemaViolations(_ schema: JSONNode, _ value: JSONNode) -> [String] {
        do { return try JSONSchema(schema, definitions: schemas).violations(in: value) } catch { return ["\(error)"] }
    }

    private func resolved(_ node: JSONNode?) -> JSONNode? {
        guard let reference = node?["$ref"]?.string else { return node }
        return reference.split(separator: "/").dropFirst().reduce(document) { $0?[String($1)] }
    }

    /// The path's template and what is said of it; of several that fit the one with the most words of its own.
    private func item(_ path: String) -> (template: String, item: JSONNode)? {
        let words = Self.words(path.prefix { $0 != "?" })
        let fitting = (document["paths"]?.members ?? [:]).filter { Self.fits(words, Self.words($0.key[...])) }
        return fitting.max { Self.literals($0.key) < Self.literals($1.key) }.map { ($0.key, $0.value) }
    }

    private static func words(_ path: Substring) -> [Substring] {
        path.split(separator: "/")
    }

    private static func fits(_ words: [Substring], _ template: [Substring]) -> Bool {
        let isOpen = template.last == "{path}" && words.count >= template.count
        guard isOpen || words.count == template.count else { return false }
        return zip(words, template).allSatisfy { word, part in
            part.hasPrefix("{") ? !word.isEmpty : word == part
        }
    }

    private static func literals(_ template: String) -> Int { words(template[...]).count { !$0.hasPrefix("{") } }
}
