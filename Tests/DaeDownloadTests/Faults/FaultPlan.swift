import TestSupport

/// A random server that a good client gets the better of: some faults that pass, and then none.
struct FaultPlan: Sendable, CustomStringConvertible {
    let resource: FaultResource
    let script: [Fault]
    let seed: UInt64

    var description: String {
        let faults = script.map { fault in
            String(String(describing: fault).prefix { $0 != "[" }.prefix(60))
        }
        return "seed \(seed): \(resource.bytes.count) bytes, tag \(resource.tagName), \(faults.joined(separator: "; "))"
    }

    /// The same for the same seed.
    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let size = Self.size(&numbers)
        let first = Self.resource(FaultResource.noise(size, seed: seed), "one", &numbers)
        var faults: [Fault] = []
        // A client gives up where too much of what it had was of no use, and a stall takes its time.
        var (restarts, stalls) = (2, 1)
        for index in 0..<Int.random(in: 1...6, using: &numbers) {
            switch Int.random(in: 0..<100, using: &numbers) {
            case 0..<35: faults.append(.cut(after: Self.place(size, &numbers), by: Self.end(&numbers)))
            case 35..<45: faults.append(.cutHead(after: .random(in: 0...150, using: &numbers), by: Self.end(&numbers)))
            case 45..<52: faults.append(.drop(by: Self.end(&numbers)))
            case 52..<62: faults.append(.chunkedCut(after: Self.place(size, &numbers), by: Self.end(&numbers)))
            case 62..<72: faults.append(.status([408, 429, 500, 502, 503].randomElement(using: &numbers) ?? 503))
            case 72..<76: faults.append(.status(429, ["Retry-After: \(Int.random(in: 0...30, using: &numbers))"]))
            case 76..<80: faults.append(.redirect(to: .text(FaultCase.moved)))
            case 80..<84: faults.append(.ignoredRange)
            case 84..<88: faults.append(.chunkedSize("zz", after: Self.place(size, &numbers)))
            case 88..<92 where restarts > 0:
                restarts -= 1
                faults.append(.contentRange(Self.wrongRange(&numbers)))
            case 92..<94 where restarts > 0:
                restarts -= 1
                faults.append(.unsatisfied(total: nil))
            case 94..<96 where stalls > 0:
                stalls -= 1
                faults.append(.stall(after: Self.place(size, &numbers)))
            case 96..<100:
                let bytes = FaultResource.noise(Self.size(&numbers), seed: seed &+ UInt64(index) &+ 1000)
                faults.append(.replaced(by: Self.resource(bytes, "new \(index)", &numbers)))
            default: faults.append(.cut(after: Self.place(size, &numbers)))
            }
        }
        resource = first
        script = faults
        self.seed = seed
    }

    /// What the file holds after so many requests.
    func bytes(after requests: Int) -> [UInt8] {
        script.prefix(requests).reduce(resource.bytes) { bytes, fault in
            if case .replaced(let resource) = fault { resource.bytes } else { bytes }
        }
    }

    /// Serves the plan; what redirects lead to is the resource as it is at that time, played by the same script.
    func server() throws -> FaultServer {
        let server = try FaultServer([FaultCase.path: resource])
        server.play(script, at: FaultCase.path)
        server.alias(FaultCase.moved, of: FaultCase.path)
        return server
    }

    // MARK: - Chance

    private static func size(_ numbers: inout SeededNumbers) -> Int {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: .random(in: 0...1, using: &numbers)
        case 1..<4: .random(in: 2...20_000, using: &numbers)
        case 4..<8: .random(in: 20_000...400_000, using: &numbers)
        default: .random(in: 400_000...3_000_000, using: &numbers)
        }
    }

    private static func resource(_ bytes: [UInt8], _ tag: String, _ numbers: inout SeededNumbers) -> FaultResource {
        let fields = Int.random(in: 0..<3, using: &numbers) == 0 ? [FaultCase.reprDigest(of: bytes)] : []
        let date = Int.random(in: 700_000_000...1_700_000_000, using: &numbers)
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: return FaultResource(bytes, tag: .weak(tag), fields: fields)
        case 1: return FaultResource(bytes, tag: nil, fields: fields)
        case 2: return FaultResource(bytes, tag: nil, lastModified: date, fields: fields)
        case 3: return FaultResource(bytes, tag: .strong(tag), fields: fields, answersRanges: false)
        case 4: return FaultResource(bytes, tag: .strong(tag), lastModified: date, fields: fields)
        default: return FaultResource(bytes, tag: .strong(tag), fields: fields)
        }
    }

    /// Ends are more likely than any place between.
    private static func place(_ size: Int, _ numbers: inout SeededNumbers) -> Int {
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: 0
        case 1: max(0, size - 1)
        case 2: size
        default: .random(in: 0...size, using: &numbers)
        }
    }

    private static func end(_ numbers: inout SeededNumbers) -> FaultEnd {
        Int.random(in: 0..<3, using: &numbers) == 0 ? .reset : .close
    }

    private static func wrongRange(_ numbers: inout SeededNumbers) -> FaultContentRange {
        let wrong: [FaultContentRange] = [
            .start(1), .start(-1), .total(1), .unit("items"), .text("nonsense"), .missing,
        ]
        return wrong.randomElement(using: &numbers) ?? .missing
    }
}

extension FaultResource {
    fileprivate var tagName: String {
        switch tag {
        case .strong(let text): "\(text)"
        case .weak(let text): "weak \(text)"
        case nil: lastModified.map { "date \($0)" } ?? "none"
        }
    }
}
