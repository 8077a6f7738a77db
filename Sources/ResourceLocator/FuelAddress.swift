// Fuel's servers give a model's files under /1.0/OWNER/models/NAME/VERSION/files/PATH, its client keeps them below
// ~/.gz/fuel/SERVER/owner/models/name/VERSION/PATH, with owner and name in small letters.

import URIReference

/// A file of a model on a server of Gazebo Fuel.
struct FuelAddress {
    let server: String
    let owner: String
    let model: String
    /// A number, or `tip` for the newest.
    let version: String
    let path: String

    private static let servers = ["fuel.gazebosim.org", "fuel.ignitionrobotics.org"]

    /// `nil` for any other address.
    init?(_ url: String) {
        let address = URIReference(url)
        guard let server = address.authority?.lowercased(), Self.servers.contains(server) else { return nil }
        var parts = (PercentEncoding.decode(address.path) ?? address.path).split(separator: "/").map(String.init)
        if parts.first.map({ $0.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) } }) == true {
            parts.removeFirst()
        }
        guard parts.count >= 5, parts[1] == "models", !parts.contains(".."), !parts.contains(".") else { return nil }
        self.server = server
        owner = parts[0]
        model = parts[2]
        var rest = parts[3...]
        let isVersion = rest.first.map { $0 == "tip" || $0.utf8.allSatisfy { (48...57).contains($0) } } == true
        version = isVersion ? rest.removeFirst() : "tip"
        if rest.first == "files" { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        path = rest.joined(separator: "/")
    }

    /// The model's folders below a cache, without the version.
    var folders: [String] {
        let small = "\(server)/\(owner.lowercased())/models/\(model.lowercased())"
        let written = "\(server)/\(owner)/models/\(model)"
        return small == written ? [small] : [small, written]
    }
}
