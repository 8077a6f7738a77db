extension URIReference {
    /// What this reference means where it stands in `base`, dot segments taken.
    ///
    /// - Parameter base: Usually an absolute address; against a relative one the result stays relative.
    /// - Source: RFC 3986, 5.2.2, the strict form.
    public func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == Self.slash {
            target.path = Self.removingDotSegments(path)
        } else {
            target.path = Self.removingDotSegments(Self.merge(path, into: base))
        }
        return target
    }

    private static let slash = UInt8(ascii: "/")

    /// RFC 3986, 5.2.3.
    private static func merge(_ path: String, into base: URIReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let end = base.path.utf8.lastIndex(of: slash) else { return path }
        return String(base.path[...end]) + path
    }

    /// A path without its `.` and `..`; those that rise above its top are dropped.
    ///
    /// - Source: RFC 3986, 5.2.4.
    /// - Complexity: O(length).
    public static func removingDotSegments(_ path: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(path.utf8.count)
        var rest = path.utf8[...]
        let isRooted = rest.first == slash
        if isRooted { rest = rest.dropFirst() }
        var isFirst = true
        while true {
            let end = rest.firstIndex(of: slash)
            let segment = rest[..<(end ?? rest.endIndex)]
            let isLast = end == nil
            if segment.elementsEqual(Self.up) {
                output.removeSubrange((output.lastIndex(of: slash) ?? 0)...)
                if isLast, isRooted || !output.isEmpty { output.append(slash) }
                if output.isEmpty { isFirst = true }
            } else if segment.elementsEqual(Self.here) {
                if isLast, isRooted || !output.isEmpty { output.append(slash) }
            } else {
                if isRooted || !isFirst { output.append(slash) }
                output.append(contentsOf: segment)
                isFirst = false
            }
            guard let end else { return String(decoding: output, as: UTF8.self) }
            rest = rest[end...].dropFirst()
        }
    }

    private static let here = [UInt8(ascii: ".")]
    private static let up = here + here
}
