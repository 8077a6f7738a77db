// A TIFF's pixels stand anywhere in it, in strips or tiles: the file is whole if it reaches to the end of each, of every
// page, and of every list that a directory points to (TIFF 6.0, sections 2, 8 and 15, and BigTIFF).

struct TIFFEnding: ImageEndingFormat {
    /// Pages and smaller versions that are looked at; more are not.
    private static let mostDirectories = 64
    private static let mostEntries: Int64 = 4096
    /// Strips or tiles of a page.
    private static let mostParts: Int64 = 1 << 20

    private let order: ImageFileBytes.Order
    private let isBig: Bool
    private var queue: [Int64] = []

    private struct Field {
        let kind: Int64
        let count: Int64
        let place: Int64
    }

    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        let signature = try file.bytes(4)
        var ending = TIFFEnding(
            order: signature[0] == UInt8(ascii: "I") ? .little : .big, isBig: signature.contains(43))
        if ending.isBig { try file.skip(4) }
        ending.queue = [try ending.offset(&file)]
        var index = 0
        while index < ending.queue.count, index < mostDirectories {
            try ending.readDirectory(at: ending.queue[index], &file)
            index += 1
        }
    }

    private init(order: ImageFileBytes.Order, isBig: Bool) {
        self.order = order
        self.isBig = isBig
    }

    private func offset(_ file: inout ImageFileBytes) throws(ImageFileStop) -> Int64 {
        try file.number(isBig ? 8 : 4, order)
    }

    private mutating func readDirectory(at place: Int64, _ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(place)
        let count = try file.number(isBig ? 8 : 2, order)
        guard count <= Self.mostEntries else { throw .undecided }
        var fields: [Int64: Field] = [:]
        for _ in 0..<count {
            let tag = try file.number(2, order)
            fields[tag] = try field(&file)
        }
        let next = try offset(&file)
        for (offsets, counts) in [(273, 279), (324, 325), (513, 514)] as [(Int64, Int64)] {
            guard let offsets = fields[offsets] else { continue }
            guard let counts = fields[counts] else { throw .undecided }
            try checkParts(offsets, counts, &file)
        }
        if let smaller = fields[330] { for place in try values(smaller, &file) { append(place) } }
        append(next)
    }

    /// Each directory once, however they point to each other.
    private mutating func append(_ place: Int64) {
        if place != 0, queue.count < Self.mostDirectories, !queue.contains(place) { queue.append(place) }
    }

    private func field(_ file: inout ImageFileBytes) throws(ImageFileStop) -> Field {
        let kind = try file.number(2, order)
        let count = try offset(&file)
        let here = file.position
        let size = Int64.saturating(count, times: Self.bytes(of: kind))
        if size <= (isBig ? 8 : 4) {
            try file.skip(isBig ? 8 : 4)
            return Field(kind: kind, count: count, place: here)
        }
        let place = try offset(&file)
        try file.require(place.saturatingAdd(size))
        return Field(kind: kind, count: count, place: place)
    }

    private func checkParts(
        _ offsets: Field, _ counts: Field, _ file: inout ImageFileBytes
    ) throws(ImageFileStop) {
        let (starts, sizes) = (try values(offsets, &file), try values(counts, &file))
        for (start, size) in zip(starts, sizes) { try file.require(start.saturatingAdd(size)) }
        guard starts.count == sizes.count else { throw .undecided }
    }

    private func values(_ field: Field, _ file: inout ImageFileBytes) throws(ImageFileStop) -> [Int64] {
        guard field.count <= Self.mostParts, [3, 4, 13, 16, 18].contains(field.kind) else { throw .undecided }
        try file.seek(field.place)
        var values: [Int64] = []
        let bytes = Int(Self.bytes(of: field.kind))
        for _ in 0..<field.count { values.append(try file.number(bytes, order)) }
        return values
    }

    /// Of one value; 0 of a kind that is not known.
    private static func bytes(of kind: Int64) -> Int64 {
        switch kind {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 0
        }
    }
}
