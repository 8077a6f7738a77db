import CLibWebP

/// Reads a WebP that does not move by libwebp, which is loaded when the first one comes.
enum WebPDecoder: ImageDecoder {
    private static let library = SystemLibrary("libwebp", package: "libwebp7") { dae_webp_load() }

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
        try limits.check(raster, extra: header.width * header.height * Int(facts.bytes_per_pixel))
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
