// What a server says wrongly of a body that it sends.

extension FaultExchange {
    func distorted(_ length: FaultLength) -> FaultAnswer {
        var answer = right
        let count = answer.body.count
        answer.lengthFields =
            switch length {
            case .plus(let more): ["Content-Length: \(count + more)"]
            case .minus(let fewer): ["Content-Length: \(max(0, count - fewer))"]
            case .text(let text): ["Content-Length: \(text)"]
            case .repeated: ["Content-Length: \(count)", "Content-Length: \(count)"]
            case .contradictory(let more): ["Content-Length: \(count)", "Content-Length: \(count + more)"]
            case .missing: []
            }
        return answer
    }

    func distorted(_ range: FaultContentRange) -> FaultAnswer {
        var answer = right
        let total = resource?.bytes.count ?? 0
        guard answer.status == 206, let asked = answer.contentRange.flatMap(Self.range) else { return answer }
        answer.contentRange =
            switch range {
            case .start(let shift):
                FaultAnswer.contentRange(asked.lowerBound + shift..<asked.upperBound + shift, of: total)
            case .total(let more): FaultAnswer.contentRange(asked, of: total + more)
            case .unknownTotal: "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/*"
            case .unit(let unit): "\(unit) \(asked.lowerBound)-\(asked.upperBound - 1)/\(total)"
            case .text(let text): text
            case .missing: nil
            }
        return answer
    }

    /// Of `bytes 5-9/10` the 5..<10.
    private static func range(_ field: String) -> Range<Int>? {
        let numbers = field.split { !$0.isNumber }.compactMap { Int($0) }
        return numbers.count == 3 && numbers[0] <= numbers[1] ? numbers[0]..<numbers[1] + 1 : nil
    }

    var withoutRange: FaultAnswer {
        guard let resource else { return right }
        return FaultAnswer(200, FaultAnswer.description(of: resource), body: resource.bytes)
    }

    /// As if the request did not say which version it wants a part of.
    var withoutIfRange: FaultAnswer {
        let headers = request.headers.filter { $0.name != "if-range" }
        return FaultAnswer(
            to: LoopbackRequest(method: request.method, target: request.target, headers: headers, opening: []),
            from: resource)
    }

    func part(_ range: Range<Int>) -> FaultAnswer {
        guard let resource else { return right }
        let range = range.clamped(to: resource.bytes.indices)
        var answer = FaultAnswer(206, FaultAnswer.description(of: resource), body: Array(resource.bytes[range]))
        answer.contentRange = FaultAnswer.contentRange(range, of: resource.bytes.count)
        return answer
    }

    func unsatisfied(_ total: Int?) -> FaultAnswer {
        guard request["range"] != nil else { return right }
        var answer = FaultAnswer(416, body: Array("no such range\n".utf8))
        answer.contentRange = total.map { "bytes */\($0)" }
        return answer
    }

    var multipart: FaultAnswer {
        let part = right
        guard let range = part.contentRange, let resource else { return part }
        let mark = "a-mark-between-parts"
        let head = "--\(mark)\r\nContent-Type: application/octet-stream\r\nContent-Range: \(range)\r\n\r\n"
        var typed = resource
        typed.contentType = "multipart/byteranges; boundary=\(mark)"
        return FaultAnswer(
            206, FaultAnswer.description(of: typed),
            body: Array(head.utf8) + part.body + Array("\r\n--\(mark)--\r\n".utf8))
    }

    func encoded(_ codings: [String]) -> FaultAnswer {
        var answer = withoutRange
        answer.fields.append("Content-Encoding: \(codings.joined(separator: ", "))")
        for coding in codings where coding == "gzip" { answer.body = Self.gzipped(answer.body) }
        return answer
    }

    /// RFC 1952, its deflated part made of stored blocks.
    private static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        let numbers = [CRC32.of(bytes), UInt32(truncatingIfNeeded: bytes.count)]
        let tail = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return head + Deflate.storedBlocks(bytes) + tail
    }

    var page: FaultAnswer {
        let text = "<!DOCTYPE html><html><title>Log in</title><body>Please log in.</body></html>\n"
        return FaultAnswer(200, ["Content-Type: text/html; charset=utf-8"], body: Array(text.utf8))
    }

    func redirect(to location: FaultLocation, _ status: Int) -> FaultAnswer {
        let address =
            switch location {
            case .text(let text): text
            case .absolute(let path, let host): "http://\(host):\(port)\(path)"
            case .itself: request.target
            }
        return FaultAnswer(status, ["Location: \(address)"], body: Array("moved\n".utf8))
    }
}
