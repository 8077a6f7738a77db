/// The attributes of one element as an event brings them; valid during the event only.
public struct XMLAttributes {
    // libxml2's layout: local name, prefix, URI, start and end of the value, five pointers an attribute.
    let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    public let count: Int
    let names: UnsafeMutablePointer<NameTable>

    /// Every local name, and every prefix there is.
    func forEachNamePart(_ body: (UnsafePointer<UInt8>) -> Void) {
        guard let fields else { return }
        for index in 0..<count {
            if let local = fields[5 * index] { body(local) }
            if let prefix = fields[5 * index + 1] { body(prefix) }
        }
    }

    /// The name of the attribute at `index` (0..<`count`); its number only when it has no prefix.
    public func name(at index: Int) -> XMLName? {
        guard let fields, let local = fields[5 * index] else { return nil }
        let prefix = fields[5 * index + 1]
        return XMLName(
            number: prefix == nil ? names.pointee.number(of: local) : nil, local: local, prefix: prefix,
            uri: fields[5 * index + 2])
    }

    /// The value of the attribute at `index` as UTF-8, entities resolved, white space normalised.
    public func value(at index: Int) -> UnsafeRawBufferPointer {
        guard let fields, let start = fields[5 * index + 3], let end = fields[5 * index + 4], end > start else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }
}
