/// Where the numbers of a curve lie.
struct ArchivedCurve: Sendable, Hashable {
    let archive: any NumberArchive
    /// Of its times.
    let range: ClosedRange<Double>?
    let times: ArchivedRun
    let values: ArchivedRun
    let incoming: ArchivedRun?
    let outgoing: ArchivedRun?

    static func == (left: ArchivedCurve, right: ArchivedCurve) -> Bool {
        left.archive === right.archive && left.times == right.times && left.values == right.values
            && left.incoming == right.incoming && left.outgoing == right.outgoing
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(archive))
        hasher.combine(times)
    }
}
