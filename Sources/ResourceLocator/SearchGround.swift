/// What all searches of one locator share. A class since each of them has it.
final class SearchGround: Sendable {
    let container: any ResourceContainer
    let indexes: BundleIndexes
    let frame: BundleFrame
    let host: HostGround

    init(container: any ResourceContainer, indexes: BundleIndexes, frame: BundleFrame, host: HostGround) {
        self.container = container
        self.indexes = indexes
        self.frame = frame
        self.host = host
    }
}
