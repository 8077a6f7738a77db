/// An element that is kept as it stands in the file, for whoever understands it: what is under `<extra>` and foreign
/// techniques.
package struct RawElement: Sendable, Equatable {
    package struct Attribute: Sendable, Equatable {
        package var name: String
        package var value: String
    }
    /// With its prefix, as written.
    package var name: String
    package var attributes: [Attribute]
    package var children: [RawElement]
    /// The text directly within, joined, without white space around it.
    package var text: String

    package init(name: String, attributes: [Attribute] = [], children: [RawElement] = [], text: String = "") {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    package subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Without a prefix.
    package var localName: Substring {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] } ?? name[...]
    }

    /// The first child of a name, whatever its prefix.
    package func first(_ name: String) -> RawElement? { children.first { $0.localName == name } }
}

extension RawElement {
    /// As XML: text before children, white space between them not kept.
    package var xml: String {
        var text = ""
        // An explicit stack: files nest as deep as the budget lets them.
        enum Step {
            case open(RawElement)
            case close(String)
        }
        var steps = [Step.open(self)]
        while let step = steps.popLast() {
            switch step {
            case .close(let name): text += "</\(name)>"
            case .open(let element):
                text += "<\(element.name)"
                for attribute in element.attributes { text += " \(attribute.name)=\"\(attribute.value.xmlEscaped)\"" }
                if element.children.isEmpty && element.text.isEmpty {
                    text += "/>"
                    continue
                }
                text += ">" + element.text.xmlEscaped
                steps.append(.close(element.name))
                steps += element.children.reversed().map { .open($0) }
            }
        }
        return text
    }
}

extension String {
    fileprivate var xmlEscaped: String {
        var escaped = ""
        for character in unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t", "\r": escaped += "&#\(character.value);"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

extension ColladaDocument {
    /// What one technique of an `<extra>`, or a foreign technique beside the common one, holds.
    package struct Extra: Sendable, Equatable {
        /// Of the technique; `nil` when it has none.
        package var profile: String?
        /// Of the `<extra>`.
        package var type: String?
        package var elements: [RawElement]
    }
}

extension RawElement {
    /// The children of a name, whatever their prefix.
    func all(_ name: String) -> [RawElement] { children.filter { $0.localName == name } }
}

extension ColladaDocument.Extra {
    /// The techniques of what is an `<extra>` among raw elements, and those that stand beside the common one.
    static func list(_ raws: [RawElement]) -> [Self] {
        raws.flatMap { raw -> [Self] in
            switch raw.localName {
            case "technique": return [.init(profile: raw["profile"], type: nil, elements: raw.children)]
            case "extra":
                let type = raw["type"]
                return raw.all("technique").map { .init(profile: $0["profile"], type: type, elements: $0.children) }
            default: return []  // strings: every other one is no extra
            }
        }
    }
}
