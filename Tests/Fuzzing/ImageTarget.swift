// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeDiagnostics
import DaeImages

/// The file's first byte chooses the name, since a TGA is known by it alone.
private let names = ["a.tga", "a.bmp", "a.gif", "a.dds", "a.tif", "a.webp", "a.png", "a.jpg", "a.hdr", "a.psd", "a"]

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 1 else { return 0 }
    let name = names[Int(start[0]) % names.count]
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))

    // However the bytes come, the probe says the same.
    let result = ImageProbe.probe(bytes, fileName: name)
    let size = 1 + Int(bytes[bytes.count / 2]) * bytes.count / 256
    let parted = ImageProbe.probe(fileName: name) { Array(bytes.dropFirst(Int($0)).prefix(min(size, $1))) }
    guard parted == result else { fatalError("parted it is another image") }
    var asked = 0
    _ = TruncationCheck.isTruncated(result, size: Int64(bytes.count)) { offset, count in
        guard offset >= 0, offset < bytes.count, count > 0 else { fatalError("asked for bytes that are not there") }
        asked += count
        guard asked <= 4 * bytes.count + (1 << 20) else { fatalError("asked for more than twice the file") }
        return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
    }

    // Small limits: pixels cost time, and the same code runs for few of them.
    let limits = ImageLimits(side: 4096, bytes: 4 << 20)
    guard let image = try? ImageCodec.png(from: bytes, fileName: name, limits: limits) else { return 0 }
    guard case .image(let header) = ImageProbe.probe(image.bytes, fileName: "a.png"), header.format == .png,
        header.width <= limits.side, header.height <= limits.side
    else { fatalError("what was made is no PNG within the limits") }
    return 0
}
