import Daedalus

/// How the program ends; thrown to end it. Of several sources the highest of 1 to 7.
enum DaeExit: Int32, Error, CaseIterable, Comparable {
    case fine = 0
    /// Findings at or above `--fail-on`, or something missing.
    case findings = 1
    /// Not found, or the download failed.
    case notFound = 3
    /// The archive was refused or cannot be read.
    case archive = 4
    /// The document cannot be read.
    case document = 5
    /// A budget was hit.
    case budget = 6
    /// A conversion would lose what `--lossless` or `--protect` protects.
    case loss = 7
    /// The arguments make no sense.
    case usage = 64
    /// The output cannot be written, or is there already.
    case cannotWrite = 73
    case interrupted = 130
    /// The reader of the output went away.
    case closedPipe = 141
    case terminated = 143

    static func < (left: DaeExit, right: DaeExit) -> Bool { left.rawValue < right.rawValue }

    /// By what failed, a budget before the stage it was hit in.
    init(failure code: FindingCode) {
        if code.isBudget {
            self = .budget
            return
        }
        if code == .convertLoss {
            self = .loss
            return
        }
        // One of several has to be named.
        if code == .bundleMultipleScenes {
            self = .usage
            return
        }
        switch code.stage {
        case .download: self = .notFound
        case .archive: self = .archive
        case .xml, .schema, .link, .data, .scene, .resource, .convert: self = .document
        }
    }
}
