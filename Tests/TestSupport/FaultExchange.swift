/// One request and its answer, right or wrong.
struct FaultExchange: Sendable {
    enum Next: Sendable {
        case keepOpen
        case end(FaultEnd)
    }

    let request: LoopbackRequest
    let resource: FaultResource?
    let port: UInt16
    let wire: FaultWire

    var right: FaultAnswer { FaultAnswer(to: request, from: resource) }
    var keepsOpen: Bool { request["connection"]?.lowercased() != "close" }

    /// Sends the whole answer; a request for the head alone gets no body.
    func whole(_ answer: FaultAnswer) -> Next {
        wire.send(head: answer.head(keepsOpen: keepsOpen))
        let isSent = request.method == "HEAD" || wire.send(body: answer.body)
        return isSent && keepsOpen ? .keepOpen : .end(.close)
    }

    /// Sends the whole answer and then closes, whatever its length says.
    func last(_ answer: FaultAnswer) -> Next {
        wire.send(head: answer.head(keepsOpen: false))
        wire.send(body: answer.body)
        return .end(.close)
    }

    func play(_ fault: Fault) -> Next {
        switch fault {
        case .none, .replaced: whole(right)
        case .replacedUnnoticed: whole(withoutIfRange)
        case .cut(let count, let end): cut(after: count, end)
        case .cutHead(let count, let end): cutHead(after: count, end)
        case .drop(let end): .end(end)
        case .stall(let count, let gate): stall(after: count, gate)
        case .silence(let gate): pause(gate) ? whole(right) : .end(.close)
        case .slow(let size, let gate): slow(by: size, gate)
        case .length(let length): last(distorted(length))
        case .contentRange(let range): whole(distorted(range))
        case .ignoredRange: whole(withoutRange)
        case .unaskedPart(let range): whole(part(range))
        case .unsatisfied(let total): whole(unsatisfied(total))
        case .multipart: whole(multipart)
        case .chunked(let size): chunked(by: size)
        case .chunkedCut(let count, let end): chunkedCut(after: count, end)
        case .chunkedSize(let text, let count): chunkedSize(text, after: count)
        case .encoded(let codings): whole(encoded(codings))
        case .page: whole(page)
        case .redirect(let location, let status): whole(redirect(to: location, status))
        case .status(let status, let fields):
            whole(FaultAnswer(status, fields, body: Array("the server says \(status)\n".utf8)))
        case .bodyAfter(let status): bodyAfter(status)
        case .interim(let count): interim(count)
        case .endlessFields: endlessFields()
        case .fields(let lines): fields(lines)
        case .garbage(let text): garbage(text)
        }
    }
}

// MARK: - Answers that end or stand still

extension FaultExchange {
    private func cut(after count: Int, _ end: FaultEnd) -> Next {
        wire.send(head: right.head(keepsOpen: keepsOpen))
        wire.send(body: right.body.prefix(count))
        return .end(end)
    }

    private func cutHead(after count: Int, _ end: FaultEnd) -> Next {
        wire.send(head: String(right.head(keepsOpen: keepsOpen).utf8.prefix(count)) ?? "")
        return .end(end)
    }

    /// Whether to go on.
    private func pause(_ gate: FaultGate?) -> Bool {
        if let gate { return gate.pass(wire.connection.descriptor) }
        wire.connection.waitUntilClosed()
        return false
    }

    private func stall(after count: Int, _ gate: FaultGate?) -> Next {
        let answer = right
        wire.send(head: answer.head(keepsOpen: keepsOpen))
        wire.send(body: answer.body.prefix(count))
        guard pause(gate), wire.send(body: answer.body.dropFirst(count)) else { return .end(.close) }
        return keepsOpen ? .keepOpen : .end(.close)
    }

    private func slow(by size: Int, _ gate: FaultGate) -> Next {
        let answer = right
        wire.send(head: answer.head(keepsOpen: keepsOpen))
        var rest = answer.body[...]
        while !rest.isEmpty {
            guard gate.pass(wire.connection.descriptor), wire.send(body: rest.prefix(size)) else { return .end(.close) }
            rest = rest.dropFirst(size)
        }
        return keepsOpen ? .keepOpen : .end(.close)
    }
}

// MARK: - Chunks

extension FaultExchange {
    private func beginChunks() -> FaultAnswer {
        var answer = right
        answer.lengthFields = ["Transfer-Encoding: chunked"]
        wire.send(head: answer.head(keepsOpen: keepsOpen))
        return answer
    }

    private func chunked(by size: Int) -> Next {
        var rest = beginChunks().body[...]
        while !rest.isEmpty, wire.send(chunk: rest.prefix(size)) { rest = rest.dropFirst(size) }
        let isSent = rest.isEmpty && wire.send(head: "0\r\n\r\n")
        return isSent && keepsOpen ? .keepOpen : .end(.close)
    }

    private func chunkedCut(after count: Int, _ end: FaultEnd) -> Next {
        let answer = beginChunks()
        wire.send(chunk: answer.body.prefix(count))
        return .end(end)
    }

    private func chunkedSize(_ text: String, after count: Int) -> Next {
        let answer = beginChunks()
        wire.send(chunk: answer.body.prefix(count))
        wire.send(head: text + "\r\n")
        wire.send(body: answer.body.dropFirst(count))
        return .end(.close)
    }
}

// MARK: - What is no answer, or more than one

extension FaultExchange {
    private func bodyAfter(_ status: Int) -> Next {
        let answer = FaultAnswer(status, resource.map(FaultAnswer.description) ?? [])
        wire.send(head: answer.head(keepsOpen: keepsOpen))
        wire.send(body: resource?.bytes ?? [])
        return .end(.close)
    }

    private func interim(_ count: Int?) -> Next {
        let text = "HTTP/1.1 103 Early Hints\r\nLink: </model.css>; rel=preload\r\n\r\n"
        guard let count else {
            while wire.send(head: text) {}
            return .end(.close)
        }
        for _ in 0..<count { wire.send(head: text) }
        return whole(right)
    }

    private func endlessFields() -> Next {
        wire.send(head: "HTTP/1.1 200 OK\r\n")
        while wire.send(head: "X-Filler: \(String(repeating: "x", count: 2000))\r\n") {}
        return .end(.close)
    }

    private func fields(_ lines: [String]) -> Next {
        var answer = right
        answer.fields = lines + answer.fields
        return whole(answer)
    }

    private func garbage(_ text: String) -> Next {
        wire.send(head: text)
        return .end(.close)
    }
}
