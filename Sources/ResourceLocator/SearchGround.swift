/// What all searches of one locator share.
struct SearchGround: Sendable {
    let container: any ResourceContainer
    let indexes: BundleIndexes
    let frame: BundleFrame
    let host: HostGround
}
