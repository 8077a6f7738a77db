import ImageProbe

extension Inspection.ImageRow.Fault {
    /// - Parameter promised: The format that the file's name says.
    static func all(of result: ImageProbeResult, isTruncated: Bool?, promised: ImageFormat?) -> [Self] {
        var faults: [Self] = []
        switch result {
        case .image, .truncated: break
        case .outOfReach, .invalid: faults.append(.invalid)
        case .empty: faults.append(.empty)
        // A TGA is known by its name alone, and what has no image's name need not be one.
        case .unrecognised: if let promised, promised != .tga { faults.append(.unrecognised) }
        }
        if isTruncated == true { faults.append(.truncated) }
        if let format = result.format, let promised, format != promised { faults.append(.mislabelled) }
        return faults
    }
}
