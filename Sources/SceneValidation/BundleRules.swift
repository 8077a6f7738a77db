import Diagnostics

/// What a bundle holds in vain.
enum BundleRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        for path in subject.measures.unused {
            log.add(
                .bundleUnusedFile, at: Place(entry: path), "nothing refers to \(path.quoted())",
                arguments: [.init("path", path)])
        }
        for group in subject.measures.duplicates {
            guard let first = group.first else { continue }
            let others = group.dropFirst()
            log.add(
                .bundleDuplicateContent, at: Place(entry: others.first),
                "\(group.count) files hold the same bytes, the first is \(first.quoted())",
                arguments: [.init("count", "\(group.count)"), .init("first", first)],
                related: [Place(entry: first)] + others.dropFirst().prefix(placesLimit).map { Place(entry: $0) })
        }
    }

    /// Copies that a finding names; an archive may hold one file many thousand times.
    private static let placesLimit = 10
}
