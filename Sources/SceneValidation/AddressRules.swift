// The same address may stand at thousands of instances: what is wrong with it is told once, where it stands first.

import ColladaParser
import Diagnostics
import XMLReader

/// The addresses that a document holds, by their letters alone.
enum AddressRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        var told = Told(subject.told)
        subject.linked.document.forEachOddAddress { address, id in check(address, id, &told, &log) }
    }

    /// What is not told again.
    private struct Told {
        var addresses: Set<String> = []
        var schemes: Set<String>
        let knownSchemes = ColladaDocument.Reference.followedSchemes

        init(_ log: FindingLog) {
            schemes = Set(
                log.findings.lazy.filter { $0.code == .uriUnsupportedScheme }.compactMap(\.arguments.first?.value))
        }
    }

    private static func check(_ address: WrittenAddress, _ id: String?, _ told: inout Told, _ log: inout FindingLog) {
        let text = address.text
        var place = Place(address.position)
        place.elementID = id
        if let fault = Fault(text), told.addresses.insert(text).inserted {
            log.add(
                .uriInvalid, at: place, "the address \(text.quoted()) has \(fault.text)",
                arguments: [.init("reference", text), .init("character", fault.character)],
                fix: "write \(text.escaped)")
        }
        if let scheme = address.scheme, !told.knownSchemes.contains(scheme.lowercased()),
            told.schemes.insert(text).inserted
        {
            let known = told.knownSchemes.sorted().joined(separator: ", ")
            log.add(
                .uriUnsupportedScheme, at: place,
                "the address \(text.quoted()) has the scheme \(scheme.quoted()); known are \(known)",
                arguments: [.init("reference", text), .init("scheme", scheme)])
        }
    }

    /// The first character that no address may hold.
    private struct Fault {
        let character: String
        let text: String

        init?(_ address: String) {
            let bytes = address.utf8.span
            for at in bytes.indices {
                switch bytes[at] {
                case 0x20: (character, text) = (" ", "a space; expected %20")
                case 0..<0x20, 0x7F: (character, text) = ("\(bytes[at])", "a control character")
                case UInt8(ascii: "\\"): (character, text) = ("\\", "a back-slash; expected /")
                case UInt8(ascii: "%"):
                    if bytes.isHexadecimal(at + 1), bytes.isHexadecimal(at + 2) { continue }
                    (character, text) = ("%", "a % without two hexadecimal digits; expected %25")
                default: continue  // bytes
                }
                return
            }
            return nil
        }
    }
}

extension Span<UInt8> {
    fileprivate func isHexadecimal(_ at: Int) -> Bool {
        guard at < count else { return false }
        switch self[at] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            return true
        default: return false  // bytes
        }
    }
}

extension String {
    /// With what no address may hold put in the way it may.
    fileprivate var escaped: String {
        let bytes = utf8.span
        var escaped: [UInt8] = []
        for at in bytes.indices {
            switch bytes[at] {
            case UInt8(ascii: "\\"): escaped.append(UInt8(ascii: "/"))
            case 0...0x20, 0x7F:
                let digits = Array("0123456789ABCDEF".utf8)
                escaped += [UInt8(ascii: "%"), digits[Int(bytes[at] >> 4)], digits[Int(bytes[at] & 15)]]
            case UInt8(ascii: "%") where !(bytes.isHexadecimal(at + 1) && bytes.isHexadecimal(at + 2)):
                escaped += Array("%25".utf8)
            default: escaped.append(bytes[at])  // bytes
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
