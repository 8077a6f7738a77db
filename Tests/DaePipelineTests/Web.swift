import DaeDiagnostics
import DaeDownload
import FoundationEssentials
import Synchronization
import TestSupport

@testable import DaePipeline

/// A document on a server, and a cache of its own.
struct Web {
    static let path = "/model.dae"

    /// What came of it, without the server's port.
    enum Outcome: Equatable {
        case ready(json: String)
        case failed(AssetStage, FindingCode, message: String, Place, findings: String)

        var code: FindingCode? {
            switch self {
            case .ready: nil
            case .failed(_, let code, _, _, _): code
            }
        }
    }

    let server: FaultServer
    /// How far the document was read before it was there as a whole, step by step.
    let read = Notes<Int64>()
    private let folder: TemporaryFolder
    private let gate = FaultGate()
    private let openedAt: Int64
    private let overlap: WebAccess.Overlap
    private let reading: WebAccess.Reading

    /// - Parameter held: Bytes at the end that the server holds back until all before them were read.
    init(
        _ bytes: [UInt8], held: Int? = nil, _ reading: WebAccess.Reading = .whole,
        overlap: WebAccess.Overlap = .from(bytes: 0)
    ) throws {
        server = try FaultServer([Self.path: FaultResource(bytes)])
        folder = try TemporaryFolder()
        openedAt = Int64(bytes.count - (held ?? 0))
        (self.overlap, self.reading) = (overlap, reading)
        guard let held else { return }
        let stall = Fault.stall(after: bytes.count - held, until: gate)
        // The first of them asks for a few bytes, to see whether it can be read by ranges.
        server.play(reading == .byRanges ? [.none, stall] : [stall], at: Self.path)
    }

    var url: String { server.url(Self.path) }

    /// The digests of what is in the cache.
    var blobs: [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path + "/blobs")) ?? []
        return paths.compactMap { $0.split(separator: "/").last.map(String.init) }.filter { $0.count == 64 }
    }

    func options(
        _ change: (inout AssetOperations.LiveOptions) -> Void = { _ in }
    ) -> AssetOperations.LiveOptions {
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: folder.path))
        options.web.reading = reading
        options.web.overlap = overlap
        options.web.retries.firstPause = 0
        // The server waits for the reading, which is slow under a sanitizer beside others: no stall of its own.
        options.downloadLimits.stallTimeout = .seconds(600)
        let (read, gate, openedAt) = (read, gate, openedAt)
        options.web.readAhead = { bytes in
            read.add(bytes)
            if bytes >= openedAt { gate.open() }
        }
        change(&options)
        return options
    }

    /// The whole way, once.
    func outcome(_ change: (inout AssetOperations.LiveOptions) -> Void = { _ in }) async throws -> Outcome {
        let pipeline = AssetPipeline(operations: .live(options(change)))
        let asset = try await pipeline.perform(.add(source: url))
        let state = await pipeline.outcome(of: asset)
        let findings = await pipeline.findings(of: asset).json
        let product = await pipeline.model(of: asset)
        await pipeline.end()
        if let failure = state?.failure {
            let code = failure.code
            return .failed(
                failure.stage, code, message: shown(failure.message), failure.place,
                findings: shown(findings))
        }
        return .ready(json: shown(product?.inspection.json ?? nil))
    }

    private func shown(_ json: JSONValue) -> String { shown(String(decoding: json.text(.compact), as: UTF8.self)) }

    private func shown(_ text: String) -> String { text.replacing(":\(server.port)/", with: ":port/") }
}

extension Sample {
    /// A document of exactly so many bytes whose last is the end of a line: a cloud of points with a line between two.
    static func mesh(ofBytes size: Int, scale: Int = 1) -> [UInt8] {
        let points = (size - 1200) / 24
        var text = """
            <?xml version="1.0" encoding="utf-8"?>
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><created>2024-05-01T12:00:00Z</created><modified>2024-05-01T12:00:00Z</modified></asset>
            <library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="\(points * 3)">

            """
        for index in 0..<points * 3 {
            let number = String(100_000 + (index * 7919 * scale) % 900_000)
            text += number.prefix(3) + "." + number.suffix(3) + (index % 3 == 2 ? "\n" : " ")
        }
        let end = """
            </float_array><technique_common><accessor source="#a" count="\(points)" stride="3">
            <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
            </accessor></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
            <lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 \(points - 1)</p></lines>
            </mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node></visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url="#w"/></scene>
            </COLLADA>

            """
        var bytes = Array(text.utf8)
        let padding = size - bytes.count - end.utf8.count
        precondition(padding >= 0, "too small a document")
        bytes += repeatElement(0x20, count: padding)
        return bytes + end.utf8
    }
}
