/// What a package or model calls itself in its manifest.
public enum ManifestName {
    /// `package/name` of a ROS `package.xml`; `nil` where it has none or is no XML.
    public static func package(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "package") }

    /// `model/name` of a Gazebo `model.config`.
    public static func model(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "model") }

    private static func name(in manifest: [UInt8], below element: String) -> String? {
        let texts = try? ElementTextReader.texts(at: [element, "name"], in: manifest)
        return texts?.first.map(\.trimmedWhiteSpace).flatMap { $0.isEmpty ? nil : $0 }
    }
}
