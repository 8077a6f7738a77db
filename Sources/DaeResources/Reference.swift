// References are URIs by the specification and file names in practice: nothing here may rely on either.

import DaeArchive
import DaeCore

/// What kind of thing a reference is, before any file is looked for.
enum Reference {
    case empty
    /// A text to be read as a path; `isFileURI` when it stood behind `file:`, which is taken off.
    case local(String, isFileURI: Bool)
    case remote(String)
    case embedded(mediaType: String?)
    case blocked(Resolution.BlockedReason)

    /// No name in a zip archive is longer, in bytes.
    private static let longest = 65_535

    init(_ written: String) {
        let text = Self.trimmed(written)
        let bytes = ByteSet(text)
        let address = bytes.contains(":") ? URIReference(text) : nil
        if text.isEmpty {
            self = .empty
        } else if let address, address.hasScheme("data") {
            self = .embedded(mediaType: Self.mediaType(address.path))
        } else if text.utf8.count > Self.longest {
            self = .blocked(.tooLong)
        } else if bytes.hasControl || (bytes.contains("%") && Self.encodesControl(text)) {
            self = .blocked(.controlCharacter)
        } else if let address, address.authority != nil, address.hasScheme("http") || address.hasScheme("https") {
            self = .remote(text)
        } else if let address, address.hasScheme("file") {
            self = .local(Self.path(ofFile: address), isFileURI: true)
        } else {
            self = .local(text, isFileURI: false)
        }
    }

    /// What stands behind `file:`, whose host means nothing in a bundle when it is none or this machine.
    private static func path(ofFile uri: URIReference) -> String {
        var local = uri
        local.scheme = nil
        local.authority = nil
        guard let host = uri.authority, host.lowercased() != "localhost" || !uri.path.hasPrefix("/") else {
            return local.text
        }
        return host + local.text
    }

    /// XML's white space around a text is layout, not name.
    private static func trimmed(_ text: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = text.utf8.span
        if !bytes.isEmpty, !isSpace(bytes[0]), !isSpace(bytes[bytes.count - 1]) { return text }
        let front = text.utf8.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...last]))
    }

    private static func hasControl(_ text: String) -> Bool { text.utf8.contains(where: isControl) }

    private static func encodesControl(_ text: String) -> Bool {
        PercentEncoding.decodedBytes(text)?.contains(where: isControl) == true
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// The type at the head of a data URI; `nil` when none is given there.
    private static func mediaType(_ data: String) -> String? {
        let head = data.utf8.prefix(128)
        guard let end = head.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }),
            end != head.startIndex, !hasControl(String(Substring(head[..<end])))
        else { return nil }
        return String(Substring(head[..<end]))
    }
}

// `package://robot/meshes/a.dae` names a folder by what its package.xml says, not by where it lies.

/// Folders of a bundle that a manifest gives a name.
struct NamedFolder: Sendable {
    enum Kind: Sendable, Hashable, CaseIterable {
        case package, model

        /// What the folder holds.
        var manifest: String {
            switch self {
            case .package: "package.xml"
            case .model: "model.config"
            }
        }

        var scheme: String {
            switch self {
            case .package: "package"
            case .model: "model"
            }
        }

        func name(in bytes: [UInt8]) -> String? {
            switch self {
            case .package: ManifestName.package(bytes)
            case .model: ManifestName.model(bytes)
            }
        }
    }

    /// Manifests that are read, and the largest, in bytes.
    private static let mostRead = 256
    private static let largest = 1 << 20

    private var folders: [String: String] = [:]

    init(_ kind: Kind, in container: any ResourceContainer) {
        let manifests = container.paths.filter { BundlePath.baseName(of: $0) == kind.manifest }.sortedOnce()
        // Gazebo goes by the folder's name, ROS by the manifest's; where the two agree it is the same entry.
        for path in manifests.prefix(Self.mostRead) {
            guard let bytes = container.bytes(at: path, limit: Self.largest), let name = kind.name(in: bytes) else {
                continue
            }
            add(name, path)
        }
        for path in manifests { add(BundlePath.baseName(of: BundlePath.folder(of: path)), path) }
    }

    private mutating func add(_ name: String, _ manifest: String) {
        guard !name.isEmpty, folders[name] == nil else { return }
        folders[name] = BundlePath.folder(of: manifest)
    }

    /// The folder of that name.
    func folder(_ name: String) -> String? { folders[name] }
}

/// The parts of `package://name/path`.
struct NamedAddress {
    let name: String
    let path: String

    init?(_ text: String, _ kind: NamedFolder.Kind) {
        let address = URIReference(text)
        guard address.hasScheme(kind.scheme), let name = address.authority, !name.isEmpty, name != ".", name != ".."
        else { return nil }
        self.name = name
        path = address.path
    }
}

/// An address that is its own content.
///
/// - Source: RFC 2397, and RFC 4648 for the two alphabets of base 64.
package enum DataAddress {
    /// The bytes of a `data:` address; `nil` for any other text, and for base 64 that is none.
    package static func bytes(of text: String) -> [UInt8]? {
        let text = text.utf8.drop { $0 <= 0x20 }
        guard text.prefix(5).map({ $0 | 0x20 }) == Array("data:".utf8), let comma = text.firstIndex(of: 0x2C) else {
            return nil
        }
        let kind = String(Substring(text[..<comma])).lowercased()
        let content = String(Substring(text[text.index(after: comma)...]))
        let written = PercentEncoding.decodedBytes(content) ?? Array(content.utf8)
        let isPacked = kind.split(separator: ";").dropFirst().contains { $0.filter { $0 != " " } == "base64" }
        return isPacked ? base64(written) : written
    }

    /// White space is passed over, and the padding may be left out.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in text where byte > 0x20 && byte != 0x3D {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}

// Fuel's servers give a model's files under /1.0/OWNER/models/NAME/VERSION/files/PATH, its client keeps them below
// ~/.gz/fuel/SERVER/owner/models/name/VERSION/PATH, with owner and name in small letters.

/// A file of a model on a server of Gazebo Fuel.
struct FuelAddress {
    private let server: String
    private let owner: String
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
