// Layout after TIFF 6.0, section 2, and BigTIFF (the same with numbers of 8 bytes). The directory that tells the size
// may stand anywhere behind the header; writers that stream put it at the end.

/// Walks a TIFF byte by byte to its first directory and through it.
struct TIFFWalker: Sendable {
    private enum Step {
        case header
        case count
        case entries(left: Int)
        /// Where the bits of each sample stand outside their entry: those of the first.
        case bits
    }

    private let isLittle: Bool
    private let isBig: Bool
    private var step = Step.header
    /// Of the next byte.
    private var position = 4
    /// Of the part being read; the signature's four bytes stand in it first.
    private var held: [UInt8]
    private var facts = Facts()
    /// More tags than any writer gives.
    private static let mostEntries = 4096

    /// - Parameter signature: The file's first four bytes.
    init(signature: [UInt8]) {
        isLittle = signature.first == UInt8(ascii: "I")
        isBig = signature.contains(43)
        held = signature
    }

    private struct Facts {
        var width: Int?
        var height: Int?
        var bits: Int?
        var bitsPlace: Int?
        var samples = 1
        var hasPalette = false
    }

    mutating func take(_ byte: UInt8) -> HeaderVerdict {
        held.append(byte)
        position += 1
        switch step {
        case .header:
            guard held.count == (isBig ? 16 : 8) else { return .more }
            let directory = number(at: isBig ? 8 : 4, bytes: isBig ? 8 : 4)
            let here = held.count
            held = []
            step = .count
            guard let directory, directory >= here else { return .settled(.invalid(.tiff, .brokenStructure)) }
            return skip(to: directory)
        case .count:
            guard held.count == (isBig ? 8 : 2) else { return .more }
            let count = number(at: 0, bytes: held.count)
            held = []
            guard let count, (1...Self.mostEntries).contains(count) else {
                return .settled(.invalid(.tiff, .brokenStructure))
            }
            step = .entries(left: count)
            return .more
        case .entries(let left):
            guard held.count == (isBig ? 20 : 12) else { return .more }
            readEntry()
            held = []
            if left > 1 {
                step = .entries(left: left - 1)
                return .more
            }
            // What stands further front is gone.
            guard facts.bits == nil, let place = facts.bitsPlace, place >= position else { return .settled(verdict) }
            step = .bits
            return skip(to: place)
        case .bits:
            guard held.count == 2 else { return .more }
            facts.bits = number(at: 0, bytes: 2)
            return .settled(verdict)
        }
    }

    private mutating func skip(to place: Int) -> HeaderVerdict {
        let count = place - position
        position = place
        return count == 0 ? .more : .skip(count)
    }

    private mutating func readEntry() {
        guard let tag = number(at: 0, bytes: 2) else { return }
        switch tag {
        case 256: facts.width = value
        case 257: facts.height = value
        case 258:
            facts.bits = value
            let room = isBig ? 8 : 4
            if facts.bits == nil, number(at: 2, bytes: 2) == 3 { facts.bitsPlace = number(at: 4 + room, bytes: room) }
        case 262: facts.hasPalette = value == 3
        case 277: facts.samples = value ?? 0
        default: break
        }
    }

    /// The first value of the entry that is held; `nil` where it stands elsewhere in the file or is no number.
    private var value: Int? {
        let size: Int
        switch number(at: 2, bytes: 2) {
        case 3: size = 2
        case 4: size = 4
        case 16: size = 8
        case _: return nil
        }
        let room = isBig ? 8 : 4
        guard let count = number(at: 4, bytes: room), count >= 1, count <= room / size else { return nil }
        return number(at: 4 + room, bytes: size)
    }

    /// `nil` for one that no file's size could be.
    private func number(at place: Int, bytes: Int) -> Int? {
        let digits = held[place..<(place + bytes)]
        var value: UInt64 = 0
        if isLittle {
            for byte in digits.reversed() { value = value << 8 | UInt64(byte) }
        } else {
            for byte in digits { value = value << 8 | UInt64(byte) }
        }
        return Int(exactly: value)
    }

    private var verdict: ImageProbeResult {
        guard let width = facts.width, let height = facts.height else { return .invalid(.tiff, .noHeader) }
        guard width > 0, height > 0 else { return .invalid(.tiff, .zeroSize) }
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { return .invalid(.tiff, .sizeTooLarge) }
        guard facts.samples > 0, facts.bits.map({ (1...64).contains($0) }) != false else {
            return .invalid(.tiff, .unknownPixels)
        }
        return .image(
            ImageHeader(
                format: .tiff, width: width, height: height,
                channels: facts.hasPalette ? 3 : min(facts.samples, 4), bitDepth: facts.bits))
    }
}

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
