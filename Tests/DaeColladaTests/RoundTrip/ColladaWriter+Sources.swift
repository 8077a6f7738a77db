import DaeScene

extension ColladaWriter {
    /// A `<param>` of an accessor.
    struct Param {
        var name: String?
        var type = "float"

        static func named(_ names: String...) -> [Param] { names.map { Param(name: $0) } }
    }

    /// The sources of one element, as far as they are written.
    struct SourceList {
        var text = ""
        /// Arrays by the bits of their numbers; `nil` where each source has its own.
        var arrays: [[UInt64]: String]?

        static let sharing = SourceList(arrays: [:])
    }

    /// - Returns: The id of the new source.
    mutating func addSource(
        _ values: [Double], offset: Int = 0, stride: Int, count: Int, _ params: [Param], to list: inout SourceList
    ) -> String {
        let bits = values.map(\.bitPattern)
        var array = ""
        let arrayID: String
        if let known = list.arrays?[bits], dice.chance(0.5) {
            arrayID = known
        } else {
            arrayID = newID()
            array = Markup.element(
                "float_array", ["id": arrayID, "count": "\(values.count)"], Markup.numbers(values))
            list.arrays?[bits] = arrayID
        }
        return addSource(array, arrayID, offset: offset, stride: stride, count: count, params, to: &list)
    }

    /// - Parameter element: `Name_array`, `IDREF_array` or `SIDREF_array`.
    mutating func addSource(_ words: [String], _ element: String, _ param: Param, to list: inout SourceList) -> String {
        let arrayID = newID()
        let array = Markup.element(element, ["id": arrayID, "count": "\(words.count)"], Markup.words(words))
        return addSource(array, arrayID, offset: 0, stride: 1, count: words.count, [param], to: &list)
    }

    private mutating func addSource(
        _ array: String, _ arrayID: String, offset: Int, stride: Int, count: Int, _ params: [Param],
        to list: inout SourceList
    ) -> String {
        let id = newID()
        let accessor = Markup.element(
            "accessor",
            [
                "source": "#" + arrayID, "count": "\(count)", "offset": offset == 0 ? nil : "\(offset)",
                "stride": stride == 1 ? nil : "\(stride)",
            ], params.map { Markup.element("param", ["name": $0.name, "type": $0.type]) }.joined())
        list.text += Markup.element("source", ["id": id], array + Markup.element("technique_common", [:], accessor))
        return id
    }

    func input(_ semantic: String, _ source: String, offset: Int? = nil, set: Int? = nil) -> String {
        Markup.element(
            "input",
            [
                "semantic": semantic, "source": "#" + source, "offset": offset.map(String.init),
                "set": set.map(String.init),
            ])
    }
}
