// One document, loaded to a scene with everything kept: its CPU seconds and what stays in memory, as one line of JSON.

import Daedalus
import Glibc

guard CommandLine.arguments.count == 2, let file = fopen(CommandLine.arguments[1], "rb") else {
    print("usage: Measure DOCUMENT.dae")
    exit(64)
}

func read() throws -> ColladaDocument {
    let parser = ColladaParser()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = fread(buffer.baseAddress, 1, buffer.count, file), count > 0 {
        try parser.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return try parser.finish().document
}

/// The file once more, whole.
func contents() -> [UInt8] {
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
        count = fread(bytes.baseAddress, 1, size, file)
    }
}

let start = Usage()
var document = try read()
let afterReading = Usage()
let scene = try document.scene().scene
let afterBuilding = Usage()
let bytes = document.bytes
let integers = document.integers
// What is kept of a load is the scene; the document was the way to it.
document = ColladaDocument()
let end = Usage()
let scan = DocumentScan(contents())
let arrays = 8 * scan.reals + 4 * integers
let allowed = Int(1.2 * Double(arrays)) + 200 * (scan.ids + scan.nodes)

func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

print(
    """
    {"bytes": \(bytes), "readSeconds": \(rounded(afterReading.seconds - start.seconds)), \
    "sceneSeconds": \(rounded(afterBuilding.seconds - afterReading.seconds)), "arrayBytes": \(arrays), \
    "ids": \(scan.ids), "nodes": \(scan.nodes), "allowedBytes": \(allowed), "keptBytes": \(end.live - start.live), \
    "keptOfAllowed": \(rounded(Double(end.live - start.live) / Double(allowed))), \
    "residentBytes": \(end.resident - start.resident), \
    "residentWithDocumentBytes": \(afterBuilding.resident - start.resident), "peakBytes": \(end.peak), \
    "geometries": \(scene.geometries.count)}
    """)
