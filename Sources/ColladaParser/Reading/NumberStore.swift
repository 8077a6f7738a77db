// Bytes, not numbers: reals and indices of a mesh lie in one store, as they come.

import Synchronization

/// A row of bytes that grows at its end: its beginning in memory, the rest in a file where there is a spool.
///
/// A class because positions go on being read from it once the document is there.
final class NumberStore: Sendable {
    static let blockSize = 1 << 18
    /// Blocks in memory where there is a spool: 2 MiB.
    static let defaultMemoryBlocks = 8

    private struct Contents {
        /// The beginning, in memory.
        var blocks: [[UInt8]] = []
        /// Bytes in the file: what comes behind the blocks.
        var filed = 0
        /// What comes behind the file; less than a block.
        var tail: [UInt8] = []
        /// Blocks to be used again.
        var free: [[UInt8]] = []
        var window = FileWindow()
        var file: NumberSpool.File?
        var failure: (any Error)?

        var inMemory: Int { blocks.count * NumberStore.blockSize }
    }

    private let contents = Mutex(Contents())
    private let spool: NumberSpool?
    private let memoryBlocks: Int

    init(spool: NumberSpool?, memoryBlocks: Int = defaultMemoryBlocks) {
        self.spool = spool
        self.memoryBlocks = memoryBlocks
    }

    /// Why bytes could not be stored or had back; `nil` when all went well.
    var failure: (any Error)? { contents.withLock { $0.failure } }

    /// Bytes so far.
    var count: Int { contents.withLock { $0.inMemory + $0.filed + $0.tail.count } }

    /// Forgets all bytes; the memory is used again.
    func removeAll() {
        contents.withLock { contents in
            while var block = contents.blocks.popLast() {
                guard contents.free.count < memoryBlocks else { continue }
                block.removeAll(keepingCapacity: true)
                contents.free.append(block)
            }
            contents.filed = 0
            contents.window.removeAll()
            contents.tail.removeAll(keepingCapacity: true)
        }
    }

    // MARK: - Writing

    func append<Number: BitwiseCopyable>(_ numbers: [Number]) {
        guard !numbers.isEmpty else { return }
        numbers.withUnsafeBytes { bytes in
            contents.withLock { append(bytes, to: &$0) }
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to contents: inout Contents) {
        guard contents.failure == nil else { return }
        var rest = bytes
        while !rest.isEmpty {
            if contents.tail.capacity == 0 { contents.tail = contents.free.popLast() ?? [] }
            let part = rest.prefix(Self.blockSize - contents.tail.count)
            // Once it is likely to be filled it grows no more, by which it would have room beyond its size.
            if contents.tail.count + part.count > Self.blockSize / 4 { contents.tail.reserveCapacity(Self.blockSize) }
            contents.tail.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
            rest = UnsafeRawBufferPointer(rebasing: rest[part.endIndex...])
            if contents.tail.count == Self.blockSize { settle(&contents) }
        }
    }

    /// Puts the full tail where it stays.
    private func settle(_ contents: inout Contents) {
        guard let spool, contents.blocks.count >= memoryBlocks else {
            contents.blocks.append(contents.tail)
            contents.tail = []
            return
        }
        do {
            let file = try contents.file ?? spool.open()
            contents.file = file
            try contents.tail.withUnsafeBytes { try file.write($0, Int64(contents.filed)) }
            contents.filed += Self.blockSize
        } catch { contents.failure = error }
        contents.tail.removeAll(keepingCapacity: true)
    }

    // MARK: - Reading

    /// Puts numbers that lie from the byte at `start` on behind those in `numbers`; says whether it could.
    func read<Number: BitwiseCopyable>(_ count: Int, at start: Int, into numbers: inout [Number]) -> Bool {
        var isRead = false
        numbers.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, filled in
                let bytes = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
                isRead = contents.withLock { read(at: start, into: bytes, &$0) }
                filled = isRead ? count : 0
            }
        }
        return isRead
    }

    private func read(at start: Int, into buffer: UnsafeMutableRawBufferPointer, _ contents: inout Contents) -> Bool {
        guard contents.failure == nil else { return false }
        var at = start
        var rest = buffer
        while !rest.isEmpty {
            let count: Int
            if at < contents.inMemory {
                count = Self.copy(contents.blocks[at / Self.blockSize], from: at % Self.blockSize, into: rest)
            } else if at < contents.inMemory + contents.filed {
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: rest.prefix(contents.inMemory + contents.filed - at))
                do {
                    guard let file = contents.file else { return false }
                    count = try contents.window.read(
                        at - contents.inMemory, part, upTo: contents.filed, of: file)
                } catch {
                    contents.failure = error
                    return false
                }
            } else {
                count = Self.copy(contents.tail, from: at - contents.inMemory - contents.filed, into: rest)
            }
            guard count > 0 else { return false }
            at += count
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    private static func copy(_ bytes: [UInt8], from start: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        bytes.withUnsafeBytes { bytes in
            let part = bytes.dropFirst(start).prefix(buffer.count)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            return part.count
        }
    }
}
