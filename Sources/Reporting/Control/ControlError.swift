/// Why a file that controls the validator cannot be used.
public struct ControlError: Error, Sendable, Equatable, CustomStringConvertible {
    public let file: String
    /// From 1; `nil` for the file as a whole.
    public let line: Int?
    public let message: String

    public init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `file:line: message`.
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + message }
}
