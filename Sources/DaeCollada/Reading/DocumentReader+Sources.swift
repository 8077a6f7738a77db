// The sources of meshes, skins, morphs and animations: arrays, and how accessors read them.

import DaeDiagnostics
import DaeSchema

extension DocumentReader {
    /// An accessor whose count cannot be read reads all of its array, which may be another source's.
    mutating func decodeSources(in view: ElementView) -> [ColladaDocument.Source] {
        let elements = view.all(.source)
        var sources: [ColladaDocument.Source] = []
        sources.reserveCapacity(elements.underestimatedCount)
        var uncounted: [Int] = []
        for element in elements {
            sources.append(decodeSource(element))
            guard let accessor = accessor(of: element), !reportCount(of: accessor) else { continue }
            uncounted.append(sources.count - 1)
        }
        guard !uncounted.isEmpty else { return sources }
        let holders = Dictionary(
            sources.indices.lazy.compactMap { place in sources[place].arrayID.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
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

    /// The one that ``decodeSource(_:)`` takes.
    private mutating func accessor(of source: ElementView) -> ElementView? {
        source.children.reduce(nil) { found, child in
            child.name == .techniqueCommon || child.name == .technique ? child.first(.accessor) ?? found : found
        }
    }

    /// Whether an accessor's count can be used; reports when not.
    private mutating func reportCount(of accessor: ElementView) -> Bool {
        if let count = accessor.integer(.count), count >= 0 { return true }
        if let text = accessor.attribute(.count) {
            log.add(
                .schemaInvalidNumber, at: accessor.place,
                "the count is \(text.quoted(40)); expected a number from 0; all of the array is read",
                arguments: [.init("attribute", "count"), .init("text", text)])
        } else {
            log.add(
                .schemaMissingAttribute, at: accessor.place, "<accessor> has no count; all of the array is read",
                arguments: [.init("attribute", "count")])
        }
        return false
    }

    private mutating func decodeSource(_ view: ElementView) -> ColladaDocument.Source {
        checkParams(of: view)
        // Put together at the end, so that the source is not copied out of a variable.
        var array = ColladaDocument.Source.Values.none
        var arrayID: String?
        var accessor: ColladaDocument.Accessor?
        for child in view.children {
            switch child.name {
            case .floatArray, .intArray:
                array = .reals(child.takeReals())
                arrayID = child.attribute(.id)
            case .nameArray:
                array = .names(words(in: child))
                arrayID = child.attribute(.id)
            case .idrefArray:
                array = .idrefs(words(in: child))
                arrayID = child.attribute(.id)
            case .sidrefArray:
                array = .sidrefs(words(in: child))
                arrayID = child.attribute(.id)
            case .techniqueCommon, .technique:
                if let element = child.first(.accessor) { accessor = decodeAccessor(element, of: view) }
            default: break  // element names: the other elements of a source carry no values that are read
            }
        }
        return ColladaDocument.Source(
            id: common(.id, of: view), position: view.position, array: array, arrayID: arrayID, accessor: accessor)
    }

    /// All that there are: how many were meant is not compared, since names with spaces are torn apart.
    private mutating func words(in view: ElementView) -> [String] {
        _ = integer(view, .count)
        return view.words
    }

    /// Tells of accessors whose reference leads to no array among the sources of `view`; their own source's is read.
    mutating func checkArrays(in view: ElementView) {
        let sources = view.all(.source)
        var others: Set<String>?
        // Arrays that are not read have no place here.
        for source in sources where source.children.contains(where: { $0.name.isArray }) {
            guard let accessor = source.first(.techniqueCommon, .accessor), !readsOwnArray(accessor, of: source),
                let text = reference(accessor, .source)?.text
            else { continue }
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            let held = others ?? arrayIDs(of: sources)
            others = held
            if held.contains(id) || held.contains(id.percentDecoded), reportMissingHash(text, at: accessor) { continue }
            log.add(
                .accessorNoSource, at: accessor.place,
                "the accessor's source \(text.quoted()) is no array here",
                arguments: [.init("reference", text)])
        }
    }

    /// What nearly every accessor does; found without a text being made of it.
    private mutating func readsOwnArray(_ accessor: ElementView, of source: ElementView) -> Bool {
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
    private mutating func reportMissingHash(_ text: String, at accessor: ElementView) -> Bool {
        guard !text.hasPrefix("#") else { return true }
        guard repairs else { return false }
        log.add(
            .refMissingHash, at: accessor.place,
            "the accessor's source \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
        return true
    }

    private mutating func arrayIDs(of sources: ElementList) -> Set<String> {
        Set(sources.flatMap { $0.children.filter { $0.name.isArray } }.compactMap { $0.attribute(.id) })
    }

    private mutating func decodeAccessor(_ view: ElementView, of source: ElementView) -> ColladaDocument.Accessor {
        var params = lists.params(of: view)
        var stride = integer(view, .stride) ?? 1
        if isMeant(params.count, insteadOf: stride, of: view, in: source) {
            log.add(
                .accessorStrideTooSmall, at: view.place,
                "the stride is \(stride); \(params.count) was taken, one value for each param",
                arguments: [.init("stride", "\(stride)"), .init("params", "\(params.count)")],
                fix: "write stride=\"\(params.count)\"", severity: .warning)
            stride = params.count
        }
        if stride < max(1, params.count) {
            log.add(
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
            } else if !hasRoom(stride, for: width, type, in: view) {
                count = 0
            }
        } else if params.count == 1, stride == 16, repairs {
            reportMatrix(view)
            params = [String?](repeating: params[0], count: stride)
        }
        let isOwn = readsOwnArray(view, of: source)
        return ColladaDocument.Accessor(
            array: isOwn ? .own : view.attribute(.source).map { .at($0) } ?? .own, count: count,
            offset: max(0, integer(view, .offset) ?? 0),
            stride: max(1, stride), params: params)
    }

    /// Whether a stride was left out: the array has so many values for each element as there are params.
    private mutating func isMeant(
        _ params: Int, insteadOf stride: Int, of accessor: ElementView, in source: ElementView
    ) -> Bool {
        guard repairs, stride == 1, params > 1, let count = accessor.integer(.count), count > 0,
            let array = source.children.first(where: { $0.name.isArray }), let values = array.integer(.count)
        else { return false }
        let (wanted, overflow) = count.multipliedReportingOverflow(by: params)
        return !overflow && values == wanted
    }

    /// Whether an accessor whose stride leaves no room for its param is read by the param's own length.
    private mutating func hasRoom(_ stride: Int, for width: Int, _ type: String, in view: ElementView) -> Bool {
        let arguments = [Finding.Argument("stride", "\(stride)"), .init("expected", "\(width)")]
        guard repairs, stride == 1, type == "float4x4" else {
            if stride > 0 {
                log.add(
                    .accessorStrideTooSmall, at: view.place,
                    "the stride is \(stride); expected at least \(width), the values of a \(type)", arguments: arguments
                )
            }
            return repairs
        }
        log.add(
            .quirkMatrixStride, at: view.place, "the stride is 1; \(width) was taken, the values of a \(type)",
            arguments: arguments, fix: "write stride=\"\(width)\"")
        return true
    }

    /// One number of sixteen is what nobody writes.
    private mutating func reportMatrix(_ view: ElementView) {
        // A param without a type says nothing else.
        guard let type = view.first(.param)?.attribute(.type), !type.isEmpty else { return }
        log.add(
            .quirkMatrixStride, at: view.place,
            "the stride is 16 and the only param's type \(type.quoted(40)); the 16 values of a float4x4 were taken",
            arguments: [.init("stride", "16"), .init("type", type)], fix: "write type=\"float4x4\"")
    }

    /// Values of the types that one param may have beside single numbers.
    private static let widths = [
        "float2": 2, "float3": 3, "float4": 4, "float2x2": 4, "float3x3": 9, "float4x4": 16,
    ]
}

extension ElementName {
    /// Whether it is an array whose values are read.
    fileprivate var isArray: Bool {
        switch self {
        case .floatArray, .intArray, .nameArray, .idrefArray, .sidrefArray: true
        default: false  // element names: every other one is no array, or not read
        }
    }
}
