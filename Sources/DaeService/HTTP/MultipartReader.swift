// RFC 2046, section 5.1, as RFC 7578 uses it. Nothing is kept but one part's header and what may be the beginning of a
// delimiter, however the bytes are cut.

import DaeCore

/// Takes a body of `multipart/form-data` apart while it comes.
struct MultipartReader {
    enum Event {
        /// A part begins: the value of its `Content-Disposition`, as it stands.
        case part(disposition: [UInt8])
        case bytes(ArraySlice<UInt8>)
    }

    enum Fault: Error, Equatable {
        /// No line ends a part's header within ``headLimit`` bytes.
        case headTooLong
        /// A line of a part's header that has no colon, or a part without `Content-Disposition`.
        case malformedHead
        case malformedDelimiter
        case tooManyParts
        /// More than ``padLimit`` bytes before the first part.
        case preambleTooLong
    }

    private enum Place {
        case preamble
        /// Behind a delimiter: its line's end, or the two hyphens of the last one.
        case delimiterEnd
        case head
        case body
        /// Behind the last delimiter; what comes there means nothing.
        case epilogue
    }

    static let headLimit = 16 << 10
    private static let padLimit = 64 << 10
    static let partLimit = 100

    private let delimiter: [UInt8]
    private var place = Place.preamble
    // The first delimiter may stand at the very beginning.
    private var held: [UInt8] = Array("\r\n".utf8)
    private var skipped = 0
    private var parts = 0

    /// Whether the last delimiter has come.
    var isComplete: Bool { place == .epilogue }

    /// - Parameter type: A `Content-Type`; `nil` for one that is no form or whose boundary no sender may choose.
    init?(contentType type: String) {
        guard let boundary = Self.boundary(in: type) else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Tells what the next bytes of the body are.
    mutating func read(_ bytes: [UInt8], _ handle: (Event) throws -> Void) throws {
        if place == .epilogue { return }
        held += bytes
        while try step(handle) {}
    }

    /// Whether there may be more in what is held.
    private mutating func step(_ handle: (Event) throws -> Void) throws -> Bool {
        switch place {
        case .preamble:
            skipped += held.count
            let isFound = takeDelimiter { _ in }
            skipped -= held.count
            guard skipped <= Self.padLimit + delimiter.count else { throw Fault.preambleTooLong }
            return isFound
        case .body: return try takeDelimiter { try handle(.bytes($0)) }
        case .delimiterEnd: return try takeDelimiterEnd()
        case .head: return try takeHead(handle)
        case .epilogue:
            held = []
            return false
        }
    }

    /// Gives what stands before the next delimiter; of what may be its beginning nothing is given yet.
    private mutating func takeDelimiter(_ before: (ArraySlice<UInt8>) throws -> Void) rethrows -> Bool {
        if let start = held.firstIndex(of: delimiter, from: 0) {
            if start > 0 { try before(held[..<start]) }
            held.removeFirst(start + delimiter.count)
            place = .delimiterEnd
            return true
        }
        let sure = held.count - delimiter.count + 1
        guard sure > 0 else { return false }
        try before(held[..<sure])
        held.removeFirst(sure)
        return false
    }

    private mutating func takeDelimiterEnd() throws -> Bool {
        guard held.count >= 2 else { return false }
        if held[0] == UInt8(ascii: "-"), held[1] == UInt8(ascii: "-") {
            place = .epilogue
            return true
        }
        let padding = held.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        guard padding <= 100 else { throw Fault.malformedDelimiter }
        guard held.count >= padding + 2 else { return false }
        guard held[padding] == UInt8(ascii: "\r"), held[padding + 1] == UInt8(ascii: "\n") else {
            throw Fault.malformedDelimiter
        }
        parts += 1
        guard parts <= Self.partLimit else { throw Fault.tooManyParts }
        // The line end stays: a header of no lines ends with the next one.
        held.removeFirst(padding)
        place = .head
        return true
    }

    private mutating func takeHead(_ handle: (Event) throws -> Void) throws -> Bool {
        guard let end = held.firstIndex(of: Array("\r\n\r\n".utf8), from: 0) else {
            guard held.count <= Self.headLimit else { throw Fault.headTooLong }
            return false
        }
        guard end <= Self.headLimit else { throw Fault.headTooLong }
        // A part without a body has no empty line: the second line end is the next delimiter's.
        let rest = held[(end + 2)...]
        let isBare = rest.starts(with: delimiter)
        if !isBare, delimiter.starts(with: rest) { return false }
        try handle(.part(disposition: try Self.disposition(held[..<end])))
        held.removeFirst(isBare ? end + 2 : end + 4)
        place = .body
        return true
    }

    private static func disposition(_ head: ArraySlice<UInt8>) throws -> [UInt8] {
        var found: [UInt8]?
        for line in head.split(whereSeparator: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
                throw Fault.malformedHead
            }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            if name == "content-disposition" { found = Array(line[(colon + 1)...]) }
        }
        guard let found else { throw Fault.malformedHead }
        return found
    }

    /// RFC 2046: 1 to 70 of certain characters; a space is none at its end.
    private static func boundary(in type: String) -> String? {
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
        guard let kind = parts.first, kind.trimmed.lowercased() == "multipart/form-data" else { return nil }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmed.lowercased() == "boundary" else { continue }
            var text = pair[1].trimmed
            if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
            let isAllowed = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
            return isAllowed && (1...70).contains(text.utf8.count) && text.last != " " ? String(text) : nil
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
    }
}
