/// What is known of processes beside the time limits of their claims: a hint, by which what they held is free sooner.
struct OwnerLiveness: Sendable {
    /// Whether the process of a name is known to be gone.
    var isGone: @Sendable (_ owner: String) -> Bool

    /// Nothing is known, as of processes of other machines: the time limits alone decide.
    static let unknown = OwnerLiveness { _ in false }

    /// By the locks that all processes hold which share a folder.
    static func locks(_ folder: ServiceFolder) -> OwnerLiveness { OwnerLiveness { OwnerLock.isGone($0, folder) } }
}
