import DaeCore
package import DaeDiagnostics

/// Why a bundle was not unpacked. What was written until then is gone again, unless ``leftover`` says where it is.
package struct UnpackError: CodedError, Equatable {
    package let code: FindingCode
    package let place: Place
    package private(set) var message: String
    /// Whether the folder written to is the cause, not the bundle.
    package let isAboutTarget: Bool
    /// The folder with what could not be tidied up; `nil` where nothing is left.
    package private(set) var leftover: String?

    private init(_ code: FindingCode, _ message: String, isAboutTarget: Bool = true) {
        self.code = code
        self.message = message
        self.isAboutTarget = isAboutTarget
        place = Place()
    }

    init(_ error: CodedFailure) {
        code = error.code
        place = error.place
        message = error.message
        isAboutTarget = false
    }

    static func cannotWrite(_ path: String, _ failure: SystemError) -> UnpackError {
        UnpackError(.ioError, "\(path.printable(limit: 200)) cannot be written: \(failure.reason)")
    }

    static func cannotMake(_ path: String, in parent: String, _ failure: SystemError) -> UnpackError {
        UnpackError(
            .ioError,
            "\(path.printable(limit: 200)) cannot be made: \(parent.printable(limit: 200)) cannot be opened as a folder: "
                + failure.reason)
    }

    static func notAFolder(_ path: String) -> UnpackError {
        UnpackError(.ioError, "\(path.printable(limit: 200)) is there and is no folder, or leads through what is none")
    }

    static func leadsNowhere(_ path: String) -> UnpackError {
        UnpackError(.ioError, "\(path.printable(limit: 200)) is a symbolic link that leads nowhere")
    }

    static func occupied(_ path: String) -> UnpackError {
        UnpackError(.ioError, "\(path.printable(limit: 200)) was made by somebody else meanwhile; nothing was written")
    }

    static func present(_ path: String) -> UnpackError {
        UnpackError(
            .ioError,
            "\(path.printable(limit: 200)) is there already and was not to be replaced; nothing was written")
    }

    static func inTheWay(_ path: String) -> UnpackError {
        UnpackError(
            .ioError,
            "\(path.printable(limit: 200)) is no regular file, or leads through what is no folder; nothing was written")
    }

    static var cancelled: UnpackError {
        UnpackError(.assetCancelled, "Stopped on request; what was written is gone again.", isAboutTarget: false)
    }

    // MARK: - What is left

    /// The same, where files were being put in place and were taken back.
    var undone: UnpackError {
        guard isAboutTarget else { return self }
        var error = self
        error.message = trimmed + "; what was already in place was taken back, and the folder is as it was"
        return error
    }

    /// The same, where the folder that was written to could not be removed.
    func leaving(_ partial: String, _ failure: SystemError) -> UnpackError {
        var error = self
        error.leftover = partial
        error.message = "\(trimmed); \(partial.printable(limit: 200)) is left and cannot be removed: \(failure.reason)"
        return error
    }

    /// The same, where files that were moved already could not be moved back.
    ///
    /// - Parameter paths: Not empty.
    func leaving(_ paths: [[UInt8]], movedIn folder: String, partial: String) -> UnpackError {
        let named = paths.prefix(3).map { String(decoding: $0, as: UTF8.self).printable(limit: 200) }
        let more = paths.count > named.count ? " and \(paths.count - named.count) more" : ""
        var error = self
        error.leftover = partial
        error.message = """
            \(trimmed); of what was already in place in \(folder.printable(limit: 200)), \(paths.count) could not be \
            taken back: \(named.joined(separator: ", "))\(more); the files that were replaced there are kept in \
            \(partial.printable(limit: 200))/replaced
            """
        return error
    }

    /// Without what no longer holds.
    private var trimmed: String {
        for ending in ["; nothing was written", "; what was written is gone again."] where message.hasSuffix(ending) {
            return String(message.dropLast(ending.count))
        }
        return message
    }
}
