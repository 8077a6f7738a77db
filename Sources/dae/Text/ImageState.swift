import Daedalus

/// What a person wants to know of an image first; the worst first.
enum ImageState: String, CaseIterable {
    case missing, blocked, ambiguous
    /// Found, and not as it should be.
    case faulty
    /// Asked for on the web in vain.
    case unfetched = "not fetched"
    case remote = "on the web"
    case embedded, found

    init(_ image: Inspection.ImageRow) {
        switch image.status {
        case .found: self = image.faults.isEmpty ? .found : .faulty
        case .missing: self = .missing
        case .embedded: self = .embedded
        case .blocked: self = .blocked
        case .ambiguous: self = .ambiguous
        case .remote: self = image.reason == nil ? .remote : .unfetched
        }
    }

    /// Whether where it was looked for may be of use.
    var isUnresolved: Bool {
        switch self {
        case .missing, .blocked, .ambiguous: true
        case .faulty, .unfetched, .remote, .embedded, .found: false
        }
    }

    var ink: Style.Ink? {
        switch self {
        case .missing, .blocked, .faulty: .red
        case .ambiguous, .unfetched: .yellow
        case .remote, .embedded, .found: nil
        }
    }
}
