// One document, loaded to a scene with everything kept: its CPU seconds and what stays in memory, as one line of JSON.

import DaeCollada
import DaeScene
import Glibc

/// What is measured.
enum Subject {
    case file(UnsafeMutablePointer<FILE>)
    case memory([UInt8])

    init?(_ arguments: [String]) {
        if arguments.count == 1, let file = fopen(arguments[0], "rb") {
            self = .file(file)
        } else if arguments.count == 3, arguments[0] == "--made", let kind = MadeDocument(rawValue: arguments[1]),
            let size = Int(arguments[2])
        {
            self = .memory(kind.bytes(size))
        } else {
            return nil
        }
    }

    func read() throws -> ColladaDocument {
        let parser = ColladaParser()
        let chunk = 64 << 10
        switch self {
        case .file(let file):
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
            defer { buffer.deallocate() }
            while case let count = fread(buffer.baseAddress, 1, buffer.count, file), count > 0 {
                try parser.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        case .memory(let bytes):
            try bytes.withUnsafeBytes { all in
                for start in stride(from: 0, to: all.count, by: chunk) {
                    try parser.read(UnsafeRawBufferPointer(rebasing: all[start..<min(start + chunk, all.count)]))
                }
            }
        }
        return try parser.finish().document
    }

    /// All of it, once more.
    var contents: [UInt8] {
        switch self {
        case .file(let file):
            fseek(file, 0, SEEK_END)
            let size = ftell(file)
            rewind(file)
            return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
                count = fread(bytes.baseAddress, 1, size, file)
            }
        case .memory(let bytes): return bytes
        }
    }
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--converted", let size = Int(CommandLine.arguments[2])
{
    // The tables that every conversion uses are made by the first one.
    _ = try ConversionMeasure(of: MadeDocument.grid(10_000))
    let measure = try ConversionMeasure(of: MadeDocument.grid(size))
    print(
        """
        {"outputBytes": \(measure.outputBytes), "allowedBytes": \(measure.allowedBytes), \
        "peakBytes": \(measure.peakBytes), \
        "peakOfAllowed": \(rounded(Double(measure.peakBytes) / Double(measure.allowedBytes)))}
        """)
    exit(0)
}
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--drawn", let size = Int(CommandLine.arguments[2]) {
    let measure = try DrawingMeasure(of: MadeDocument.grid(size))
    print(
        """
        {"vertices": \(measure.vertices), "drawSeconds": \(rounded(measure.drawSeconds)), \
        "convertSeconds": \(rounded(measure.convertSeconds)), \
        "ofConversion": \(rounded(measure.drawSeconds / measure.convertSeconds))}
        """)
    exit(0)
}
guard let subject = Subject(Array(CommandLine.arguments.dropFirst())) else {
    print(
        "usage: Measure DOCUMENT.dae, or Measure --made \(MadeDocument.allCases.map(\.rawValue)) BYTES, or Measure --converted BYTES, or Measure --drawn BYTES"
    )
    exit(64)
}

// The tables that every load uses are made by the first one, and are no load's own.
for kind in MadeDocument.allCases { _ = try Subject.memory(kind.bytes(10_000)).read().scene() }

let start = Usage()
var document: ColladaDocument? = try subject.read()
let bytes = document?.bytes ?? 0
let afterReading = Usage()
let scene = try document?.scene().scene ?? Scene()
let afterBuilding = Usage()
let integers = scene.integers
// What is kept of a load is the scene; the document was the way to it.
document = nil
let end = Usage()
let scan = DocumentScan(subject.contents)
let arrays = 8 * scan.reals + 4 * integers
let allowed = Int(1.2 * Double(arrays)) + 200 * (scan.ids + scan.nodes)

func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
func ofAllowed(_ bytes: Int) -> Double { rounded(Double(bytes) / Double(allowed)) }

print(
    """
    {"bytes": \(bytes), "readSeconds": \(rounded(afterReading.seconds - start.seconds)), \
    "sceneSeconds": \(rounded(afterBuilding.seconds - afterReading.seconds)), "arrayBytes": \(arrays), \
    "ids": \(scan.ids), "nodes": \(scan.nodes), "allowedBytes": \(allowed), "keptBytes": \(end.live - start.live), \
    "keptOfAllowed": \(ofAllowed(end.live - start.live)), "residentBytes": \(end.resident - start.resident), \
    "residentOfAllowed": \(ofAllowed(end.resident - start.resident)), \
    "residentWithDocumentBytes": \(afterBuilding.resident - start.resident), "peakBytes": \(end.peak), \
    "geometries": \(scene.geometries.count)}
    """)
