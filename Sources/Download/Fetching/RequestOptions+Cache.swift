import ContentHash

extension RequestOptions {
    /// What of the requests may make answers differ: who asks with another token has another entry in the cache.
    var cacheVariant: [String] {
        let token = bearerToken.map { ["bearer", $0.text] } ?? []
        return headers.flatMap { [$0.name.lowercased(), $0.value] } + token
    }
}
