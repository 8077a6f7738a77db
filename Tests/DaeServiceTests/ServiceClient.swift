import Glibc
import TestSupport
import Testing

/// Asks the service over bare connections, so that nothing of what it really sends is hidden.
struct ServiceClient: Sendable {
    let port: UInt16
    /// In place of the port.
    var socket: String?

    func connected() throws -> LoopbackClient {
        try socket.map { try LoopbackClient(socket: $0) } ?? LoopbackClient(port: port)
    }

    struct Answer: Sendable {
        let status: Int
        /// By their names in lower case.
        let headers: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONNode? { try? JSONNode(parsing: body) }

        /// Whether the service was killed in the middle of it: then it is none.
        func isCut(_ method: String) -> Bool {
            guard method != "HEAD", status != 304, let length = headers["content-length"].flatMap(Int.init) else {
                return false
            }
            return body.count < length
        }
    }

    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
    ) throws -> Answer {
        let connection = try connected()
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        connection.send(Array((head + "\r\n").utf8) + body)
        let answer = Self.answer(connection.rest().bytes)
        return answer.isCut(method) ? Answer(status: 0, headers: [:], body: []) : try checked(answer, to: method, path)
    }

    /// Holds an answer against the description of the API.
    func checked(_ answer: Answer, to method: String, _ path: String) throws -> Answer {
        // The service may have been killed.
        guard answer.status != 0 else { return answer }
        let description = try APIDescription.present.get()
        APIDescription.note(description.operation(method, path)?.name, port: port)
        for violation in description.violations(method, path, answer) {
            Issue.record("\(method) \(path), \(answer.status): \(violation)")
        }
        return answer
    }

    func get(_ path: String, headers: [String: String] = [:]) throws -> Answer {
        try send("GET", path, headers: headers)
    }

    /// Uploads bytes; gives the asset's id.
    func upload(_ bytes: [UInt8], name: String) throws -> String {
        let answer = try send("POST", "/v1/assets?name=\(name)", body: bytes)
        guard answer.status == 201, let id = answer.json?["id"]?.string else { throw Unexpected(answer: answer) }
        return id
    }

    func add(url: String) throws -> String {
        let answer = try send(
            "POST", "/v1/assets", headers: ["Content-Type": "application/json"],
            body: Array("{\"url\":\"\(url)\"}".utf8))
        guard answer.status == 201, let id = answer.json?["id"]?.string else { throw Unexpected(answer: answer) }
        return id
    }

    /// The state of an asset once nothing works on it any more.
    func outcome(of id: String) throws -> JSONNode {
        for _ in 0..<3000 {
            let answer = try get("/v1/assets/\(id)")
            guard answer.status == 200, let state = answer.json?["state"], let name = state["state"]?.string else {
                throw Unexpected(answer: answer)
            }
            if name == "ready" || name == "failed" { return state }
            usleep(20_000)
        }
        throw Unexpected(answer: try get("/v1/assets/\(id)"))
    }

    struct Unexpected: Error {
        let answer: Answer
    }

    static func answer(_ bytes: [UInt8]) -> Answer {
        var end = 0
        while end + 4 <= bytes.count, !bytes[end..<end + 4].elementsEqual("\r\n\r\n".utf8) { end += 1 }
        let lines = String(decoding: bytes[..<min(end, bytes.count)], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        let words = lines.first?.split(separator: " ") ?? []
        let status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let body = Array(bytes.dropFirst(min(end + 4, bytes.count)))
        let isChunked = headers["transfer-encoding"] == "chunked"
        return Answer(status: status, headers: headers, body: isChunked ? joined(body) : body)
    }

    /// What comes in chunks as one.
    private static func joined(_ body: [UInt8]) -> [UInt8] {
        var (whole, rest): ([UInt8], ArraySlice<UInt8>) = ([], body[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), count > 0 else { break }
            whole += rest.dropFirst(end - rest.startIndex + 2).prefix(count)
            rest = rest.dropFirst(end - rest.startIndex + count + 4)
        }
        return whole
    }
}
