// After the PNG specification (ISO/IEC 15948): signature, IHDR, IDAT, IEND.

import CLibZ
import ImageProbe

/// Writes pixels as a PNG of 8 bits a channel, not interlaced.
enum PNGWriter {
    /// The format is that of the source, for an error.
    static func write(_ raster: Raster, of format: ImageFormat) throws(ImageCodecError) -> PNGImage {
        var file = PNGChunks()
        file.append("IHDR", header(raster))
        guard let deflater = Deflater(level: 5) else { throw ImageCodecError(format, .outOfMemory) }
        var filter = PNGFilter(rowBytes: raster.rowBytes, pixelBytes: raster.channels)
        for row in 0..<raster.height {
            let line = filter.filtered(raster.bytes, at: row * raster.rowBytes)
            guard deflater.push(line, isLast: row == raster.height - 1) else {
                throw ImageCodecError(format, .outOfMemory)
            }
            if deflater.output.count >= PNGChunks.fill { file.append("IDAT", deflater.take()) }
        }
        file.append("IDAT", deflater.take())
        file.append("IEND", [])
        return PNGImage(
            bytes: file.bytes, width: raster.width, height: raster.height, channels: raster.channels,
            completeness: raster.completeness)
    }

    private static func header(_ raster: Raster) -> [UInt8] {
        let colourType: [UInt8] = [0, 4, 2, 6]
        return PNGChunks.big(raster.width) + PNGChunks.big(raster.height)
            + [8, colourType[raster.channels - 1], 0, 0, 0]
    }
}

/// A PNG file in the making.
private struct PNGChunks {
    /// What is in a chunk of pixels, about, so that nothing is copied twice in one piece.
    static let fill = 1 << 20

    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    mutating func append(_ name: String, _ body: [UInt8]) {
        guard name != "IDAT" || !body.isEmpty else { return }
        bytes += Self.big(body.count)
        let start = bytes.count
        bytes += name.utf8
        bytes += body
        let sum = bytes[start...].withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
        bytes += Self.big(Int(sum))
    }

    static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
