import DaeDiagnostics

#if canImport(CISAL)
    import DaeCore
    import CISAL

    /// An entry that is stored or deflated, read by ISA-L from the archive's own bytes, without libzip's lock.
    ///
    /// What libzip would check is checked here: CRC-32, the end of the packed bytes, and that none is left over; the
    /// size is the reader's matter. A class because it owns ISA-L's state.
    final class InflatedBytes: EntryBytes {
        private enum Packing {
            case stored
            case deflated(UnsafeMutableRawPointer)
        }

        private let entry: Bundle.Entry
        private let packed: SlicedByteSource
        private let packing: Packing
        private let input: UnsafeMutableRawBufferPointer
        /// Of the first packed byte that is not in `input`.
        private var position: Int64 = 0
        /// What of `input` is still to be inflated.
        private var pending = 0..<0
        private var crc32: UInt32 = 0

        private static let inputBytes = 1 << 16

        /// Whether entries of this kind are read without libzip.
        static func reads(_ record: DirectoryRecord) -> Bool { !record.isEncrypted && reads(record.method) }

        private static func reads(_ method: CompressionMethod) -> Bool {
            switch method {
            case .stored, .deflated: true
            case .deflate64, .bzip2, .lzma, .zstandard, .xz, .other: false
            }
        }

        /// `nil` for what ``reads(_:)`` says no to.
        init?(_ entry: Bundle.Entry, in archive: any ByteSource, at start: Int64) throws(CodedFailure) {
            guard !entry.isEncrypted, Self.reads(entry.method) else { return nil }
            if entry.method == .stored {
                packing = .stored
            } else if let state = dae_inflate_new() {
                packing = .deflated(state)
            } else {
                throw .invalid("memory ran out", entry: entry.path)
            }
            self.entry = entry
            packed = SlicedByteSource(archive, from: start, size: entry.compressedSize)
            input = .readBuffer(byteCount: Int(min(Int64(Self.inputBytes), max(1, entry.compressedSize))))
        }

        deinit {
            input.deallocate()
            switch packing {
            case .stored: break
            case .deflated(let state): dae_inflate_free(state)
            }
        }

        func next(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int {
            let count =
                switch packing {
                case .stored: try copy(into: buffer)
                case .deflated(let state): try inflate(state, into: buffer)
                }
            if count == 0 {
                guard crc32 == entry.crc32 else { throw .wrongChecksum(entry.path) }
            } else {
                crc32 = dae_crc32(crc32, buffer.baseAddress, UInt64(count))
            }
            return count
        }

        private func copy(into buffer: UnsafeMutableRawBufferPointer) throws(CodedFailure) -> Int {
            do {
                let count = try packed.read(at: position, into: buffer)
                position += Int64(count)
                return count
            } catch { throw .unreadable(error, entry: entry.path) }
        }

        private func inflate(
            _ state: UnsafeMutableRawPointer, into buffer: UnsafeMutableRawBufferPointer
        ) throws(CodedFailure) -> Int {
            let room = UInt32(clamping: buffer.count)
            while true {
                if pending.isEmpty { try refill() }
                var (left, made): (UInt32, UInt32) = (0, 0)
                let outcome = dae_inflate(
                    state, input.baseAddress?.advanced(by: pending.lowerBound), UInt32(pending.count), &left,
                    buffer.baseAddress, room, &made)
                guard outcome >= 0 else { throw .damaged(entry.path) }
                let used = pending.count - Int(left)
                pending = pending.lowerBound + max(0, used)..<pending.upperBound
                if made > 0 { return Int(made) }
                if outcome == 1 {
                    let rest = Int64(left) + Int64(dae_inflate_buffered(state)) + packed.size - position
                    guard rest == 0 else { throw .leftOver(entry.path, bytes: rest) }
                    return 0
                }
                guard used > 0 || pending.isEmpty && position < packed.size else { throw .cutOff(entry.path) }
            }
        }

        private func refill() throws(CodedFailure) {
            do {
                let count = try packed.read(at: position, into: input)
                position += Int64(count)
                pending = 0..<count
            } catch { throw .unreadable(error, entry: entry.path) }
        }
    }
#endif
