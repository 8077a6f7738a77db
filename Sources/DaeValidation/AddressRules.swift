// The same address may stand at thousands of instances: what is wrong with it is reported once, where it stands first.

import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

/// The addresses that a document holds, by their letters alone.
enum AddressRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        var reported = Reported(subject.reported)
        subject.linked.document.forEachInvalidAddress { address, id in check(address, id, &reported, &log) }
    }

    /// What is not reported again.
    private struct Reported {
        var addresses: Set<String> = []
        var schemes: Set<String>
        let knownSchemes = ColladaDocument.Reference.followedSchemes

        init(_ log: FindingLog) {
            schemes = Set(
                log.findings.lazy.filter { $0.code == .uriUnsupportedScheme }.compactMap(\.arguments.first?.value))
        }
    }

    private static func check(
        _ address: WrittenAddress, _ id: String?, _ reported: inout Reported, _ log: inout FindingLog
    ) {
        let text = address.text
        let place = Place(address.position, of: id)
        if let fault = Fault(text), reported.addresses.insert(text).inserted {
            log.add(
                .uriInvalid, at: place, "the address \(text.quoted()) has \(fault.text)",
                arguments: [.init("reference", text), .init("character", fault.character)],
                fix: "write \(text.escaped)")
        }
        if let scheme = address.scheme, !reported.knownSchemes.contains(scheme.lowercased()),
            reported.schemes.insert(text).inserted
        {
            let known = reported.knownSchemes.sorted().joined(separator: ", ")
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
                default: continue
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
        default: return false
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
            default: escaped.append(bytes[at])
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

// Eight bytes at a time, in an integer: the addresses of a document are many and short.

/// What the bytes of an address say.
enum AddressBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Whether a text may have a byte that an address may not hold everywhere, or a scheme; `false` is sure.
    ///
    /// - Parameters:
    ///   - text: The address; of a local one what follows its `#`, where a colon begins no scheme.
    static func mayBeInvalid(_ text: UnsafeRawBufferPointer, isLocal: Bool) -> Bool {
        // Of a local one any byte that is looked for in any case.
        let other = isLocal ? UInt8(ascii: "%") : UInt8(ascii: ":")
        var at = 0
        while at &+ 8 <= text.count {
            if mayBeInvalid(text.loadUnaligned(fromByteOffset: at, as: UInt64.self), other) { return true }
            at &+= 8
        }
        guard at < text.count else { return false }
        if text.count >= 8 {
            return mayBeInvalid(text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self), other)
        }
        // Filled up with a letter, which says nothing.
        var word = UInt64(UInt8(ascii: "a")) &* ones
        while at < text.count {
            word = word &<< 8 | UInt64(text[at])
            at &+= 1
        }
        return mayBeInvalid(word, other)
    }

    /// Of eight bytes.
    @inline(__always)
    private static func mayBeInvalid(_ word: UInt64, _ other: UInt8) -> Bool {
        // The high bit of a byte that is below the bound; where one is, those above it may be marked, too.
        @inline(__always) func below(_ bound: UInt64, _ word: UInt64) -> UInt64 { (word &- bound &* ones) & ~word }
        @inline(__always) func equal(_ byte: UInt8) -> UInt64 { below(1, word ^ UInt64(byte) &* ones) }
        let found =
            below(0x21, word) | equal(UInt8(ascii: "\\")) | equal(UInt8(ascii: "%")) | equal(0x7F) | equal(other)
        return found & highs != 0
    }
}

/// An address of an element or a file, as it is written.
struct WrittenAddress {
    private enum Form {
        /// Of an element of its own document: a `#` and what is kept of it.
        case local
        case other
    }
    private let form: Form
    /// All of it but for a `#` that it begins with.
    let rest: String
    let position: XMLPosition

    init(_ text: String, at position: XMLPosition) {
        (form, rest) = (.other, text)
        self.position = position
    }

    init(_ reference: borrowing ColladaDocument.Reference) {
        if reference.isLocal {
            (form, rest) = (.local, reference.withoutHash)
        } else {
            (form, rest) = (.other, reference.text)
        }
        position = reference.position
    }

    /// Whether it is surely nothing but an id or a path: `false` says nothing.
    var isPlain: Bool {
        var rest = rest
        switch form {
        case .local: return rest.withUTF8 { !AddressBytes.mayBeInvalid(UnsafeRawBufferPointer($0), isLocal: true) }
        case .other: return rest.withUTF8 { !AddressBytes.mayBeInvalid(UnsafeRawBufferPointer($0), isLocal: false) }
        }
    }

    var text: String {
        switch form {
        case .local: "#" + rest
        case .other: rest
        }
    }

    /// Before the first colon; `nil` for a drive's letter, and where there is none.
    var scheme: String? {
        switch form {
        case .local: nil
        case .other: rest.scheme
        }
    }
}

extension ColladaDocument {
    /// Every address of an element or a file that is not surely plain, with the id of the element it is of. Targets that
    /// are paths of sids are no addresses.
    func forEachInvalidAddress(_ visit: (WrittenAddress, _ id: String?) -> Void) {
        // The ids are asked for only where there is something to report.
        func look(at address: WrittenAddress, of id: @autoclosure () -> String?) {
            if !address.isPlain { visit(address, id()) }
        }
        for image in images {
            if case .reference(let text) = image.content {
                look(at: WrittenAddress(text, at: image.position), of: image.id)
            }
            for part in image.parts {
                if case .reference(let text) = part.content {
                    look(at: WrittenAddress(text, at: image.position), of: image.id)
                }
            }
        }
        for index in materials.indices {
            if let effect = materials[index].effect { look(at: WrittenAddress(effect), of: materials[index].id) }
        }
        for index in geometries.indices {
            guard case .convexMesh(_, let hull?) = geometries[index].kind else { continue }
            look(at: WrittenAddress(hull), of: geometries[index].id)
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin): look(at: WrittenAddress(skin.source), of: controller.id)
            case .morph(let morph): look(at: WrittenAddress(morph.source), of: controller.id)
            case .empty: break
            }
        }
        for clip in animationClips {
            for reference in clip.animations { look(at: WrittenAddress(reference), of: clip.id) }
        }
        // In a span: what is taken out of a list would be copied.
        let nodes = nodes.span
        for index in nodes.indices {
            nodes[index].forEachReference { look(at: WrittenAddress($0), of: self.nodes[index].id) }
        }
        if let shown = scene?.visualScene { look(at: WrittenAddress(shown), of: nil) }
    }
}

extension String {
    fileprivate var scheme: String? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = utf8[..<colon]
        guard scheme.count > 1, scheme.count < 32, let first = scheme.first, first.isLetter else { return nil }
        let rest = scheme.dropFirst().allSatisfy { byte in
            byte.isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        return rest ? String(Substring(scheme)) : nil
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
