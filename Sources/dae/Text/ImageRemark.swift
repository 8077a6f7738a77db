import Daedalus

/// What there is to say of an image beside its size and path.
struct ImageRemark {
    private let image: Inspection.ImageRow

    init(_ image: Inspection.ImageRow) { self.image = image }

    var text: String {
        var parts = image.faults.map(words)
        if let reason = image.reason { parts.append(reason) }
        if image.status == .missing, image.reference == nil { parts.append("names no file") }
        if image.status == .remote, image.reason == nil {
            // What lies beside a document that came from the web is named by no address of its own.
            parts.append(isAddress ? "not fetched" : "not asked for: --fetch")
        }
        let told = parts.joined(separator: ", ")
        guard image.status == .found, let rule = image.rule, rule != .exact else { return told }
        return (told.isEmpty ? "" : told + " ") + "(\(rule.title))"
    }

    private var isAddress: Bool { image.reference?.contains("://") == true }

    private func words(_ fault: Inspection.ImageRow.Fault) -> String {
        switch fault {
        case .empty: "EMPTY"
        case .truncated: "CUT SHORT"
        case .invalid: "BROKEN HEADER"
        case .unrecognised: "NO IMAGE"
        case .unreadable: "UNREADABLE"
        case .mislabelled: "is \(image.format?.rawValue.uppercased() ?? "another format"), not as named"
        }
    }
}
