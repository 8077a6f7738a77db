package import DaeDiagnostics

// Every element, reference and source has its place, so it is packed: with a word for each of its numbers a document of
// many small elements would be a fourth larger. Public though no user of the library sees it: what is inlinable in a type
// of the package alone is not inlined into other modules, and this is asked for with each element.

/// A place in a document.
package struct XMLPosition: Sendable, Hashable, BitwiseCopyable {
    @usableFromInline var lineBits: UInt32
    @usableFromInline var columnBits: UInt32
    /// The byte, and below it ``documentWidth`` bits of the document.
    @usableFromInline var place: UInt64

    @usableFromInline static var documentWidth: UInt64 { 20 }
    @usableFromInline static var lastDocument: UInt64 { 1 << documentWidth - 1 }
    @usableFromInline static var lastByte: UInt64 { UInt64.max >> documentWidth }

    @inlinable
    package init(line: Int = 1, column: Int = 1, byte: Int64 = 0) {
        lineBits = UInt32(clamping: line)
        columnBits = UInt32(clamping: column)
        place = min(UInt64(clamping: byte), Self.lastByte) << Self.documentWidth
    }

    /// Of numbers that are at least 0.
    @inline(__always)
    init(positiveLine line: Int, column: Int, byte: Int64) {
        lineBits = UInt32(truncatingIfNeeded: min(line, Int(UInt32.max)))
        columnBits = UInt32(truncatingIfNeeded: min(column, Int(UInt32.max)))
        place = min(UInt64(bitPattern: byte), Self.lastByte) << Self.documentWidth
    }

    /// From 1; at most 2^32 − 1.
    @inlinable package var line: Int {
        get { Int(lineBits) }
        set { lineBits = UInt32(clamping: newValue) }
    }
    /// From 1, in characters; at most 2^32 − 1.
    @inlinable package var column: Int {
        get { Int(columnBits) }
        set { columnBits = UInt32(clamping: newValue) }
    }
    /// From 0, in the document as UTF-8, its byte order mark counted where it has one; below 2^44.
    @inlinable package var byte: Int64 {
        get { Int64(place >> Self.documentWidth) }
        set { place = min(UInt64(clamping: newValue), Self.lastByte) << Self.documentWidth | place & Self.lastDocument }
    }
    /// Of several documents that are read into one, which; 0 is the first. Below 2^20.
    @inlinable package var document: Int {
        get { Int(place & Self.lastDocument) }
        set { place = place & ~Self.lastDocument | min(UInt64(clamping: newValue), Self.lastDocument) }
    }

    /// The place after `bytes`, read from here on.
    package func advanced(over bytes: UnsafeRawBufferPointer) -> XMLPosition {
        advanced(over: bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    func advanced(over bytes: Span<UInt8>) -> XMLPosition {
        var line = line
        var column = column
        for place in bytes.indices {
            if bytes[place] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[place] & 0xC0 != 0x80 {
                column += 1
            }
        }
        var position = self
        position.line = line
        position.column = column
        position.byte += Int64(bytes.count)
        return position
    }
}

extension Place {
    package init(_ position: XMLPosition) {
        self.init(line: position.line, column: position.column, byte: position.byte)
        document = position.document
    }

    /// - Parameter id: Of the element there, or of the one around it that a finding names.
    package init(_ position: XMLPosition, of id: String?) {
        self.init(position)
        elementID = id
    }
}

/// Counts lines in a document that is read in chunks: it keeps where the line begins, so that a place costs something only
/// where one is asked for.
struct LineCounter {
    private var line = 1
    /// The byte of the document at which the line begins.
    private var lineStart: Int64 = 0
    /// Bytes of the line so far that begin no character.
    private var continuations = 0
    /// The byte of the document at which the chunk begins.
    private var chunkStart: Int64 = 0

    /// Where a byte of the chunk stands, which must be on the line.
    @inline(__always)
    func position(_ index: Int) -> XMLPosition {
        let byte = chunkStart &+ Int64(truncatingIfNeeded: index)
        return XMLPosition(
            positiveLine: line, column: Int(truncatingIfNeeded: byte &- lineStart) &- continuations &+ 1, byte: byte)
    }

    /// Begins lines of which the last one starts at a byte of the chunk.
    @inline(__always)
    mutating func beginLine(at index: Int, after newlines: Int = 1) {
        line &+= newlines
        lineStart = chunkStart &+ Int64(truncatingIfNeeded: index)
        continuations = 0
    }

    /// Passes bytes of the line that begin no character.
    @inline(__always)
    mutating func passContinuations(_ count: Int) { continuations &+= count }

    /// Ends the chunk behind so many of its bytes.
    mutating func endChunk(behind count: Int) { chunkStart += Int64(count) }

    mutating func passByteOrderMark() {
        chunkStart += 3
        lineStart += 3
    }

    /// Passes white space, and byte order marks, in front of the declaration.
    mutating func pass(lead: [UInt8]) {
        for (place, byte) in lead.enumerated() {
            switch byte {
            case 0x0A: beginLine(at: place + 1)
            case 0x80...: lineStart += 1
            default: break
            }
        }
        endChunk(behind: lead.count)
    }
}
