/// Room that is kept for bytes on their way.
struct DiskRoom {
    let disk: DiskGuard
    private var bytes: Int64 = 0

    init(disk: DiskGuard) { self.disk = disk }

    /// - Throws: ``Problem`` where there is none.
    mutating func take(_ more: Int64) async throws {
        guard more > 0 else { return }
        try await disk.expect(more)
        bytes += more
    }

    /// Of bytes that are counted as kept from now on.
    mutating func settle(_ kept: Int64) async {
        let settled = min(bytes, max(0, kept))
        bytes -= settled
        await disk.settle(settled)
    }

    /// Of all that did not come, or is kept now.
    mutating func giveBack() async { await settle(bytes) }
}
