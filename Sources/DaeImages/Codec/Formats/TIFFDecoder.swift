// libtiff keeps to what its header says of sizes; which of its dozens of codecs may run at all is decided here.

import CLibTIFF

/// Reads the first image of a TIFF by libtiff, which is loaded when the first one comes.
enum TIFFDecoder: ImageDecoder {
    private static let library = SystemLibrary("libtiff", package: "libtiff6") { dae_tiff_load() }

    /// TIFF's numbers.
    private enum Number {
        static let codecs: Set<UInt16> = [1, 2, 3, 4, 5, 7, 8, 32_773, 32_946]
        static let greys: ClosedRange<UInt16> = 0...1
        static let clear: UInt16 = 2
        static let multiplied: UInt16 = 1
        static let colours: UInt16 = 2
    }

    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        try library.load()
        let outcome = bytes.withUnsafeBufferPointer { decode($0, header: header, limits: limits) }
        return try outcome.get()
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, header: ImageHeader, limits: ImageLimits
    ) -> Result<Raster, ImageFault> {
        Result { () throws(ImageFault) in
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
            guard Number.codecs.contains(facts.compression) else {
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
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        let left = limits.memory - min(limits.memory, pixels.overflow ? .max : min(pixels.partialValue, 1 << 40) * 4)
        return min(left, min(limits.bytes, 1 << 40) * 2 + 1 << 20)
    }

    private static func finish(_ raster: inout Raster, _ facts: dae_tiff_facts) {
        switch meaning(of: facts) {
        case .alpha: break
        case .multipliedAlpha: raster.divideByAlpha()
        case .unknown: if raster.isClear { raster.keepChannels(3) }
        case .none: raster.keepChannels(3)
        }
        if Number.greys.contains(facts.photometric) { raster.keepGrey() }
    }

    /// What the sample behind the colours is.
    private enum FurtherSample {
        case alpha
        case multipliedAlpha
        /// The file does not say. Photoshop writes so the channel that artists mean as alpha.
        case unknown
        case none
    }

    private static func meaning(of facts: dae_tiff_facts) -> FurtherSample {
        switch (facts.extra_samples, facts.extra) {
        case (1..., Number.multiplied): .multipliedAlpha
        case (1..., Number.clear): .alpha
        case (1, _): .unknown
        // Without the tag a fourth sample is meant as much.
        case (0, _): facts.photometric == Number.colours && facts.samples == 4 ? .unknown : .none
        case (_, _): .none
        }
    }
}

// A TIFF may hold a JPEG as it is, so that libtiff reads one behind a header that is made here.

/// Reads a JPEG of one or three components by libtiff.
enum JPEGDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        guard let components = header.channels, components == 1 || components == 3 else {
            throw .unsupported("a JPEG of \(header.channels.map(String.init) ?? "unknown") components")
        }
        try limits.check(width: header.width, height: header.height, channels: 4)
        guard let count = UInt32(exactly: bytes.count),
            let width = UInt32(exactly: header.width), let height = UInt32(exactly: header.height)
        else { throw .tooLarge(width: header.width, height: header.height, limits: limits) }
        let directory = 8 + bytes.count + bytes.count % 2
        var entries: [(tag: UInt16, value: UInt32)] = [
            (256, width), (257, height), (258, 8), (259, 7), (262, components == 1 ? 1 : 6), (273, 8),
            (277, UInt32(components)), (278, height), (279, count),
        ]
        // Bits of a value stand for each component.
        entries[2].value = UInt32(directory + 2 + entries.count * 12 + 4)
        var file = Self.little16(0x4949) + Self.little16(42) + Self.little32(UInt32(directory))
        file += bytes
        if bytes.count % 2 == 1 { file.append(0) }
        file += Self.little16(UInt16(entries.count))
        for entry in entries {
            let isBits = entry.tag == 258
            file += Self.little16(entry.tag) + Self.little16(isBits ? 3 : 4)
            if isBits, components == 1 {
                file += Self.little32(1) + Self.little16(8) + Self.little16(0)
            } else {
                file += Self.little32(isBits ? 3 : 1) + Self.little32(entry.value)
            }
        }
        file += Self.little32(0)
        for _ in 0..<3 { file += Self.little16(8) }
        return try TIFFDecoder.decode(file, header: header, limits: limits)
    }

    private static func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    private static func little32(_ value: UInt32) -> [UInt8] {
        little16(UInt16(value & 0xFFFF)) + little16(UInt16(value >> 16))
    }
}

/// A library of the machine that is loaded when it is first needed.
struct SystemLibrary: Sendable {
    private let name: String
    private let package: String
    /// Why it cannot be used.
    private let trouble: String?

    /// Loads it: to be kept in a constant of a type, which is made at its first use, and once.
    ///
    /// - Parameters:
    ///   - package: As Debian calls it.
    ///   - load: Gives `nil`, or why it cannot be used.
    init(_ name: String, package: String, load: () -> UnsafePointer<CChar>?) {
        self.name = name
        self.package = package
        trouble = load().map { String(cString: $0) }
    }

    func load() throws(ImageFault) {
        if let trouble { throw .libraryMissing(library: name, package: package, why: trouble) }
    }
}
