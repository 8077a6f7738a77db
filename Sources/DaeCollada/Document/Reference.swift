// Nearly every reference is a `#` and an id. Kept without its `#` it is as short as the id, of which many need no memory
// of their own, and is looked up as it lies.

import DaeCore
package import DaeXML

extension ColladaDocument {
    /// A reference as it was written, with its place.
    package struct Reference: Sendable, Hashable {
        /// All of it, but for a `#` that it begins with.
        let rest: String
        package var position: XMLPosition
        // Last, where it costs least.
        let form: Form

        enum Form {
            /// Of an element of its own document: with a `#` first.
            case local
            case other
            /// Without the `#` that it should have, where that is not mended: it leads nowhere.
            case refused
            /// There is none, which was reported.
            case absent
        }

        /// What stands for a reference that must be there and is not.
        static func absent(at position: XMLPosition) -> Reference {
            Reference(form: .absent, rest: "", position: position)
        }

        var isAbsent: Bool { form == .absent }

        /// As it is where nothing is mended: an address of an element must have a `#`.
        var refusedWithoutHash: Reference {
            guard form == .other, file == nil else { return self }
            return Reference(form: .refused, rest: rest, position: position)
        }

        init(form: Form, rest: String, position: XMLPosition) {
            (self.rest, self.form, self.position) = (rest, form, position)
        }

        package init(text: String, position: XMLPosition) {
            let hash = UInt8(ascii: "#")
            let isLocal = text.utf8.first == hash
            rest = isLocal ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
            form = isLocal ? .local : .other
            self.position = position
        }

        /// From UTF-8.
        init(xml text: UnsafeRawBufferPointer, position: XMLPosition, among texts: inout CommonTexts) {
            let isLocal = text.first == UInt8(ascii: "#")
            rest = texts.text(isLocal ? UnsafeRawBufferPointer(rebasing: text[1...]) : text)
            form = isLocal ? .local : .other
            self.position = position
        }

        package var text: String {
            switch form {
            case .local: "#" + rest
            case .other, .refused, .absent: rest
            }
        }

        /// The schemes of addresses that are followed, or known to be on the web or in the document itself.
        package static var followedSchemes: Set<String> { URIReference.followedSchemes }

        /// Without the `#` that it begins with, where it does.
        package var withoutHash: String { form == .refused ? "" : rest }

        /// Which of several documents it stands in; 0 is the first.
        package var document: Int { position.document }

        /// Whether it begins with a `#`, and so is of its own document.
        package var isLocal: Bool { form == .local }

        /// What stands before the `#`; `nil` for a reference within its document and for one without a `#`.
        package var file: String? {
            switch form {
            case .local, .refused, .absent: nil
            case .other: rest.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(rest[..<$0]) }
            }
        }

        /// What follows the first `#`; all of it where there is none.
        package var id: String {
            switch form {
            case .local: return rest
            case .refused, .absent: return ""
            case .other:
                guard let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) else { return rest }
                return String(decoding: rest.utf8[hash...].dropFirst(), as: UTF8.self)
            }
        }
    }
}

extension String {
    /// Without the XML white space around it.
    var trimmed: String {
        guard let first = utf8.firstIndex(where: { $0 > 0x20 }), let last = utf8.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        return String(self[first...last])
    }

    /// With each `%` and two hexadecimal digits replaced by their byte, once; as it is where that is no text.
    var percentDecoded: String { PercentEncoding.decode(self) ?? self }
}
