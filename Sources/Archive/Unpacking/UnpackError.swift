public import Diagnostics
import Glibc

/// Why a bundle was not unpacked. What was written until then is gone again.
public struct UnpackError: CodedError, Equatable {
    public let code: FindingCode
    public let place: Place
    public let message: String
    /// Whether the folder written to is the cause, not the bundle.
    public let isAboutTarget: Bool

    private init(_ code: FindingCode, _ message: String, isAboutTarget: Bool = true) {
        self.code = code
        self.message = message
        self.isAboutTarget = isAboutTarget
        place = Place()
    }

    init(_ error: ArchiveError) {
        code = error.code
        place = error.place
        message = error.message
        isAboutTarget = false
    }

    static func cannotWrite(_ path: String, errno code: Int32) -> UnpackError {
        UnpackError(.ioError, "\(ArchiveError.shown(path)) cannot be written: \(String(cString: strerror(code)))")
    }

    static func notAFolder(_ path: String) -> UnpackError {
        UnpackError(.ioError, "\(ArchiveError.shown(path)) is there and is no folder")
    }

    static func occupied(_ path: String) -> UnpackError {
        UnpackError(.ioError, "\(ArchiveError.shown(path)) is there and is not empty; nothing was written")
    }

    static func inTheWay(_ entry: String, in folder: String) -> UnpackError {
        UnpackError(
            .ioError,
            "\(ArchiveError.shown(folder + "/" + entry)) is no regular file, or leads through what is no folder; nothing "
                + "was written")
    }

    static var cancelled: UnpackError {
        UnpackError(.assetCancelled, "Stopped on request; what was written is gone again.", isAboutTarget: false)
    }
}
