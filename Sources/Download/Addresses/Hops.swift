// Redirects are followed here and not by libcurl, so that every address passes the same door.

/// A download's way over redirects: the address it has come to, and what may still be sent there.
///
/// Everything by which the user shows who asks (headers, bearer token, netrc; user name and password of the address) is
/// dropped as soon as scheme, host or port change, and stays dropped if a later hop comes back. A redirect from https to
/// http is refused under the closed policy; under the open one it is followed, without any of these.
struct Hops: Sendable {
    /// As it was asked for.
    let first: WebAddress
    private(set) var address: WebAddress
    private(set) var credentials = Request.Credentials.sent
    /// Redirects so far.
    private(set) var count = 0
    private let policy: NetworkPolicy

    /// Nothing is checked yet: ``TransferLoop`` does it with every request.
    init(from first: WebAddress, under policy: NetworkPolicy) {
        self.first = first
        self.policy = policy
        address = first
    }

    /// Takes one redirect. Where its target is refused, ``address`` is that target already, to be named in the error.
    mutating func follow(_ location: [UInt8], atMost limit: Int) throws(DownloadFailure) {
        guard count < limit else { throw .tooManyRedirects(limit: limit) }
        count += 1
        let origin = address
        address = try origin.following(location)
        if !address.hasSameOrigin(as: first) { credentials = .dropped }
        try policy.checkRedirect(from: origin, to: address)
        try policy.check(address)
    }

    /// The way from its beginning.
    var fromFirst: Hops { Hops(from: first, under: policy) }

    /// The request to be made next.
    func request(_ method: Request.Method = .get, _ fields: [Request.Field] = []) -> Request {
        Request(address: address, method: method, fields: fields, credentials: credentials)
    }
}
