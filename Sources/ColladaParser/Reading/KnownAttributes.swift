// Exporters write the same inner elements into each node. Their attributes are told to be the same by one comparison of
// memory, where each by itself would be looked up and compared with a text.

/// What was written in the attributes of an element, for finding that a later one says just the same.
struct KnownAttributes {
    private var attributes: [Fragment.Attribute] = []
    /// From the first value to the end of the last, with what stands between them.
    private var bytes: [UInt8] = []

    init(of view: ElementView) {
        let (own, memory) = Self.written(in: view)
        attributes = Array(own)
        bytes = Array(memory)
    }

    func isSame(as view: ElementView) -> Bool {
        let (others, memory) = Self.written(in: view)
        guard others.count == attributes.count, memory.count == bytes.count else { return false }
        for place in attributes.indices {
            guard others[place].name == attributes[place].name, others[place].count == attributes[place].count,
                others[place].start &- others[0].start == attributes[place].start &- attributes[0].start
            else { return false }
        }
        return bytes.withUnsafeBytes { $0.isSame(as: memory) }
    }

    private static func written(
        in view: ElementView
    ) -> (UnsafeBufferPointer<Fragment.Attribute>, UnsafeRawBufferPointer) {
        let fragment = view.fragment
        let record = fragment.pointee.records.at(view.index)
        let attributes = UnsafeBufferPointer(
            start: fragment.pointee.attributes.at(record.pointee.firstAttribute),
            count: Int(record.pointee.attributeCount))
        guard let last = attributes.last else { return (attributes, UnsafeRawBufferPointer(start: nil, count: 0)) }
        let start = attributes[0].start
        return (attributes, fragment.pointee.bytes.bytes(start, last.start &+ Int(last.count) &- start))
    }
}
