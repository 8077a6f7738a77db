public import Diagnostics

extension ImageProbeResult {
    /// What is odd about an image file named `name`: a header that is
    /// broken or cut short, or content that its extension does not promise.
    ///
    /// An unrecognised file is no finding where the name promises a format without a magic number, or none.
    public func findings(name: String, at place: Place = Place()) -> [Finding] {
        let promised = ImageFormat(fileName: name)
        var findings: [Finding] = []
        if let (code, trouble) = trouble(promised: promised) {
            findings.append(Finding(code, at: place, "\(name): \(trouble)", arguments: [.init("file", name)]))
        }
        if let format, let promised, format != promised {
            findings.append(
                Finding(
                    .imageExtensionMismatch, at: place,
                    "\(name) holds \(format.rawValue), its name says \(promised.rawValue)",
                    arguments: [
                        .init("file", name), .init("format", format.rawValue), .init("promised", promised.rawValue),
                    ]))
        }
        return findings
    }

    private func trouble(promised: ImageFormat?) -> (FindingCode, String)? {
        switch self {
        case .image: nil
        case .truncated(let format):
            (.imageTruncated, "the file is cut short inside the header of a \(format.rawValue)")
        case .outOfReach(let format):
            (.imageDataInvalid, "no size in the first \(ImageProbe.budget(of: format)) bytes of a \(format.rawValue)")
        case .invalid(let format, let fault): (.imageDataInvalid, "broken \(format.rawValue): \(fault.text)")
        case .empty: (.imageDataInvalid, "the file is empty")
        case .unrecognised:
            promised.flatMap {
                $0 == .tga ? nil : (.imageDataInvalid, "not a \($0.rawValue), nor any other known format")
            }
        }
    }
}

extension ImageProbeResult.Fault {
    /// A clause without a full stop.
    public var text: String {
        switch self {
        case .zeroSize: "width or height is 0"
        case .sizeTooLarge: "width or height is above 2147483647"
        case .brokenStructure: "the parts of its header do not fit together"
        case .unknownPixels: "its kind of pixel does not exist"
        case .noHeader: "its pixels begin before its size is told"
        }
    }
}
