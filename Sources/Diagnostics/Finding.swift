/// Something odd but usable, as data: by code, with its place and the values seen and allowed.
public struct Finding: Sendable, Hashable {
    public struct Argument: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public let code: FindingCode
    public var severity: Severity
    public var place: Place
    /// One sentence with the value seen and the value allowed.
    public let message: String
    /// The values in the message, in order, for programs.
    public let arguments: [Argument]
    /// Other places it is about, such as the first definition of a duplicate id.
    public var related: [Place]
    /// What would mend it, when that is mechanical.
    public let fix: String?

    public init(
        _ code: FindingCode, at place: Place = Place(), _ message: String, arguments: [Argument] = [],
        related: [Place] = [], fix: String? = nil, severity: Severity? = nil
    ) {
        self.code = code
        self.severity = severity ?? code.severity
        self.place = place
        self.message = message
        self.arguments = arguments
        self.related = related
        self.fix = fix
    }

    public var stage: FindingStage { code.stage }
}
