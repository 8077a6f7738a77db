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
