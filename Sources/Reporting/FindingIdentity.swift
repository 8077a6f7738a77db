public import Diagnostics

/// What makes a finding the same one when lines above it have moved: what it says of which element, not where.
public struct FindingIdentity: Sendable, Hashable {
    let code: String
    let entry: String?
    let path: String?
    let elementID: String?
    /// Name and value in turn; those that are places are left out.
    let arguments: [String]

    public init(_ finding: Finding) {
        self.init(
            code: finding.code.rawValue, entry: finding.place.entry, path: finding.place.path,
            elementID: finding.place.elementID, arguments: finding.arguments.map { ($0.name, $0.value) })
    }

    init(code: String, entry: String?, path: String?, elementID: String?, arguments: [(name: String, value: String)]) {
        self.code = code
        self.entry = entry
        self.path = path
        self.elementID = elementID
        self.arguments = arguments.filter { !Self.places.contains($0.name) }.flatMap { [$0.name, $0.value] }
    }

    private static let places = ["line", "column", "byte", "offsetInFile"]

    /// 32 hexadecimal digits, the same in every run.
    var fingerprint: String {
        var text: [UInt8] = []
        for part in [code, entry ?? "", path ?? "", elementID ?? ""] + arguments {
            text += part.utf8
            text.append(0)
        }
        return Self.hash(text, 0xCBF2_9CE4_8422_2325) + Self.hash(text.reversed(), 0x9AE1_6A3B_2F90_404F)
    }

    /// FNV-1a: no secret hangs on it.
    private static func hash(_ bytes: [UInt8], _ start: UInt64) -> String {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
