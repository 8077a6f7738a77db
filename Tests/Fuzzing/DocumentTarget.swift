// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeDiagnostics
import DaeMesh
import DaeScene

@testable import DaeCollada

/// What a document comes to: its findings, and how its reading ended.
private struct Verdict: Equatable {
    /// Sorted: those of bytes are told before those of the markup in one chunk.
    var codes: [String] = []
    var failure: FindingCode?
    var nodes = 0
}

private func verdict(on bytes: UnsafeRawBufferPointer, cutAt cut: Int, _ options: ColladaOptions) -> Verdict {
    let parser = ColladaParser(options: options)
    do throws(CodedFailure) {
        try parser.read(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
        try parser.read(UnsafeRawBufferPointer(rebasing: bytes[cut...]))
        let reading = try parser.finish()
        let built = try reading.document.scene(options: options)
        _ = SceneBounds(of: built.scene)
        for geometry in built.scene.geometries { check(geometry) }
        return Verdict(
            codes: (reading.log.findings + built.log.findings).map(\.code.rawValue).sorted(),
            nodes: built.scene.nodes.count)
    } catch { return Verdict(failure: error.code) }
}

/// What holds of every geometry.
private func check(_ geometry: Geometry) {
    guard let mesh = geometry.mesh else { return }
    var triangulator = Triangulator()
    for primitive in mesh.primitives {
        let triangles = mesh.triangles(of: primitive, using: &triangulator)
        guard triangles.corners.allSatisfy({ $0 >= 0 && Int($0) < primitive.corners }) else {
            fatalError("a triangle of corners that are not there")
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    var options = ColladaOptions()
    options.nodeLimit = 10_000
    // Where a chunk ends must not be seen; the bytes themselves choose the place.
    let cut = count == 0 ? 0 : Int(bytes[count / 2]) * count / 256
    let (whole, parts) = (verdict(on: bytes, cutAt: 0, options), verdict(on: bytes, cutAt: cut, options))
    // A broken document may be refused for another of its faults, depending on where it is cut.
    guard whole.failure != nil || parts.failure != nil || whole == parts else {
        fatalError("cut at \(cut) it is another document: \(parts), not \(whole)")
    }
    guard (whole.failure == nil) == (parts.failure == nil) else { fatalError("cut at \(cut) it ends otherwise") }
    options.schema = .strict
    options.retention = .figures
    _ = verdict(on: bytes, cutAt: cut, options)
    return 0
}
