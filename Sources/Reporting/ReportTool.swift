/// Who made a report, as its forms say it.
public struct ReportTool: Sendable, Equatable {
    public var name: String
    public var version: String

    /// This product: its command line and its service say the same of the same file.
    public static let daedalus = ReportTool(version: "0.1.0")

    public init(name: String = "Daedalus", version: String) {
        self.name = name
        self.version = version
    }
}
