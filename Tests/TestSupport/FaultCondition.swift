// RFC 9110, sections 13 (conditional requests) and 14 (ranges); several ranges at once are answered by everything,
// which section 14.2 leaves to the server.

/// What of a resource a request is due.
enum FaultCondition: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable
    case notModified
    case failed

    init(_ request: LoopbackRequest, _ resource: FaultResource) {
        let isRead = request.method == "GET" || request.method == "HEAD"
        if let wanted = request["if-match"] {
            guard Self.names(wanted, resource, strongly: true) else {
                self = .failed
                return
            }
        } else if let date = request["if-unmodified-since"].flatMap(FaultResource.seconds),
            let modified = resource.lastModified, modified > date
        {
            self = .failed
            return
        }
        if let wanted = request["if-none-match"] {
            if Self.names(wanted, resource, strongly: false) {
                self = isRead ? .notModified : .failed
                return
            }
        } else if isRead, let date = request["if-modified-since"].flatMap(FaultResource.seconds),
            let modified = resource.lastModified, modified <= date
        {
            self = .notModified
            return
        }
        self = Self.range(request, resource)
    }

    private static func range(_ request: LoopbackRequest, _ resource: FaultResource) -> FaultCondition {
        guard request.method == "GET", resource.answersRanges, let range = request["range"] else { return .whole }
        if let wanted = request["if-range"] {
            // A date counts only when it is the very same; a weak tag never does.
            let isMet =
                wanted.hasPrefix("\"") || wanted.hasPrefix("W/")
                ? names(wanted, resource, strongly: true) : wanted == resource.dateField
            guard isMet else { return .whole }
        }
        return satisfied(range, of: resource.bytes.count)
    }

    private static func satisfied(_ field: String, of count: Int) -> FaultCondition {
        guard field.hasPrefix("bytes=") else { return .whole }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        if ends[0].isEmpty {
            guard let suffix = Int(ends[1]) else { return .whole }
            return suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
        }
        guard let first = Int(ends[0]) else { return .whole }
        let last = ends[1].isEmpty ? count - 1 : Int(ends[1])
        guard let last, ends[1].isEmpty || last >= first else { return .whole }
        return first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    }

    private static func names(_ wanted: String, _ resource: FaultResource, strongly: Bool) -> Bool {
        if wanted == "*" { return true }
        guard let tag = resource.tag, !strongly || tag.isStrong else { return false }
        let given = wanted.split(separator: ",").map { $0.trimming { $0 == " " } }
        return given.contains { $0 == "\"\(tag.text)\"" || !strongly && $0 == "W/\"\(tag.text)\"" }
    }
}

extension Substring {
    /// Without the characters at both ends that a test names.
    func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        let front = drop(while: isTrimmed)
        guard let last = front.lastIndex(where: { !isTrimmed($0) }) else { return front.prefix(0) }
        return front[...last]
    }
}
