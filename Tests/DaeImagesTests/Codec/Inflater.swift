/// A plain reader of deflate (RFC 1951) and its zlib wrapping (RFC 1950), for whole and sound streams.
struct Inflater {
    private let input: [UInt8]
    private var place: Int
    private var bit = 0
    private var output: [UInt8] = []

    static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
        var inflater = Inflater(input: bytes, place: 2)
        try inflater.run()
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in inflater.output {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let sum = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard sum == b << 16 | a else { throw Picture.Broken(why: "checksum of the pixels") }
        return inflater.output
    }

    private init(input: [UInt8], place: Int) {
        self.input = input
        self.place = place
    }

    private mutating func bits(_ count: Int) throws -> Int {
        var value = 0
        for index in 0..<count {
            guard place < input.count else { throw Picture.Broken(why: "the pixels end early") }
            value |= Int(input[place] >> UInt8(bit) & 1) << index
            bit += 1
            if bit == 8 { (bit, place) = (0, place + 1) }
        }
        return value
    }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0:
                if bit > 0 { (bit, place) = (0, place + 1) }
                let count = try bits(16)
                _ = try bits(16)
                output += input[place..<(place + count)]
                place += count
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try block(Code(lengths), Code([Int](repeating: 5, count: 30)))
            case 2:
                let (literals, distances) = try codes()
                try block(literals, distances)
            case _: throw Picture.Broken(why: "kind of block")
            }
        }
    }

    private struct Code {
        private(set) var symbols: [Int: Int] = [:]

        init(_ lengths: [Int]) {
            var code = 0
            for length in 1...15 {
                for symbol in lengths.indices where lengths[symbol] == length {
                    symbols[length << 16 | code] = symbol
                    code += 1
                }
                code <<= 1
            }
        }
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var value = 0
        for length in 1...15 {
            value = try value << 1 | bits(1)
            if let symbol = code.symbols[length << 16 | value] { return symbol }
        }
        throw Picture.Broken(why: "no such code")
    }

    private mutating func codes() throws -> (Code, Code) {
        let (literals, distances, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var small = [Int](repeating: 0, count: 19)
        for index in 0..<count { small[order[index]] = try bits(3) }
        let code = Code(small)
        var lengths: [Int] = []
        while lengths.count < literals + distances {
            switch try symbol(code) {
            case 16: lengths += [Int](repeating: lengths.last ?? 0, count: try bits(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
            case 18: lengths += [Int](repeating: 0, count: try bits(7) + 11)
            case let length: lengths.append(length)
            }
        }
        return (Code(Array(lengths.prefix(literals))), Code(Array(lengths.dropFirst(literals))))
    }

    private mutating func block(_ literals: Code, _ distances: Code) throws {
        while true {
            let code = try symbol(literals)
            if code == 256 { return }
            if code < 256 {
                output.append(UInt8(code))
                continue
            }
            let (index, near) = (code - 257, code - 257 < 8 || code == 285)
            let extra = near ? 0 : index / 4 - 1
            let base = code == 285 ? 258 : near ? index + 3 : (4 + index % 4) << extra + 3
            let length = try base + bits(extra)
            let step = try symbol(distances)
            let further = step < 4 ? 0 : step / 2 - 1
            let distance = try (step < 4 ? step + 1 : (2 + step % 2) << further + 1) + bits(further)
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
