// A download that was cut shows at the end of its file: what a decoder would find out last is seen by the sizes that a
// file gives, or by walking from mark to mark to the one that the format ends with. Nothing is decoded.

/// Whether an image file goes on to its end.
package enum TruncationCheck {
    /// How many bytes of a file are read at most, whatever its size.
    package static let budget: Int64 = 256 << 20

    private static let longBlock = 1 << 16

    /// Whether the file is cut short.
    ///
    /// So is one without the mark that its format ends with (PNG, JPEG, GIF, packed BMP), though all pixels be there.
    ///
    /// `nil` where that is not known: of a PSD whose merged picture is deflated, of a DDS of a kind of pixel that is not
    /// known here, of a TIFF without byte counts, of a packed BMP that should give its size and does not, of a file that
    /// contradicts itself on the way to its end, and where the reading would take more than ``budget``.
    ///
    /// - Parameters:
    ///   - result: What ``ImageProbe`` said of the same file.
    ///   - size: Bytes of the file.
    ///   - read: Gives at most `count` bytes from `offset` (0..<`size`) on, at least one; `nil` where it cannot. Asked
    ///     for twice the file's bytes at most, mostly front to back; not at all where the header gives the size.
    package static func isTruncated(
        _ result: ImageProbeResult, size: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) -> Bool? {
        let format: ImageFormat
        switch result {
        case .image(let header):
            if let least = header.leastBytes { return size < least }
            format = header.format
        case .outOfReach(let found): format = found
        case .truncated: return true
        case .invalid, .unrecognised, .empty: return nil
        }
        guard let format = format.header as? any ImageEndFinder.Type else { return nil }
        return withoutActuallyEscaping(read) { read in
            // No way to the end needs a byte more than twice.
            let budget = min(budget, size.saturatingAdd(size).saturatingAdd(Int64(longBlock)))
            var file = ImageReader(size: size, budget: budget, longBlock: longBlock, read: read)
            do throws(ImageFault) {
                try format.findEnd(&file)
                return false
            } catch {
                return error == .truncated ? true : nil
            }
        }
    }
}

/// A format whose files are walked through to see whether they are whole.
protocol ImageEndFinder {
    /// Returns where the file is whole; throws `.truncated` where it is not, another fault where that is not known.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault)
}
