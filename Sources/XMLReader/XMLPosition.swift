// Every element, reference and source has its place, so it is packed: with a word for each of its numbers a document of
// many small elements would be a fourth larger.

public import Diagnostics

/// A place in a document.
public struct XMLPosition: Sendable, Hashable, BitwiseCopyable {
    @usableFromInline var lineBits: UInt32
    @usableFromInline var columnBits: UInt32
    /// The byte, and below it ``documentWidth`` bits of the document.
    @usableFromInline var place: UInt64

    @usableFromInline static var documentWidth: UInt64 { 20 }
    @usableFromInline static var lastDocument: UInt64 { 1 << documentWidth - 1 }
    @usableFromInline static var lastByte: UInt64 { UInt64.max >> documentWidth }

    @inlinable
    public init(line: Int = 1, column: Int = 1, byte: Int64 = 0) {
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
    @inlinable public var line: Int {
        get { Int(lineBits) }
        set { lineBits = UInt32(clamping: newValue) }
    }
    /// From 1, in characters; at most 2^32 − 1.
    @inlinable public var column: Int {
        get { Int(columnBits) }
        set { columnBits = UInt32(clamping: newValue) }
    }
    /// From 0, in the document as UTF-8, its byte order mark counted where it has one; below 2^44.
    @inlinable public var byte: Int64 {
        get { Int64(place >> Self.documentWidth) }
        set { place = min(UInt64(clamping: newValue), Self.lastByte) << Self.documentWidth | place & Self.lastDocument }
    }
    /// Of several documents that are read into one, which; 0 is the first. Below 2^20.
    @inlinable public var document: Int {
        get { Int(place & Self.lastDocument) }
        set { place = place & ~Self.lastDocument | min(UInt64(clamping: newValue), Self.lastDocument) }
    }

    /// The place after `bytes`, read from here on.
    public func advanced(over bytes: UnsafeRawBufferPointer) -> XMLPosition {
        var line = line
        var column = column
        for value in bytes {
            if value == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if value & 0xC0 != 0x80 {
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
    public init(_ position: XMLPosition) {
        self.init(line: position.line, column: position.column, byte: position.byte)
        document = position.document
    }
}
