/// Who made a report, as its forms say it.
public struct ReportTool: Sendable, Equatable {
    public var name: String
    public var version: String

    public init(name: String = "Daedalus", version: String) {
        self.name = name
        self.version = version
    }
}
