package import DaeCore
package import DaeDiagnostics

/// How images and documents that a scene refers to by http or https are got, and how many of them. Nothing here knows the network.
package struct WebFetch: Sendable {
    /// What came of one address.
    package enum Answer: Sendable {
        case file(any ByteSource)
        /// - Parameters:
        ///   - received: Bytes that arrived nevertheless, at least 0.
        case failed(FindingCode, message: String, received: Int64)
    }

    /// Addresses that are asked for in one report, at most.
    package var addresses = 64
    /// Bytes that may arrive for one report, those of failed transfers counted.
    package var bytes: Int64 = 256 << 20
    /// Gets one file of at most `limit` bytes. Called on the thread that inspects, which it may block; ends soon once
    /// `isCancelled` says so.
    package var get: @Sendable (_ url: String, _ limit: Int64, _ isCancelled: () -> Bool) -> Answer

    package init(get: @escaping @Sendable (_ url: String, _ limit: Int64, _ isCancelled: () -> Bool) -> Answer) {
        self.get = get
    }
}

/// What one report has asked of the web, held against its budget; each address is asked for once. A class since documents
/// and images have one budget.
final class WebFiles {
    private enum Budget {
        case addresses, bytes
    }

    private let fetch: WebFetch
    private var addressesLeft: Int
    private var bytesLeft: Int64
    private var known: [String: WebFetch.Answer] = [:]

    init(_ fetch: WebFetch) {
        self.fetch = fetch
        addressesLeft = fetch.addresses
        bytesLeft = fetch.bytes
    }

    /// Asks for one address, or says that no more are asked for.
    func get(_ url: String, _ isCancelled: () -> Bool) -> WebFetch.Answer {
        if let known = known[url] { return known }
        if isCancelled() { return .failed(.assetCancelled, message: "\(url): stopped on request", received: 0) }
        if let budget = spent { return .failed(.resourceFetchLimit, message: message(budget, url), received: 0) }
        addressesLeft -= 1
        let answer = fetch.get(url, bytesLeft, isCancelled)
        switch answer {
        case .file(let source): bytesLeft -= min(bytesLeft, source.size)
        case .failed(_, _, let received): bytesLeft -= min(bytesLeft, max(0, received))
        }
        known[url] = answer
        return answer
    }

    private var spent: Budget? {
        if addressesLeft <= 0 { return .addresses }
        return bytesLeft <= 0 ? .bytes : nil
    }

    private func message(_ budget: Budget, _ url: String) -> String {
        switch budget {
        case .addresses: "\(url) was not fetched: at most \(fetch.addresses) addresses are asked for"
        case .bytes: "\(url) was not fetched: all files of the web together may have \(fetch.bytes) bytes"
        }
    }
}
