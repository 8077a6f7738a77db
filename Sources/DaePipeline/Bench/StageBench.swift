// Each stage runs together with all before it: alone it would be measured on bytes that lie in memory as they never do
// when a file is read. Its own cost is the difference from the run that ends one stage earlier.

package import DaeArchive
package import DaeCollada
import DaeCore
import DaeNumbers
import DaeXML

/// Measures what reading one document of a bundle costs, stage by stage.
package struct StageBench {
    private let bundle: Bundle
    private let entry: Bundle.Entry
    private let options: ColladaOptions
    private let build: Work
    private let inspect: Work
    /// As the stages before `build` read.
    private let chunkSize = ColladaParser.chunkSize

    /// Does a stage with all before it; asks its argument now and then, and throws `CancellationError` once that is true.
    package typealias Work = (_ isCancelled: () -> Bool) throws -> Void

    /// - Parameters:
    ///   - options: How the document is read.
    ///   - build: Does all up to the stage `build`, as whoever loads a scene does.
    ///   - inspect: Does all of it, up to the last stage, with the same options.
    package init(
        _ bundle: Bundle, _ entry: Bundle.Entry, options: ColladaOptions, build: @escaping Work,
        inspect: @escaping Work
    ) {
        self.bundle = bundle
        self.entry = entry
        self.options = options
        self.build = build
        self.inspect = inspect
    }

    /// Runs all stages so many times, in turn, after one run that is not counted.
    ///
    /// - Parameter isCancelled: Asked at every chunk.
    /// - Throws: What reading throws, or `CancellationError`.
    package func run(_ runs: Int, isCancelled: () -> Bool = { false }) throws -> StageReport {
        let stages = BenchStage.allCases.filter { $0 != .inflate || isPacked }
        var costs: [BenchStage: [StageCost]] = [:]
        var counts = Counts()
        for run in 0...max(1, runs) {
            // All of it first: what cannot be read then fails as it does elsewhere.
            for stage in run == 0 ? stages.reversed() : stages {
                let cost = try StageCost.of { try perform(stage, &counts, isCancelled) }
                if run > 0 { costs[stage, default: []].append(cost) }
            }
        }
        return StageReport(
            path: entry.path, bytes: counts.bytes, packedBytes: entry.compressedSize, elements: counts.elements,
            numbers: counts.numbers, runs: max(1, runs), retention: options.retention,
            cumulative: costs.compactMapValues { StageCost.median(of: $0) })
    }

    private struct Counts {
        var bytes: Int64 = 0
        var elements = 0
        var numbers = 0
    }

    private var isPacked: Bool {
        switch bundle.kind {
        case .zip, .zae, .kmz: true
        case .dae, .folder: false
        }
    }

    /// A stage with all before it.
    private func perform(_ stage: BenchStage, _ counts: inout Counts, _ isCancelled: () -> Bool) throws {
        switch stage {
        case .read: try readSource(isCancelled)
        case .inflate: try forEachChunk(isCancelled) { _ in }
        case .markup:
            let handler = ElementCounter()
            counts.bytes = try parse(ElementCounter.vocabulary, handler, isCancelled)
            counts.elements = handler.elements
        case .numbers:
            let handler = ArrayDecoder()
            _ = try parse(ArrayDecoder.vocabulary, handler, isCancelled)
            counts.numbers = handler.numbers
        case .build: try build(isCancelled)
        case .resolve: try inspect(isCancelled)
        }
    }

    /// As many bytes as the entry takes up in the source; which ones makes no difference to what it costs.
    private func readSource(_ isCancelled: () -> Bool) throws {
        guard let source = bundle.source else { return try forEachChunk(isCancelled) { _ in } }
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: chunkSize)
        defer { chunk.deallocate() }
        let end = min(entry.compressedSize, source.size)
        var at: Int64 = 0
        while at < end {
            if isCancelled() { throw CancellationError() }
            let wanted = Int(min(Int64(chunk.count), end - at))
            let count = try source.read(at: at, into: UnsafeMutableRawBufferPointer(rebasing: chunk[..<wanted]))
            if count == 0 { break }
            at += Int64(count)
        }
    }

    private func forEachChunk(_ isCancelled: () -> Bool, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try bundle.read(entry, chunkSize: chunkSize) { chunk in
            if isCancelled() { throw CancellationError() }
            try body(chunk)
        }
    }

    private func parse(
        _ vocabulary: XMLVocabulary, _ handler: any XMLEventHandler, _ isCancelled: () -> Bool
    ) throws -> Int64 {
        let reader = XMLReader(vocabulary: vocabulary, limits: options.limits, handler: handler)
        try forEachChunk(isCancelled) { try reader.read($0) }
        try reader.finish()
        return reader.bytesRead
    }
}

/// What reading a scene is made of, in the order in which it happens.
package enum BenchStage: String, Sendable, CaseIterable {
    /// The entry's packed bytes are got from the source.
    case read
    /// They are unpacked, size and checksum looked at.
    case inflate
    /// Markup becomes events.
    case markup
    /// The text of number arrays becomes numbers.
    case numbers
    /// Events become a document, and that a scene.
    case build
    /// What the scene refers to is found: other documents, which are read, and images; and its figures are put together.
    case resolve
}

/// Takes a document's events and does nothing with them. A class since handlers are.
private final class ElementCounter: XMLEventHandler {
    static let vocabulary = XMLVocabulary([])
    private(set) var elements = 0

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        elements += 1
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .proceed }

    func endElement(at position: XMLPosition) -> XMLFlow { .proceed }
}

/// Decodes the text of number arrays and forgets the numbers. A class since handlers are.
private final class ArrayDecoder: XMLEventHandler {
    private static let realNames = ["float_array"]
    static let vocabulary = XMLVocabulary(realNames + ["int_array", "p", "h", "v", "vcount"])

    private enum Kind {
        case other, reals, integers
    }

    private(set) var numbers = 0
    private var kind = Kind.other
    private var reals = NumberDecoder<Double>()
    private var integers = NumberDecoder<Int32>()

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        kind = name.number.map { $0 < Self.realNames.count ? .reals : .integers } ?? .other
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch kind {
        case .other: break
        case .reals:
            reals.decode(bytes)
            numbers += reals.values.count
            reals.removeValues()
        case .integers:
            integers.decode(bytes)
            numbers += integers.values.count
            integers.removeValues()
        }
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        switch kind {
        case .other: break
        case .reals:
            reals.finish(expectedCount: nil)
            numbers += reals.values.count
            _ = reals.takeValues()
        case .integers:
            integers.finish(expectedCount: nil)
            numbers += integers.values.count
            _ = integers.takeValues()
        }
        kind = .other
        return .proceed
    }
}
