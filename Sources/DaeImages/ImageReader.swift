// One reader serves headers, truncation checks and decoders, so that each format is parsed in one place.

/// A position in an image file, which is in memory or is read block by block; reading beyond the end throws.
struct ImageReader {
    enum ByteOrder {
        case little, big
    }

    private(set) var position: Int64 = 0
    /// The last place that may be read.
    var reach = Int64.max
    /// Bytes of the file; the greatest number where only reading shows its end.
    private let size: Int64
    private let read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    private var block: [UInt8] = []
    private var blockStart: Int64 = 0
    /// Bytes that may still be read.
    private var budget: Int64
    /// Bytes read at a time where reading goes on from one block to the next.
    private let longBlock: Int

    static let shortBlock = 4096

    /// Of a file in memory.
    init(_ bytes: [UInt8]) {
        self.init(size: Int64(bytes.count), budget: 0) { _, _ in nil }
        block = bytes
    }

    /// - Parameters:
    ///   - budget: Bytes that may be read in all.
    ///   - read: Gives at most `count` bytes from `offset` on, at least one before the file's end; `nil` where it cannot.
    init(
        size: Int64 = .max, budget: Int64 = .max, longBlock: Int = shortBlock,
        read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) {
        self.size = size
        self.budget = budget
        self.longBlock = longBlock
        self.read = read
    }

    /// The file's first bytes, at most `count`; asked for before all others, which then are read from the first one on.
    mutating func head(_ count: Int) -> [UInt8] {
        while block.count < count, let more = try? fetch(Int64(block.count), Self.shortBlock) { block += more }
        return Array(block.prefix(count))
    }

    mutating func byte() throws(ImageFault) -> UInt8 {
        let index = try held()
        position += 1
        return block[index]
    }

    mutating func bytes(_ count: Int) throws(ImageFault) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte()) }
        return bytes
    }

    /// As many of the next bytes as there are.
    mutating func prefix(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let byte = try? byte() { bytes.append(byte) }
        return bytes
    }

    /// Advances by `count` bytes, at least 0, which must be there.
    mutating func skip(_ count: Int64) throws(ImageFault) {
        try seek(position.saturatingAdd(count))
    }

    /// - Parameter place: At least 0.
    mutating func seek(_ place: Int64) throws(ImageFault) {
        guard place <= reach else { throw .outOfReach }
        try require(place)
        position = place
    }

    /// The file must have so many bytes.
    func require(_ end: Int64) throws(ImageFault) {
        guard end <= size else { throw .truncated }
    }

    /// Advances behind the next byte of that value.
    mutating func skip(past value: UInt8) throws(ImageFault) {
        while true {
            let start = try held()
            let found = block[start...].firstIndex(of: value)
            position = blockStart + Int64(found ?? block.count)
            if found != nil {
                _ = try byte()
                return
            }
        }
    }

    /// Where in `block` the byte at `position` stands.
    private mutating func held() throws(ImageFault) -> Int {
        guard position <= reach else { throw .outOfReach }
        let index = position - blockStart
        if index >= 0, index < block.count { return Int(index) }
        // A reader that goes on where the last block ended will go on further.
        block = try fetch(position, index == block.count && !block.isEmpty ? longBlock : Self.shortBlock)
        blockStart = position
        return 0
    }

    private mutating func fetch(_ place: Int64, _ count: Int) throws(ImageFault) -> [UInt8] {
        guard place < size else { throw .truncated }
        let wanted = min(Int64(count), size - place)
        guard budget >= wanted, let bytes = read(place, Int(wanted)) else { throw .undecided }
        guard !bytes.isEmpty else { throw size == .max ? .truncated : .undecided }
        budget -= Int64(bytes.count)
        return bytes
    }
}

extension ImageFault {
    /// A header says nothing of the image within the bytes that are searched for it.
    static let outOfReach = invalid("its size is not found")
    /// A file that cannot be read, contradicts itself or is too long to be followed to its end.
    static let undecided = invalid("its end is not found")
}

// MARK: - Numbers

extension ImageReader {
    /// A number of 1...8 bytes.
    mutating func number(_ count: Int, _ order: ByteOrder) throws(ImageFault) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<count {
            let byte = UInt64(try byte())
            switch order {
            case .little: value |= byte << UInt64(8 * index)
            case .big: value = value << 8 | byte
            }
        }
        return value
    }

    mutating func big16() throws(ImageFault) -> Int { Int(try number(2, .big)) }
    mutating func big32() throws(ImageFault) -> Int { Int(try number(4, .big)) }
}

/// Numbers at places of a file or its header. The bytes must be there.
extension [UInt8] {
    func little16(_ place: Int) -> Int { Int(self[place]) | Int(self[place + 1]) << 8 }
    func little32(_ place: Int) -> Int { little16(place) | little16(place + 2) << 16 }
    func big16(_ place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }
    func big32(_ place: Int) -> Int { big16(place) << 16 | big16(place + 2) }

    /// The greatest number where it would be above that.
    func little64(_ place: Int) -> Int64 {
        let high = little32(place + 4)
        return high > Int(Int32.max) ? .max : Int64(high << 32 | little32(place))
    }

    /// A number of `bytes` (1...4), lowest first.
    func little(_ place: Int, bytes: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<bytes { value |= UInt32(self[place + index]) << UInt32(8 * index) }
        return value
    }

    func text(_ place: Int, count: Int) -> String {
        String(decoding: self[place..<(place + count)], as: UTF8.self)
    }
}

extension Int64 {
    /// The product of numbers that are not negative, or the greatest number where it would be above that.
    static func saturatingProduct(_ factors: Int...) -> Int64 {
        factors.reduce(1) { saturating($0, times: Int64($1)) }
    }

    static func saturating(_ one: Int64, times other: Int64) -> Int64 {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
