import DaeDiagnostics
import DaeSchema

extension DocumentReader {
    /// Tells of params whose type is that of another kind of array than their source has.
    mutating func checkParams(of source: ElementView) {
        guard let array = source.children.first(where: { $0.name.paramType != nil }),
            let type = array.name.paramType, let accessor = source.first(.techniqueCommon, .accessor)
        else { return }
        for param in accessor.all(.param) {
            // As nearly all have it.
            if param.has(.type, "float"), type == .number { continue }
            guard let text = param.attribute(.type), let own = ParamType(text), own != type else { continue }
            log.add(
                .accessorParamType, at: param.place,
                "the param's type is \(text.quoted(40)), but its values stand in <\(array.name.rawValue)>",
                arguments: [.init("type", text), .init("array", array.name.rawValue)])
        }
    }
}

/// What the values of an array are.
private enum ParamType {
    case number, integer, bool
    /// Names, ids and paths: exporters call one as the other.
    case word

    /// `nil` for a type that is none of an array's, such as one that a technique of an exporter has.
    init?(_ text: String) {
        let word = text.lowercased()
        if word.hasPrefix("float") || word.hasPrefix("double") || word.hasPrefix("half") {
            self = .number
        } else {
            switch word {
            case "int": self = .integer
            case "bool": self = .bool
            case "name", "idref", "sidref": self = .word
            default: return nil
            }
        }
    }
}

extension ElementName {
    fileprivate var paramType: ParamType? {
        switch self {
        case .floatArray, .intArray: .number
        case .nameArray, .idrefArray, .sidrefArray: .word
        default: nil  // element names: every other one is no array that is read
        }
    }
}
