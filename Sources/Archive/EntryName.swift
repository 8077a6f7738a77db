/// The name of an archive's entry once it is known to lead nowhere but below the bundle.
enum EntryName: Hashable {
    case file(String)
    case folder

    /// Back-slashes part folders as slashes do (archivers on Windows write them); `./` and double slashes collapse.
    init(checking name: String, nameBytes: Int) throws(ArchiveError) {
        guard name.utf8.count <= nameBytes else { throw .longName(name, limit: nameBytes) }
        guard !Self.isUniform(name) else {
            self = .file(name)
            return
        }
        var bytes = Array(name.utf8)
        guard !bytes.isEmpty else { throw .invalid("an entry has no name") }
        guard !bytes.contains(0) else { throw .leadsOut(name, "holds a NUL") }
        let slash = UInt8(ascii: "/")
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\\") { bytes[index] = slash }
        guard bytes.first != slash else { throw .leadsOut(name, "is absolute") }

        let components = bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw .leadsOut(name, "climbs out by \"..\"")
        }
        if let first = components.first, Self.isDrive(first) { throw .leadsOut(name, "names a drive") }
        let ending = bytes.split(separator: slash, omittingEmptySubsequences: false).last
        if components.isEmpty || ending?.isEmpty == true || ending?.elementsEqual(".".utf8) == true {
            self = .folder
        } else {
            self = .file(String(decoding: Array(components.joined(separator: [slash])), as: UTF8.self))
        }
    }

    /// Whether the name is a file's path as it should be, so that nothing has to be made anew: most are.
    private static func isUniform(_ name: String) -> Bool {
        var count = 0
        var isDots = true  // so far, of the present component
        for byte in name.utf8 {
            switch byte {
            case 0, UInt8(ascii: "\\"), UInt8(ascii: ":"): return false
            case UInt8(ascii: "/"):
                guard count > 0, !isDots else { return false }
                (count, isDots) = (0, true)
            default:
                count += 1
                isDots = isDots && byte == UInt8(ascii: ".")
            }
        }
        return count > 0 && !isDots
    }

    /// `C:` alone, or with a name after it, which Windows takes as relative to the drive's folder.
    private static func isDrive(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.count >= 2, component[component.startIndex + 1] == UInt8(ascii: ":") else { return false }
        let letter = component[component.startIndex] | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    }
}
