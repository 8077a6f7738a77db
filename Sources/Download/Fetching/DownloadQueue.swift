/// Which of many addresses is next: so many at once, and not too many of one host. Decides, never acts.
public struct DownloadQueue: Sendable {
    private let hosts: [String]
    private let limit: Int
    private let hostLimit: Int
    private var waiting: [Int]
    private var running: [Int: String] = [:]

    /// - Parameters:
    ///   - urls: In the order in which they are begun, where their hosts allow it.
    ///   - limit: At work at once, at least 1.
    ///   - hostLimit: Of these at one host and port, at least 1.
    public init(_ urls: [String], atMost limit: Int, perHost hostLimit: Int) {
        hosts = urls.map { url in
            let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
            return rest.prefix { !"/?#".contains($0) }.split(separator: "@").last.map { $0.lowercased() } ?? ""
        }
        self.limit = max(limit, 1)
        self.hostLimit = max(hostLimit, 1)
        waiting = Array(urls.indices)
    }

    /// The place of an address to begin with now; `nil` while all that wait have to.
    public mutating func next() -> Int? {
        guard running.count < limit else { return nil }
        var counts: [String: Int] = [:]
        for host in running.values { counts[host, default: 0] += 1 }
        guard let place = waiting.firstIndex(where: { counts[hosts[$0], default: 0] < hostLimit }) else { return nil }
        let index = waiting.remove(at: place)
        running[index] = hosts[index]
        return index
    }

    public mutating func end(_ index: Int) { running[index] = nil }
}
