import DaeDiagnostics
import DaeSchema
import DaeXML

/// Reads the sources of meshes, skins, morphs, splines and animations, and the inputs that name them.
enum DataFlowReader {
    typealias Document = ColladaDocument

    /// An accessor whose count cannot be read reads all of its array, which may be another source's.
    static func sources(in view: ElementView, _ context: inout ReadingContext) -> [Document.Source] {
        let elements = view.all(.source)
        var sources: [Document.Source] = []
        sources.reserveCapacity(elements.underestimatedCount)
        var uncounted: [Int] = []
        for element in elements {
            sources.append(source(element, &context))
            guard let accessor = accessor(of: element), !reportCount(of: accessor, &context) else { continue }
            uncounted.append(sources.count - 1)
        }
        guard !uncounted.isEmpty else { return sources }
        let holders = SourceTable.holders(of: sources)
        for place in uncounted {
            guard let accessor = sources[place].accessor else { continue }
            let holder: Int?
            switch accessor.array {
            case .own: holder = nil
            case .at(let text): holder = text.hasPrefix("#") ? holders[String(text.dropFirst())] : nil
            }
            let held = accessor.elements(in: sources[holder ?? place].array)
            sources[place].accessor?.count = held
        }
        return sources
    }

    /// Without their numbers when only figures are wanted; names are few and stay.
    static func kept(_ sources: [Document.Source], _ retention: ColladaOptions.Retention) -> [Document.Source] {
        switch retention {
        case .everything: sources
        case .figures:
            sources.map { source in
                guard case .reals = source.array else { return source }
                var bare = source
                bare.array = .none
                return bare
            }
        }
    }

    /// The one that ``source(_:)`` takes.
    private static func accessor(of source: ElementView) -> ElementView? {
        source.children.reduce(nil) { found, child in
            child.name == .techniqueCommon || child.name == .technique ? child.first(.accessor) ?? found : found
        }
    }

    /// Whether an accessor's count can be used; reports when not.
    private static func reportCount(of accessor: ElementView, _ context: inout ReadingContext) -> Bool {
        if let count = accessor.integer(.count), count >= 0 { return true }
        if let text = accessor.attribute(.count) {
            context.log.add(
                .schemaInvalidNumber, at: accessor.place,
                "the count is \(text.quoted(40)); expected a number from 0; all of the array is read",
                arguments: [.init("attribute", "count"), .init("text", text)])
        } else {
            context.log.add(
                .schemaMissingAttribute, at: accessor.place, "<accessor> has no count; all of the array is read",
                arguments: [.init("attribute", "count")])
        }
        return false
    }

    private static func source(_ view: ElementView, _ context: inout ReadingContext) -> Document.Source {
        checkParams(of: view, &context)
        // Put together at the end, so that the source is not copied out of a variable.
        var array = Document.Source.Values.none
        var arrayID: String?
        var accessor: Document.Accessor?
        for child in view.children {
            switch child.name {
            case .floatArray, .intArray:
                array = .reals(child.takeReals())
                arrayID = child.attribute(.id)
            case .nameArray:
                array = .names(words(in: child, &context))
                arrayID = child.attribute(.id)
            case .idrefArray:
                array = .idrefs(words(in: child, &context))
                arrayID = child.attribute(.id)
            case .sidrefArray:
                array = .sidrefs(words(in: child, &context))
                arrayID = child.attribute(.id)
            case .techniqueCommon, .technique:
                if let element = child.first(.accessor) { accessor = Self.accessor(element, of: view, &context) }
            default: break  // element names: the other elements of a source carry no values that are read
            }
        }
        return Document.Source(
            id: context.common(.id, of: view), position: view.position, array: array, arrayID: arrayID,
            accessor: accessor)
    }

    /// All that there are: how many were meant is not compared, since names with spaces are torn apart.
    private static func words(in view: ElementView, _ context: inout ReadingContext) -> [String] {
        _ = context.integer(view, .count)
        return view.words
    }

    /// Reports accessors whose reference leads to no array among the sources of `view`; their own source's is read.
    static func checkArrays(in view: ElementView, _ context: inout ReadingContext) {
        let sources = view.all(.source)
        var others: Set<String>?
        // Arrays that are not read have no place here.
        for source in sources where source.children.contains(where: { $0.name.isArray }) {
            guard let accessor = source.first(.techniqueCommon, .accessor), !readsOwnArray(accessor, of: source),
                let text = context.reference(accessor, .source)?.text
            else { continue }
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            let held = others ?? arrayIDs(of: sources)
            others = held
            if held.contains(id) || held.contains(id.percentDecoded), reportMissingHash(text, at: accessor, &context) {
                continue
            }
            context.log.add(
                .accessorNoSource, at: accessor.place,
                "the accessor's source \(text.quoted()) is no array here",
                arguments: [.init("reference", text)])
        }
    }

    /// What nearly every accessor does; found without a text being made of it.
    private static func readsOwnArray(_ accessor: ElementView, of source: ElementView) -> Bool {
        guard let address = accessor.bytes(of: .source)?.trimmed, address.first == UInt8(ascii: "#") else {
            return false
        }
        for child in source.children where child.name.isArray {
            guard let id = child.bytes(of: .id), id.count == address.count - 1 else { continue }
            if id.isSame(as: UnsafeRawBufferPointer(rebasing: address[1...])) { return true }
        }
        return false
    }

    /// Whether an address that leads to something can be used; reported where that is only as it has no `#`.
    private static func reportMissingHash(_ text: String, at accessor: ElementView, _ context: inout ReadingContext)
        -> Bool
    {
        guard !text.hasPrefix("#") else { return true }
        guard context.repairs else { return false }
        context.log.add(
            .refMissingHash, at: accessor.place,
            "the accessor's source \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
        return true
    }

    private static func arrayIDs(of sources: ElementList) -> Set<String> {
        Set(sources.flatMap { $0.children.filter { $0.name.isArray } }.compactMap { $0.attribute(.id) })
    }

    private static func accessor(_ view: ElementView, of source: ElementView, _ context: inout ReadingContext)
        -> Document.Accessor
    {
        var params = context.lists.params(of: view)
        var stride = context.integer(view, .stride) ?? 1
        if isMeant(params.count, insteadOf: stride, of: view, in: source, &context) {
            context.log.add(
                .accessorStrideTooSmall, at: view.place,
                "the stride is \(stride); \(params.count) was taken, one value for each param",
                arguments: [.init("stride", "\(stride)"), .init("params", "\(params.count)")],
                fix: "write stride=\"\(params.count)\"", severity: .warning)
            stride = params.count
        }
        if stride < max(1, params.count) {
            context.log.add(
                .accessorStrideTooSmall, at: view.place,
                "the stride is \(stride); expected at least \(max(1, params.count)), one value for each param",
                arguments: [.init("stride", "\(stride)"), .init("params", "\(params.count)")],
                // Where nothing is read, nothing is read wrongly.
                severity: view.integer(.count) == 0 ? .warning : nil)
        }
        // A param of a matrix stands for all of its values.
        var count = max(0, view.integer(.count) ?? 0)
        if params.count == 1, let type = view.first(.param)?.attribute(.type), let width = Self.widths[type] {
            if width <= stride {
                params = [String?](repeating: params[0], count: width)
            } else if !hasRoom(stride, for: width, type, in: view, &context) {
                count = 0
            }
        } else if params.count == 1, stride == 16, context.repairs {
            reportMatrix(view, &context)
            params = [String?](repeating: params[0], count: stride)
        }
        let isOwn = readsOwnArray(view, of: source)
        return Document.Accessor(
            array: isOwn ? .own : view.attribute(.source).map { .at($0) } ?? .own, count: count,
            offset: max(0, context.integer(view, .offset) ?? 0), stride: max(1, stride), params: params)
    }

    /// Whether a stride was left out: the array has so many values for each element as there are params.
    private static func isMeant(
        _ params: Int, insteadOf stride: Int, of accessor: ElementView, in source: ElementView,
        _ context: inout ReadingContext
    ) -> Bool {
        guard context.repairs, stride == 1, params > 1, let count = accessor.integer(.count), count > 0,
            let array = source.children.first(where: { $0.name.isArray }), let values = array.integer(.count)
        else { return false }
        let (wanted, overflow) = count.multipliedReportingOverflow(by: params)
        return !overflow && values == wanted
    }

    /// Whether an accessor whose stride leaves no room for its param is read by the param's own length.
    private static func hasRoom(
        _ stride: Int, for width: Int, _ type: String, in view: ElementView, _ context: inout ReadingContext
    ) -> Bool {
        let arguments = [Finding.Argument("stride", "\(stride)"), .init("expected", "\(width)")]
        guard context.repairs, stride == 1, type == "float4x4" else {
            if stride > 0 {
                context.log.add(
                    .accessorStrideTooSmall, at: view.place,
                    "the stride is \(stride); expected at least \(width), the values of a \(type)", arguments: arguments
                )
            }
            return context.repairs
        }
        context.log.add(
            .quirkMatrixStride, at: view.place, "the stride is 1; \(width) was taken, the values of a \(type)",
            arguments: arguments, fix: "write stride=\"\(width)\"")
        return true
    }

    /// One number of sixteen is what nobody writes.
    private static func reportMatrix(_ view: ElementView, _ context: inout ReadingContext) {
        // A param without a type says nothing else.
        guard let type = view.first(.param)?.attribute(.type), !type.isEmpty else { return }
        context.log.add(
            .quirkMatrixStride, at: view.place,
            "the stride is 16 and the only param's type \(type.quoted(40)); the 16 values of a float4x4 were taken",
            arguments: [.init("stride", "16"), .init("type", type)], fix: "write type=\"float4x4\"")
    }

    /// Values of the types that one param may have beside single numbers.
    private static let widths = [
        "float2": 2, "float3": 3, "float4": 4, "float2x2": 4, "float3x3": 9, "float4x4": 16,
    ]

    /// Reports params whose type is that of another kind of array than their source has.
    private static func checkParams(of source: ElementView, _ context: inout ReadingContext) {
        guard let array = source.children.first(where: { $0.name.paramType != nil }),
            let type = array.name.paramType, let accessor = source.first(.techniqueCommon, .accessor)
        else { return }
        for param in accessor.all(.param) {
            // As nearly all have it.
            if param.has(.type, "float"), type == .number { continue }
            guard let text = param.attribute(.type), let own = ParamType(text), own != type else { continue }
            context.log.add(
                .accessorParamType, at: param.place,
                "the param's type is \(text.quoted(40)), but its values stand in <\(array.name.rawValue)>",
                arguments: [.init("type", text), .init("array", array.name.rawValue)])
        }
    }

    static func reportCount(_ count: Int, of array: ElementView, found: Int, _ context: inout ReadingContext) {
        let written = array.trimmedAttribute(.count) ?? "\(count)"
        // A number that no count can be was reported by the check against the schema.
        guard context.options.schema == .off || count != ElementView.largestInteger || UInt64(written) != nil else {
            return
        }
        context.log.add(
            .arrayCountMismatch, at: array.place,
            "count is \(written.prefix(40)), but the array has \(found) values",
            arguments: [.init("count", written), .init("values", "\(found)")])
    }

    // MARK: - Inputs

    /// None without the element.
    static func inputs(of view: ElementView?, _ context: inout ReadingContext) -> [Document.Input] {
        view?.all(.input).map { input($0, &context) } ?? []
    }

    static func reportMissingSource(of input: Document.Input, _ context: inout ReadingContext) {
        context.log.add(
            .accessorNoSource, at: Place(input.source.position),
            "the \(input.semantic) input's source \(input.source.text.quoted()) is not here",
            arguments: [.init("reference", input.source.text)])
    }

    private static func input(_ view: ElementView, _ context: inout ReadingContext) -> Document.Input {
        // 1.3 calls the offset idx.
        let offset =
            context.integer(view, .offset)
            ?? (context.repairs || context.isVersion13 ? context.integer(view, .idx) : nil) ?? 0
        let semantic = view.attribute(.semantic) ?? ""
        if semantic.isEmpty { context.reportMissing(.semantic, of: view) }
        if !(0...Self.largestOffset).contains(offset) {
            // The number itself may be cut.
            let written = view.trimmedAttribute(.offset) ?? view.trimmedAttribute(.idx) ?? "\(offset)"
            context.log.add(
                .inputOffsetTooLarge, at: view.place,
                "an input's offset is \(written.prefix(40)); expected 0 to \(Self.largestOffset); read as 0",
                arguments: [.init("offset", written), .init("largest", "\(Self.largestOffset)")])
        }
        return Document.Input(
            semantic: semantic, source: context.requiredReference(view, .source),
            offset: (0...Self.largestOffset).contains(offset) ? offset : 0, set: context.integer(view, .set))
    }

    /// Larger offsets are absurd, and the product of offset and corners is what a reader has to hold.
    private static let largestOffset = 64
}

extension ElementName {
    /// Whether it is an array whose values are read.
    fileprivate var isArray: Bool {
        switch self {
        case .floatArray, .intArray, .nameArray, .idrefArray, .sidrefArray: true
        default: false  // element names: every other one is no array, or not read
        }
    }

    fileprivate var paramType: ParamType? {
        switch self {
        case .floatArray, .intArray: .number
        case .nameArray, .idrefArray, .sidrefArray: .word
        default: nil  // element names: every other one is no array that is read
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
