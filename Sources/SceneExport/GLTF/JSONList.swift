/// The text of a JSON list of objects.
struct JSONList {
    /// Behind what was put out of memory.
    private var bytes: [UInt8] = []
    /// Where the rest is, in its order; empty without a spool.
    private var spooled: [Range<Int>] = []
    private let spool: TextSpool?
    private(set) var count = 0

    /// - Parameter spool: For a list that may become long; `nil` for one that stays in memory.
    init(_ spool: TextSpool? = nil) { self.spool = spool }

    /// Bytes of the whole text.
    var size: Int { spooled.reduce(bytes.count + 2) { $0 + $1.count } }

    /// - Returns: The object's place in the list.
    @discardableResult mutating func add(_ object: JSONObject) -> Int {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += object.bytes
        bytes.append(UInt8(ascii: "}"))
        count += 1
        if let spool, bytes.count >= TextSpool.pieceSize {
            spooled.append(spool.append(bytes))
            bytes.removeAll(keepingCapacity: true)
        }
        return count - 1
    }

    /// Of a list that is in memory.
    func append(to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        text += bytes
        text.append(UInt8(ascii: "]"))
    }

    func write(to file: ExportFile) throws(SceneExportError) {
        try file.write([UInt8(ascii: "[")])
        for piece in spooled { try spool?.copy(piece, to: file) }
        try file.write(bytes)
        try file.write([UInt8(ascii: "]")])
    }
}
