extension Resolution {
    /// What came of fetching a file of the web.
    public enum Fetch: Sendable, Hashable {
        case done
        case failed(reason: String)
    }

    /// The same reference once its address was asked for; unchanged unless it is on the web.
    public func after(_ fetch: Fetch) -> Resolution {
        switch outcome {
        case .remote(let url):
            let outcome: Outcome
            switch fetch {
            case .done: outcome = .fetched(url: url)
            case .failed(let reason): outcome = .unfetched(url: url, reason: reason)
            }
            return Resolution(reference: reference, isAbsolute: isAbsolute, trace: trace, outcome: outcome)
        case .found, .outside, .missing, .ambiguous, .blocked, .fetched, .unfetched, .embedded: return self
        }
    }

    /// Whether it was found, and is no part of the bundle.
    public var isOutside: Bool {
        switch outcome {
        case .outside, .fetched: true
        case .found, .missing, .ambiguous, .blocked, .remote, .unfetched, .embedded: false
        }
    }

    /// Where it is on the web; `nil` for what is not, or not known to be.
    public var webAddress: String? {
        switch outcome {
        case .remote(let url), .fetched(let url), .unfetched(let url, _): url
        case .found, .outside, .missing, .ambiguous, .blocked, .embedded: nil
        }
    }
}
