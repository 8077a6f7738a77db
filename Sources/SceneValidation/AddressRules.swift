// The same address may stand at thousands of instances: what is wrong with it is told once, where it stands first.

import ColladaParser
import Diagnostics
import XMLReader

/// The addresses that a document holds, by their letters alone.
enum AddressRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        var told: Set<String> = []
        let knownSchemes = ColladaDocument.Reference.followedSchemes
        var schemes = Set(
            subject.told.findings.lazy.filter { $0.code == .uriUnsupportedScheme }.compactMap(\.arguments.first?.value))
        subject.linked.document.forEachAddress { address, id in
            func place() -> Place {
                var place = Place(address.position)
                place.elementID = id()
                return place
            }
            if let fault = Fault(address.rest), told.insert(address.text).inserted {
                let text = address.text
                log.add(
                    .uriInvalid, at: place(), "the address \(text.quoted) has \(fault.text)",
                    arguments: [.init("reference", text), .init("character", fault.character)],
                    fix: "write \(text.escaped)")
            }
            if let scheme = address.scheme, !knownSchemes.contains(scheme.lowercased()),
                schemes.insert(address.text).inserted
            {
                let text = address.text
                log.add(
                    .uriUnsupportedScheme, at: place(),
                    "the address \(text.quoted) has the scheme \(scheme.quoted); known are \(knownSchemes.sorted().joined(separator: ", "))",
                    arguments: [.init("reference", text), .init("scheme", scheme)])
            }
        }
    }

    /// The first character that no address may hold.
    private struct Fault {
        let character: String
        let text: String

        init?(_ address: String) {
            let bytes = address.utf8.span
            for at in bytes.indices where bytes[at].maySpoilAddress {
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

extension UInt8 {
    /// Whether an address may not hold it, or not everywhere.
    @inline(__always)
    fileprivate var maySpoilAddress: Bool {
        self <= 0x20 || self == UInt8(ascii: "\\") || self == UInt8(ascii: "%") || self == 0x7F
    }
}
