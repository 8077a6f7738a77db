/// What the connections of one pool have in common: requests with other settings never come to use them.
struct NetworkSettings: Sendable {
    let policy: NetworkPolicy
    let options: RequestOptions
}
