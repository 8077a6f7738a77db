import Glibc

/// Reads lists of numbers whose whole text is there, as long as nothing about them is odd: with none of what a
/// ``NumberDecoder`` needs for text that is cut and for what it has to tell.
public struct WholeListReader<Number: DecodableNumber>: ~Copyable {
    /// Numbers of short lists, and of long ones that are not announced; used again.
    private var room: [Number] = []
    /// Text with white space behind it.
    private let copy = UnsafeMutableRawPointer.allocate(byteCount: Self.mostCopied + PaddedText.room, alignment: 8)

    private let heap: HeapAhead?

    /// - Parameter heap: Through which pages are asked for; `nil` where nobody asks for pages.
    public init(heap: HeapAhead? = nil) { self.heap = heap }

    deinit { copy.deallocate() }

    /// Text that is copied rather than read in two parts.
    private static var mostCopied: Int { 1 << 10 }
    /// Numbers that are rather copied than read where they stay.
    private static var few: Int { 1 << 9 }
    /// Numbers for which there is room behind the announced ones, so that the last of them are read as fast as the others.
    private static var spare: Int { 64 }
}

extension WholeListReader where Number == Double {
    /// - Parameters:
    ///   - text: All of it; anything may stand behind.
    ///   - announced: How many numbers it says to have; may lie.
    /// - Returns: The numbers, in room of about their size; `nil` where one is odd: a ``NumberDecoder`` has to read them.
    public mutating func read(_ text: UnsafeRawBufferPointer, announced: Int?) -> [Double]? {
        readNumbers(text, announced: announced)
    }
}

extension WholeListReader where Number == Int32 {
    /// As for reals, of which nobody says how many they are.
    public mutating func read(_ text: UnsafeRawBufferPointer) -> [Int32]? { readNumbers(text, announced: nil) }
}

extension WholeListReader where Number: ReadableNumber {
    @inline(__always)
    private mutating func readNumbers(_ text: UnsafeRawBufferPointer, announced: Int?) -> [Number]? {
        if let announced, announced >= Self.few {
            // Two bytes hold no more than a number.
            let expected = min(announced, text.count / 2 + 1)
            var numbers: [Number] = []
            numbers.reserveCapacity(expected + Self.spare)
            heap?.populate(&numbers)
            guard Self.append(text, to: &numbers, by: copy) else { return nil }
            return numbers.count == expected ? numbers : Self.fitted(numbers)
        }
        room.removeAll(keepingCapacity: true)
        return Self.append(text, to: &room, by: copy) ? Self.fitted(room) : nil
    }

    private static func fitted(_ numbers: [Number]) -> [Number] {
        // Given away with its room it would take more; the library's way without initialization looks its type up.
        var fitted: [Number] = []
        fitted.reserveCapacity(numbers.count)
        fitted.append(contentsOf: numbers)
        return fitted
    }

    /// Whether all of it was read.
    @inline(__always)
    private static func append(
        _ text: UnsafeRawBufferPointer, to numbers: inout [Number], by copy: UnsafeMutableRawPointer
    ) -> Bool {
        var rest = text
        if text.count > mostCopied {
            guard let start = PaddedText(longestIn: text), Number.scan(start, from: 0, into: &numbers) == start.count
            else { return false }
            rest = UnsafeRawBufferPointer(rebasing: text[start.count...])
            guard rest.count <= mostCopied else { return false }
        }
        guard let bytes = rest.baseAddress else { return true }
        memcpy(copy, bytes, rest.count)
        memset(copy + rest.count, Int32(Byte.space), PaddedText.room)
        let end = PaddedText(base: copy, count: rest.count + 1)
        return Number.scan(end, from: 0, into: &numbers) == end.count
    }
}
