// Layout after RFC 9649: a RIFF container whose first chunk is VP8, VP8L or VP8X.

import CLibWebP

/// The header of a WebP. One that does not move is decoded by libwebp, which is loaded when the first one comes.
enum WebPHeader: ImageHeaderReader, ImageDecoder {
    static let format = ImageFormat.webp

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        var bytes = try file.bytes(16)
        let chunk = bytes.text(12, count: 4)
        bytes += try file.bytes(chunk == "VP8L" ? 9 : 14)
        let least = Int64(bytes.little32(4)) + 8
        switch chunk {
        case "VP8 ":
            guard bytes[23..<26] == [0x9D, 0x01, 0x2A] else { return invalid(.brokenStructure) }
            return image(
                width: bytes.little16(26) & 0x3FFF, height: bytes.little16(28) & 0x3FFF, channels: 3, bitDepth: 8,
                leastBytes: least)
        case "VP8L":
            guard bytes[20] == 0x2F else { return invalid(.brokenStructure) }
            let bits = bytes.little32(21)
            return image(
                width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1, channels: bits >> 28 & 1 == 1 ? 4 : 3,
                bitDepth: 8, leastBytes: least)
        case "VP8X":
            return image(
                width: bytes.little32(24) & 0xFF_FFFF + 1, height: bytes.little32(26) >> 8 + 1,
                channels: bytes[20] & 0x10 == 0 ? 3 : 4, bitDepth: 8, leastBytes: least)
        default:
            return invalid(.brokenStructure)
        }
    }

    // MARK: - Decoding

    static let library = SystemLibrary("libwebp", package: "libwebp7") { dae_webp_load() }

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try library.load()
        var facts = dae_webp_facts()
        try check(dae_webp_read_facts(bytes, bytes.count, &facts))
        guard facts.has_animation == 0 else { throw .unsupported("a WebP that moves") }
        guard Int(facts.width) == header.width, Int(facts.height) == header.height else {
            throw .invalid("its size is told twice")
        }
        let channels = facts.has_alpha == 0 ? 3 : 4
        var raster = try Raster(width: header.width, height: header.height, channels: channels, limits: limits)
        // What libwebp needs beside the pixels.
        guard header.width * header.height * Int(facts.bytes_per_pixel) <= limits.memory - raster.bytes.count else {
            throw .tooLarge(width: header.width, height: header.height, limits: limits)
        }
        let outcome = dae_webp_read_pixels(bytes, bytes.count, &facts, &raster.bytes, raster.bytes.count)
        do throws(ImageFault) {
            try check(outcome)
        } catch {
            guard !raster.isBlack else { throw error }
            switch error {
            case .truncated: raster.completeness = .cut
            case .invalid(let why): raster.completeness = .damaged(why)
            case .unsupported, .libraryMissing, .tooLarge, .outOfMemory: throw error
            }
        }
        return raster
    }

    private static func check(_ outcome: dae_webp_outcome) throws(ImageFault) {
        switch outcome {
        case dae_webp_whole: return
        case dae_webp_cut: throw .truncated
        case dae_webp_unsupported: throw .unsupported("a WebP of a kind that libwebp does not read")
        case dae_webp_no_memory: throw .outOfMemory
        default: throw .invalid("its pixels cannot be decoded")  // C enums
        }
    }
}
