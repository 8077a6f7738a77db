import URIReference

/// What a text, read as a path, starts from.
enum PathAnchor {
    /// Nothing: it is relative.
    case document(String)
    /// `/`: the text behind it, with further slashes taken off.
    case top(String)
    /// A drive's letter, a place on somebody's machine: the text behind its colon.
    case drive(String)
    /// `package://`, `model://` and the like.
    case scheme

    init(_ text: String) {
        let slash = UInt8(ascii: "/")
        guard text.utf8.first == slash || text.holds(UInt8(ascii: ":")) else {
            self = .document(text)
            return
        }
        let bare = text.utf8.drop { $0 == slash }
        let letters = bare.prefix(while: URIReference.isSchemeByte)
        let behind = bare[letters.endIndex...]
        let hasColon = behind.first == UInt8(ascii: ":")
        if hasColon, letters.count == 1, letters.first.map({ $0 | 0x20 >= UInt8(ascii: "a") }) == true {
            self = .drive(String(Substring(behind.dropFirst())))
        } else if bare.startIndex != text.startIndex {
            self = .top(String(Substring(bare)))
        } else if hasColon, behind.dropFirst().starts(with: [slash, slash]), !letters.isEmpty {
            self = .scheme
        } else {
            self = .document(text)
        }
    }

    /// Whether it names a place on a machine.
    var isAbsolute: Bool {
        switch self {
        case .top, .drive: true
        case .document, .scheme: false
        }
    }
}
