// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeArchive
import DaeCore
import DaeDiagnostics

private func bundle(_ name: String, _ files: [(path: String, bytes: [UInt8])]) -> Bundle? {
    try? Bundle.open(MemoryByteSource(StoredArchive.bytes(of: files)), name: name)
}

/// An archive without compression, as small as one can be.
private enum StoredArchive {
    static func bytes(of files: [(path: String, bytes: [UInt8])]) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (path, bytes) in files {
            let common =
                little(20, 2) + little(0, 8) + little(checksum(bytes), 4) + little(bytes.count, 4)
                + little(bytes.count, 4) + little(path.utf8.count, 2) + little(0, 2)
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + common + little(0, 10) + little(archive.count, 4)
            directory += path.utf8
            archive += [0x50, 0x4B, 3, 4] + common + Array(path.utf8) + bytes
        }
        let end = little(0, 4) + little(files.count, 2) + little(files.count, 2)
        return archive + directory + [0x50, 0x4B, 5, 6] + end + little(directory.count, 4) + little(archive.count, 4)
            + little(0, 2)
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let documents = ["models/a.dae", "b.dae", "sub/c d.dae"].map { ($0, Array("<COLLADA/>".utf8)) }
    let manifests: [(name: String, path: String)] = [
        ("a.kmz", "doc.kml"), ("a.zae", "manifest.xml"), ("a.zip", "sub/doc.kml"), ("a.zip", "manifest.xml"),
    ]
    for manifest in manifests {
        let files = [(path: manifest.path, bytes: bytes)] + documents
        guard let bundle = bundle(manifest.name, files) else { fatalError("the archive itself was refused") }
        do throws(CodedFailure) {
            let (choice, _) = try BundleManifest.scene(of: bundle)
            guard bundle.entry(at: choice.entry.path) == choice.entry else { fatalError("a scene that is not there") }
        } catch {}
    }
    var aliases = TextureAliases()
    if let document = KMLDocument(bytes) {
        for map in [document.aliases] + document.models.map(\.aliases) { aliases.add(map) }
    }
    aliases.add(texturesText: bytes)
    _ = aliases.targets(of: "a.jpg")
    return 0
}
