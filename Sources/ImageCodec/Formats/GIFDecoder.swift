// After the GIF89a specification. The first frame on the whole screen: what it does not cover is clear, as browsers show
// it, whatever the background colour says.

import ImageProbe

enum GIFDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let frame = try GIFFrame(file)
        try limits.check(width: frame.width, height: frame.height, channels: 1)
        let channels = frame.clearIndex == nil && frame.coversScreen ? 3 : 4
        // A code of 12 bits stands for 4,095 indices at most.
        var raster = try Raster(
            width: frame.screenWidth, height: frame.screenHeight, channels: channels, limits: limits,
            source: (there: file.count - frame.start, least: frame.width * frame.height / 2730))
        var pixels = GIFPixels(frame)
        var codes = LZWReader(codeSize: frame.codeSize)
        var blocks = GIFBlocks(file, at: frame.start)
        reading: while !pixels.isFull, let byte = blocks.next() {
            switch codes.take(byte, put: { pixels.write($0, to: &raster) }) {
            case .more: continue
            case .damaged:
                raster.completeness = .damaged("its codes lead nowhere")
                break reading
            case .end: break reading
            }
        }
        guard pixels.count > 0 else { throw blocks.isCut ? .truncated : .invalid("it has no pixels") }
        if !pixels.isFull, raster.completeness == .whole { raster.completeness = .cut }
        return raster
    }
}
