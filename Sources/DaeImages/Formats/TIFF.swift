// Layout after TIFF 6.0, sections 2, 8 and 15, and BigTIFF (the same with numbers of 8 bytes). The directory that gives the
// size may stand anywhere behind the header; writers that stream put it at the end.

import CLibTIFF

/// The header of a TIFF. Its first image is decoded by libtiff, which is loaded when the first one comes.
struct TIFFHeader: ImageHeaderReader, ImageEndFinder, ImageDecoder {
    static let format = ImageFormat.tiff
    /// More tags than any writer gives.
    private static let mostEntries: UInt64 = 4096
    /// Pages and smaller versions that are looked at; more are not.
    private static let mostDirectories = 64
    /// Strips or tiles of a page.
    private static let mostParts: Int64 = 1 << 20

    /// An entry of a directory: values of one kind, in its last bytes or elsewhere.
    private struct Entry {
        let kind: UInt64
        let count: Int64
        /// The last bytes, as one number, and where they stand.
        let field: UInt64
        let fieldPlace: Int64
    }

    private let order: ImageReader.ByteOrder
    private let isBig: Bool
    private let directory: UInt64

    private init(_ file: inout ImageReader) throws(ImageFault) {
        let signature = try file.bytes(4)
        order = signature[0] == UInt8(ascii: "I") ? .little : .big
        isBig = signature.contains(43)
        if isBig { try file.skip(4) }
        directory = try file.number(isBig ? 8 : 4, order)
    }

    /// Bytes of an offset, and of the values that an entry has room for.
    private var wordBytes: Int { isBig ? 8 : 4 }

    private func entry(_ file: inout ImageReader) throws(ImageFault) -> Entry {
        let kind = try file.number(2, order)
        let count = Int64(clamping: try file.number(wordBytes, order))
        let place = file.position
        return Entry(kind: kind, count: count, field: try file.number(wordBytes, order), fieldPlace: place)
    }

    // MARK: - Probing

    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult {
        let header = try TIFFHeader(&file)
        guard let place = Int64(exactly: header.directory), place >= file.position else {
            return invalid(.brokenStructure)
        }
        try file.seek(place)
        let count = try file.number(header.isBig ? 8 : 2, header.order)
        guard (1...mostEntries).contains(count) else { return invalid(.brokenStructure) }
        var (width, height, bits): (Int?, Int?, Int?)
        var (samples, hasPalette) = (1, false)
        var bitsPlace: Int64?
        for _ in 0..<count {
            let tag = try file.number(2, header.order)
            let entry = try header.entry(&file)
            let value = header.value(of: entry)
            switch tag {
            case 256: width = value
            case 257: height = value
            case 258:
                bits = value
                if bits == nil, entry.kind == 3 { bitsPlace = Int64(exactly: entry.field) }
            case 262: hasPalette = value == 3
            case 277: samples = value ?? 0
            default: break
            }
        }
        // Where the bits of several samples stand outside their entry: those of the first. What stands further front is
        // not read again.
        if bits == nil, let place = bitsPlace, place >= file.position {
            try file.seek(place)
            bits = Int(try file.number(2, header.order))
        }
        guard let width, let height else { return invalid(.noHeader) }
        let result = image(
            width: width, height: height, channels: hasPalette ? 3 : min(samples, 4), bitDepth: bits)
        let isKnown = samples > 0 && bits.map { (1...64).contains($0) } != false
        return result.header == nil || isKnown ? result : invalid(.unknownPixels)
    }

    /// The first value; `nil` where it stands elsewhere in the file or is no number.
    private func value(of entry: Entry) -> Int? {
        let size: Int
        switch entry.kind {
        case 3: size = 2
        case 4: size = 4
        case 16: size = 8
        case _: return nil
        }
        guard entry.count >= 1, entry.count <= wordBytes / size else { return nil }
        return switch order {
        case .little: Int(exactly: entry.field & UInt64.max >> UInt64(64 - 8 * size))
        case .big: Int(exactly: entry.field >> UInt64(8 * (wordBytes - size)))
        }
    }

    // MARK: - The end

    /// A TIFF's pixels stand anywhere in it, in strips or tiles: the file is whole if it reaches to the end of each, of
    /// every page, and of every list that a directory points to.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault) {
        let header = try TIFFHeader(&file)
        var queue = [Int64(clamping: header.directory)]
        var index = 0
        while index < queue.count {
            for place in try header.checkDirectory(at: queue[index], &file) {
                // Each directory once, however they point to each other.
                if place != 0, queue.count < mostDirectories, !queue.contains(place) { queue.append(place) }
            }
            index += 1
        }
    }

    /// The other directories that one points to.
    private func checkDirectory(at place: Int64, _ file: inout ImageReader) throws(ImageFault) -> [Int64] {
        try file.seek(place)
        let count = try file.number(isBig ? 8 : 2, order)
        guard count <= Self.mostEntries else { throw .undecided }
        var entries: [UInt64: (kind: UInt64, count: Int64, place: Int64)] = [:]
        for _ in 0..<count {
            let tag = try file.number(2, order)
            let entry = try entry(&file)
            let size = Int64.saturating(entry.count, times: Int64(Self.bytes(of: entry.kind)))
            let place = size <= wordBytes ? entry.fieldPlace : Int64(clamping: entry.field)
            if size > wordBytes { try file.require(place.saturatingAdd(size)) }
            entries[tag] = (entry.kind, entry.count, place)
        }
        let next = Int64(clamping: try file.number(wordBytes, order))

        func values(_ tag: UInt64) throws(ImageFault) -> [Int64]? {
            guard let entry = entries[tag] else { return nil }
            guard entry.count <= Self.mostParts, [3, 4, 13, 16, 18].contains(entry.kind) else { throw .undecided }
            try file.seek(entry.place)
            var values: [Int64] = []
            let bytes = Self.bytes(of: entry.kind)
            for _ in 0..<entry.count { values.append(Int64(clamping: try file.number(bytes, order))) }
            return values
        }
        for (offsets, counts) in [(273, 279), (324, 325), (513, 514)] as [(UInt64, UInt64)] {
            guard let starts = try values(offsets) else { continue }
            guard let sizes = try values(counts) else { throw .undecided }
            for (start, size) in zip(starts, sizes) { try file.require(start.saturatingAdd(size)) }
            guard starts.count == sizes.count else { throw .undecided }
        }
        return (try values(330) ?? []) + [next]
    }

    /// Bytes of one value; 0 of a kind that is not known.
    private static func bytes(of kind: UInt64) -> Int {
        switch kind {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 0
        }
    }
}

// MARK: - Decoding

// libtiff keeps to what its header says of sizes; which of its dozens of codecs may run at all is decided here.

extension TIFFHeader {
    private static let library = SystemLibrary("libtiff", package: "libtiff6") { dae_tiff_load() }

    /// Numbers of compressions: none, CCITT's three, LZW, JPEG, Deflate in both ways, and PackBits.
    private static let codecs: Set<UInt16> = [1, 2, 3, 4, 5, 7, 8, 32_773, 32_946]

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try library.load()
        return try bytes.withUnsafeBufferPointer { bytes throws(ImageFault) in
            guard let tiff = dae_tiff_open(bytes.baseAddress, bytes.count, memory(limits, header)) else {
                throw .outOfMemory
            }
            defer { dae_tiff_close(tiff) }
            func complaint() -> String { String(cString: dae_tiff_complaint(tiff)) }

            var facts = dae_tiff_facts()
            guard dae_tiff_read_facts(tiff, &facts) != 0 else { throw .invalid(complaint()) }
            guard facts.width == header.width, facts.height == header.height else {
                throw .invalid("its size is told twice")
            }
            guard codecs.contains(facts.compression) else {
                throw .unsupported("a TIFF of compression \(facts.compression)")
            }
            guard [1, 2, 4, 8, 16].contains(facts.bits) else { throw .unsupported("a TIFF of \(facts.bits) bits") }

            var raster = try Raster(width: header.width, height: header.height, channels: 4, limits: limits)
            let outcome = raster.bytes.withUnsafeMutableBytes { pixels in
                dae_tiff_read_pixels(tiff, &facts, pixels.bindMemory(to: UInt32.self).baseAddress)
            }
            guard outcome != dae_tiff_unsupported else { throw .unsupported("libtiff says: \(complaint())") }
            guard outcome == dae_tiff_read else { throw .invalid(complaint()) }
            if !complaint().isEmpty {
                guard !raster.isBlack else { throw .invalid(complaint()) }
                raster.completeness = .damaged(complaint())
            }
            finish(&raster, facts)
            return raster
        }
    }

    /// What libtiff may have beside the pixels, which are four bytes each. A strip may have 16 bits a value, where its
    /// pixels are to have 8.
    private static func memory(_ limits: ImageLimits, _ header: ImageHeader) -> Int {
        let pixels = min(1 << 40, Int64.saturatingProduct(header.width, header.height))
        let left = limits.memory - min(limits.memory, Int(pixels) * 4)
        return min(left, min(limits.bytes, 1 << 40) * 2 + 1 << 20)
    }

    private static func finish(_ raster: inout Raster, _ facts: dae_tiff_facts) {
        // Without the tag a fourth sample is meant as one of which the file does not say what it is: so Photoshop writes
        // the channel that artists mean as alpha.
        let (isGrey, isColour) = (facts.photometric < 2, facts.photometric == 2)
        let isUnsaid = facts.extra_samples == 1 || facts.extra_samples == 0 && isColour && facts.samples == 4
        switch (facts.extra_samples, facts.extra) {
        case (1..., 1): raster.divideByAlpha()  // multiplied by alpha
        case (1..., 2): break  // alpha
        case (_, _): if !isUnsaid || raster.isClear { raster.keepChannels(3) }
        }
        if isGrey { raster.keepGrey() }
    }
}
