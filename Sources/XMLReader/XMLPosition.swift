public import Diagnostics

/// A place in a document.
public struct XMLPosition: Sendable, Hashable {
    /// From 1.
    public var line = 1
    /// From 1, in characters.
    public var column = 1
    /// From 0, in the document as UTF-8, its byte order mark counted where it has one.
    public var byte: Int64 = 0
    /// Of several documents that are read into one, which; 0 is the first.
    public var document = 0

    public init(line: Int = 1, column: Int = 1, byte: Int64 = 0) {
        self.line = line
        self.column = column
        self.byte = byte
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
