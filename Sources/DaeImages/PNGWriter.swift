// After the PNG specification (ISO/IEC 15948): signature, IHDR, IDAT, IEND.

import CLibZ
package import DaeDiagnostics

/// Writes pixels as a PNG of 8 bits a channel, not interlaced.
struct PNGWriter {
    /// What is in a chunk of pixels, about, so that nothing is copied twice in one piece.
    private static let fill = 1 << 20

    private var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func write(_ raster: Raster) throws(ImageFault) -> PNGImage {
        var file = PNGWriter()
        let colourType: [UInt8] = [0, 4, 2, 6]
        file.append("IHDR", big(raster.width) + big(raster.height) + [8, colourType[raster.channels - 1], 0, 0, 0])
        guard let deflater = Deflater(level: 5) else { throw .outOfMemory }
        var filter = PNGFilter(rowBytes: raster.rowBytes, pixelBytes: raster.channels)
        for row in 0..<raster.height {
            let line = filter.filtered(raster.bytes, at: row * raster.rowBytes)
            guard deflater.push(line, isLast: row == raster.height - 1) else { throw .outOfMemory }
            if deflater.output.count >= fill { file.append("IDAT", deflater.take()) }
        }
        let rest = deflater.take()
        if !rest.isEmpty { file.append("IDAT", rest) }
        file.append("IEND", [])
        return PNGImage(
            bytes: file.bytes, width: raster.width, height: raster.height, channels: raster.channels,
            completeness: raster.completeness)
    }

    /// Appends a chunk.
    private mutating func append(_ name: String, _ body: [UInt8]) {
        bytes += Self.big(body.count)
        let start = bytes.count
        bytes += name.utf8
        bytes += body
        var sum = Checksum()
        sum.add(bytes[start...])
        bytes += Self.big(Int(sum.value))
    }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// A PNG file, and what it lacks of the file that it was made from.
package struct PNGImage: Sendable {
    /// Whether all pixels are those of the source.
    package enum Completeness: Sendable, Equatable {
        case whole
        /// The source ends before its last pixel.
        case cut
        /// Some of the source cannot be decoded; a clause says why.
        case damaged(String)
    }

    /// The file.
    package let bytes: [UInt8]
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// 1 grey, 2 grey and alpha, 3 red, green, blue, 4 these and alpha; 8 bits each.
    package let channels: Int
    package let completeness: Completeness
}

extension PNGImage {
    /// A file of pixels that were made: red, green, blue and alpha of each, the top row first. Alpha is left out where all
    /// are opaque.
    package init(width: Int, height: Int, rgba: [UInt8]) throws(CodedFailure) {
        self = try CodedFailure.wrapping(.png) { () throws(ImageFault) in
            var raster = try Raster(width: width, height: height, channels: 4, limits: ImageLimits())
            guard rgba.count == raster.bytes.count else {
                throw .invalid("its pixels are not as many as its size says")
            }
            raster.bytes = rgba
            raster.dropOpaqueAlpha()
            return try PNGWriter.write(raster)
        }
    }
}

extension PNGImage.Completeness {
    /// What to report; `nil` where nothing lacks.
    package var code: FindingCode? {
        switch self {
        case .whole: nil
        case .cut: .imageTruncated
        case .damaged: .imageDataInvalid
        }
    }
}

/// Turns rows into differences that deflate well: of each row by the filter whose differences are the smallest in sum.
struct PNGFilter {
    private enum Kind: UInt8 {
        case none = 0
        case left = 1
        case above = 2
        case paeth = 4
    }

    private let pixelBytes: Int
    private let rowBytes: Int
    /// A pixel of zeros before each.
    private var above: [UInt8]
    private var row: [UInt8]

    init(rowBytes: Int, pixelBytes: Int) {
        self.rowBytes = rowBytes
        self.pixelBytes = pixelBytes
        above = [UInt8](repeating: 0, count: pixelBytes + rowBytes)
        row = above
    }

    /// The filter's number and the differences of the row at `start`; the row before is the one asked for before.
    mutating func filtered(_ pixels: [UInt8], at start: Int) -> [UInt8] {
        swap(&above, &row)
        row.replaceSubrange(pixelBytes..., with: pixels[start..<(start + rowBytes)])
        return differences(best)
    }

    /// The kind whose differences, as if they had signs, are the least in sum.
    private var best: Kind {
        var (plain, left, above, paeth) = (0, 0, 0, 0)
        let (row, before) = (row.span, self.above.span)
        for index in 0..<rowBytes {
            let value = row[pixelBytes + index]
            let (beside, over, corner) = (row[index], before[pixelBytes + index], before[index])
            plain &+= Self.size(value)
            left &+= Self.size(value &- beside)
            above &+= Self.size(value &- over)
            paeth &+= Self.size(value &- Self.paeth(left: beside, above: over, corner: corner))
        }
        let least = min(min(plain, left), min(above, paeth))
        if least == plain { return .none }
        if least == left { return .left }
        return least == above ? .above : .paeth
    }

    private func differences(_ kind: Kind) -> [UInt8] {
        var line = [UInt8](repeating: kind.rawValue, count: rowBytes + 1)
        var out = line.mutableSpan
        let (row, before) = (row.span, above.span)
        for index in 0..<rowBytes {
            let guess: UInt8 =
                switch kind {
                case .none: 0
                case .left: row[index]
                case .above: before[pixelBytes + index]
                case .paeth:
                    Self.paeth(left: row[index], above: before[pixelBytes + index], corner: before[index])
                }
            out[index + 1] = row[pixelBytes + index] &- guess
        }
        return line
    }

    private static func size(_ difference: UInt8) -> Int { Int(Int8(bitPattern: difference).magnitude) }

    static func paeth(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let guess = Int(left) + Int(above) - Int(corner)
        let (a, b, c) = (abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner)))
        if a <= b && a <= c { return left }
        return b <= c ? above : corner
    }
}

/// A stream of zlib's; a class since zlib's state lives behind a pointer.
private final class Deflater {
    private static let bufferSize = 64 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer = [UInt8](repeating: 0, count: Deflater.bufferSize)
    /// Deflated and not taken yet.
    private(set) var output: [UInt8] = []

    /// `nil` where memory is short.
    init?(level: Int32) {
        guard let stream = dae_deflate_new(level) else { return nil }
        self.stream = stream
    }

    deinit { dae_deflate_free(stream) }

    /// Takes bytes, all that are left where they are the last; `false` where zlib fails.
    func push(_ bytes: [UInt8], isLast: Bool) -> Bool {
        var start = 0
        while true {
            var (left, made): (UInt32, UInt32) = (0, 0)
            let count = min(bytes.count - start, 1 << 30)
            let ends = isLast && start + count == bytes.count
            let status = bytes.withUnsafeBufferPointer { input in
                buffer.withUnsafeMutableBufferPointer { output in
                    dae_deflate(
                        stream, input.baseAddress.map { $0 + start }, UInt32(count), &left, output.baseAddress,
                        UInt32(output.count), &made, ends ? 1 : 0)
                }
            }
            guard status >= 0 else { return false }
            output += buffer[..<Int(made)]
            start += count - Int(left)
            if status == 1 { return true }
            // A buffer that is not full says that nothing more is to come.
            if !ends, start == bytes.count, Int(made) < buffer.count { return true }
        }
    }

    func take() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
