import TestSupport

/// A `.usdz` taken apart without any of the code that writes one.
///
/// - Source: OpenUSD, "Usdz File Format Specification"; pxr/usd/sdf/crateFile.h.
struct USDZFile {
    struct Entry: Equatable {
        let name: String
        let flags: Int
        let method: Int
        let offset: Int
        let bytes: [UInt8]
    }
    struct Malformed: Error {
        let reason: String
    }

    /// In the order of the file.
    let entries: [Entry]
    let layer: CrateReader

    init(_ file: [UInt8]) throws {
        func fail(_ reason: String) -> Malformed { Malformed(reason: reason) }
        let bytes = LittleBytes(file)
        let end = file.count - 22
        guard end >= 0, try bytes.word(end) == 0x0605_4B50 else { throw fail("no end of a directory") }
        let count = try bytes.half(end + 10)
        var record = try bytes.word(end + 16)
        guard record + (try bytes.word(end + 12)) == end else { throw fail("the directory is not before its end") }
        var entries: [Entry] = []
        var next = 0
        for _ in 0..<count {
            guard try bytes.word(record) == 0x0201_4B50 else { throw fail("no record") }
            let header = try bytes.word(record + 42)
            // What reads without a directory goes from one to the next.
            guard header == next, try bytes.word(header) == 0x0403_4B50 else { throw fail("no header at \(header)") }
            // From the version that is needed to the length of the name.
            guard try bytes.slice(header + 4, 24) == bytes.slice(record + 6, 24) else { throw fail("two descriptions") }
            let (size, name, extra) = (
                try bytes.word(header + 18), try bytes.half(header + 26), try bytes.half(header + 28)
            )
            guard try bytes.word(header + 22) == size else { throw fail("two sizes") }
            let start = header + 30 + name + extra
            let content = try bytes.slice(start, size)
            guard CRC32.of(content) == UInt32(try bytes.word(header + 14)) else { throw fail("wrong sum") }
            entries.append(
                Entry(
                    name: String(decoding: try bytes.slice(header + 30, name), as: UTF8.self),
                    flags: try bytes.half(header + 6), method: try bytes.half(header + 8), offset: start, bytes: content
                ))
            next = start + size
            record += 46 + name
        }
        guard record == end, next == (try bytes.word(end + 16)), let first = entries.first else {
            throw fail("something between files")
        }
        self.entries = entries
        layer = try CrateReader(first.bytes)
    }
}

/// Numbers with the lowest byte first.
struct LittleBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func slice(_ start: Int, _ count: Int) throws -> [UInt8] {
        guard start >= 0, count >= 0, start <= bytes.count - count else {
            throw USDZFile.Malformed(reason: "\(count) bytes at \(start) of \(bytes.count)")
        }
        return Array(bytes[start..<start + count])
    }

    func number(_ start: Int, bytes count: Int) throws -> UInt64 {
        try slice(start, count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func half(_ start: Int) throws -> Int { Int(try number(start, bytes: 2)) }
    func word(_ start: Int) throws -> Int { Int(try number(start, bytes: 4)) }
    func long(_ start: Int) throws -> Int { Int(truncatingIfNeeded: try number(start, bytes: 8)) }
}

/// A crate file taken apart.
struct CrateReader {
    private let file: LittleBytes
    private let tokens: [String]
    private let strings: [Int]
    private let paths: [String]
    /// The fields of each prim and property, by its path.
    let specs: [String: [String: UInt64]]

    init(_ bytes: [UInt8]) throws {
        func fail(_ reason: String) -> USDZFile.Malformed { USDZFile.Malformed(reason: reason) }
        let file = LittleBytes(bytes)
        guard try file.slice(0, 16) == Array("PXR-USDC".utf8) + [0, 8, 0, 0, 0, 0, 0, 0] else { throw fail("no crate") }
        let table = try file.long(16)
        var sections: [String: Int] = [:]
        for index in 0..<(try file.long(table)) {
            let entry = table + 8 + index * 32
            let name = try file.slice(entry, 16).filter { $0 != 0 }
            sections[String(decoding: name, as: UTF8.self)] = try file.long(entry + 16)
        }
        func section(_ name: String) throws -> Int {
            guard let start = sections[name] else { throw fail("no \(name)") }
            return start
        }
        func integers(_ count: Int, _ at: inout Int) throws -> [Int32] {
            let size = try file.long(at)
            defer { at += 8 + size }
            return try CrateUnpacking.integers(try file.slice(at + 8, size), count: count)
        }
        var at = try section("TOKENS")
        let text = try CrateUnpacking.bytes(try file.slice(at + 24, try file.long(at + 16)))
        guard text.count == (try file.long(at + 8)) else { throw fail("tokens of another size") }
        let tokens = text.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        guard tokens.count == (try file.long(at)) else { throw fail("\(tokens.count) tokens") }
        at = try section("STRINGS")
        strings = try (0..<file.long(at)).map { try file.word(at + 8 + $0 * 4) }
        at = try section("FIELDS")
        let fieldCount = try file.long(at)
        at += 8
        let names = try integers(fieldCount, &at)
        let values = LittleBytes(try CrateUnpacking.bytes(try file.slice(at + 8, try file.long(at))))
        at = try section("FIELDSETS")
        let setCount = try file.long(at)
        at += 8
        let sets = try integers(setCount, &at)
        at = try section("PATHS")
        let pathCount = try file.long(at)
        at += 16
        let (order, elements, jumps) = (
            try integers(pathCount, &at), try integers(pathCount, &at), try integers(pathCount, &at)
        )
        var paths = [String](repeating: "", count: pathCount)
        var waiting = [(0, "")]
        while let (place, parent) = waiting.popLast() {
            let element = Int(elements[place])
            let path =
                place == 0
                ? "/"
                : element < 0 ? parent + "." + tokens[-element] : (parent == "/" ? "/" : parent + "/") + tokens[element]
            paths[Int(order[place])] = path
            let jump = Int(jumps[place])
            if jump >= 0 { waiting.append((place + max(1, jump), parent)) }
            if jump > 0 || jump == -1 { waiting.append((place + 1, path)) }
        }
        at = try section("SPECS")
        let specCount = try file.long(at)
        at += 8
        let (specPaths, specSets, kinds) = (
            try integers(specCount, &at), try integers(specCount, &at), try integers(specCount, &at)
        )
        var specs: [String: [String: UInt64]] = [:]
        for (spec, path) in specPaths.enumerated() {
            var fields: [String: UInt64] = [:]
            for field in sets[Int(specSets[spec])...].prefix(while: { $0 != -1 }) {
                fields[tokens[Int(names[Int(field)])]] = try values.number(Int(field) * 8, bytes: 8)
            }
            guard (1...8).contains(kinds[spec]), specs.updateValue(fields, forKey: paths[Int(path)]) == nil else {
                throw fail("\(paths[Int(path)]) twice")
            }
        }
        (self.file, self.tokens, self.paths, self.specs) = (file, tokens, paths, specs)
    }

    // MARK: - Values

    private func value(_ path: String, _ field: String) throws -> (place: Int, kind: Int, isPacked: Bool) {
        guard let bits = specs[path]?[field] else { throw USDZFile.Malformed(reason: "no \(field) of \(path)") }
        return (Int(bits & (1 << 48 - 1)), Int(bits >> 48 & 0xFF), bits >> 61 & 1 == 1)
    }

    func token(_ path: String, _ field: String = "default") throws -> String {
        let value = try value(path, field)
        return tokens[value.kind == 10 ? strings[value.place] : value.place]
    }

    func tokenList(_ path: String, _ field: String = "default") throws -> [String] {
        let place = try value(path, field).place
        // A list of names to be put before others has a byte before it.
        let start = try value(path, field).kind == 32 ? place + 1 : place
        return try (0..<file.long(start)).map { tokens[try file.word(start + 8 + $0 * 4)] }
    }

    func targets(_ path: String, _ field: String = "targetPaths") throws -> [String] {
        let start = try value(path, field).place + 1
        return try (0..<file.long(start)).map { paths[try file.word(start + 8 + $0 * 4)] }
    }

    func number(_ path: String, _ field: String = "default") throws -> Double {
        let place = try value(path, field).place
        guard let bits = specs[path]?[field], bits >> 62 & 1 == 1 else {
            return Double(bitPattern: try file.number(place, bytes: 8))
        }
        return Double(Float(bitPattern: UInt32(truncatingIfNeeded: place)))
    }

    func integers(_ path: String, _ field: String = "default") throws -> [Int32] {
        let value = try value(path, field)
        guard value.place > 0 else { return [] }
        let count = try file.long(value.place)
        guard value.isPacked else {
            return try (0..<count).map { Int32(truncatingIfNeeded: try file.word(value.place + 8 + $0 * 4)) }
        }
        let packed = try file.slice(value.place + 16, try file.long(value.place + 8))
        return try CrateUnpacking.integers(packed, count: count)
    }

    /// Of a list of tuples, one number after the other.
    func floats(_ path: String, _ field: String = "default", width: Int) throws -> [Float] {
        let place = try value(path, field).place
        return try floats(at: place + 8, count: try file.long(place) * width)
    }

    /// Of one tuple.
    func tuple(_ path: String, _ field: String = "default", width: Int) throws -> [Float] {
        try floats(at: try value(path, field).place, count: width)
    }

    private func floats(at place: Int, count: Int) throws -> [Float] {
        try (0..<count).map { Float(bitPattern: UInt32(try file.word(place + $0 * 4))) }
    }

    /// Of one matrix, or a list of them.
    func doubles(_ path: String, _ field: String = "default") throws -> [Double] {
        let place = try value(path, field).place
        let isList = (specs[path]?[field] ?? 0) >> 63 == 1
        let count = isList ? try file.long(place) * 16 : 16
        return try (0..<count).map { Double(bitPattern: try file.number(place + (isList ? 8 : 0) + $0 * 8, bytes: 8)) }
    }

    /// The times of an attribute's samples, and of each the place of its value.
    func samples(_ path: String) throws -> [(time: Double, place: Int)] {
        var place = try value(path, "timeSamples").place
        place += try file.long(place)
        let times = try file.long(place) & (1 << 48 - 1)
        place += 8
        place += try file.long(place)
        return try (0..<file.long(place)).map { index in
            let time = Double(bitPattern: try file.number(times + 8 + index * 8, bytes: 8))
            return (time, try file.long(place + 8 + index * 8) & (1 << 48 - 1))
        }
    }

    /// What a sample of one tuple is.
    func tuples(_ path: String, width: Int) throws -> [[Float]] {
        try samples(path).map { try floats(at: $0.place, count: width) }
    }
}

/// Unpacks what crate files pack.
enum CrateUnpacking {
    static func integers(_ bytes: [UInt8], count: Int) throws -> [Int32] {
        guard count > 0 else { return [] }
        let unpacked = LittleBytes(try Self.bytes(bytes))
        let common = Int32(bitPattern: UInt32(try unpacked.word(0)))
        var at = 4 + (count * 2 + 7) / 8
        var last: Int32 = 0
        let numbers = try (0..<count).map { index in
            let code = try unpacked.slice(4 + index / 4, 1)[0] >> UInt8(index % 4 * 2) & 3
            switch code {
            case 0: last &+= common
            case 1: last &+= Int32(Int8(bitPattern: try unpacked.slice(at, 1)[0]))
            case 2: last &+= Int32(Int16(bitPattern: UInt16(try unpacked.half(at))))
            default: last &+= Int32(bitPattern: UInt32(try unpacked.word(at)))
            }
            at += [0, 1, 2, 4][Int(code)]
            return last
        }
        guard at == unpacked.bytes.count else { throw USDZFile.Malformed(reason: "bytes behind numbers") }
        return numbers
    }

    /// - Source: LZ4 block format description.
    static func bytes(_ packed: [UInt8]) throws -> [UInt8] {
        let input = LittleBytes(packed)
        guard try input.slice(0, 1) == [0] else { throw USDZFile.Malformed(reason: "more than one block") }
        var result: [UInt8] = []
        var at = 1
        func length(_ first: UInt8) throws -> Int {
            guard first == 15 else { return Int(first) }
            var length = 15
            while true {
                let more = try input.slice(at, 1)[0]
                at += 1
                length += Int(more)
                if more < 255 { return length }
            }
        }
        while true {
            let token = try input.slice(at, 1)[0]
            at += 1
            let literals = try length(token >> 4)
            result += try input.slice(at, literals)
            at += literals
            if at == packed.count { return result }
            let distance = try input.half(at)
            at += 2
            let match = try length(token & 15) + 4
            guard distance > 0, distance <= result.count else { throw USDZFile.Malformed(reason: "a match too far") }
            for _ in 0..<match { result.append(result[result.count - distance]) }
        }
    }
}
