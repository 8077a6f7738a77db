// Loads each FILE, a document or an archive, to a scene with everything kept, in one process; then prints how many could
// be read and, of each thread that is still there, its CPU seconds. What was loaded last is kept to the end.

import DaeArchive
import DaeCollada
import DaePipeline
import DaeScene
import Glibc

func load(_ path: String) throws -> Scene {
    let bundle = try Bundle.open(path: path)
    let entry = try BundleManifest.scene(of: bundle).choice.entry
    var options = ColladaOptions()
    options.documentPath = entry.path
    return try Inspector(options: options).read(entry, of: bundle, progress: { _ in }, isCancelled: { false })
        .document.scene(options: options).scene
}

/// The CPU seconds of each thread of this process, the busiest first.
func threads() -> [Double] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var seconds: [Double] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard !name.hasPrefix("."), let file = fopen("/proc/self/task/\(name)/schedstat", "r") else { continue }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { continue }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if let spent = text.split(separator: " ").first.flatMap({ Double($0) }) { seconds.append(spent / 1e9) }
    }
    return seconds.sorted(by: >)
}

let paths = CommandLine.arguments.dropFirst()
guard !paths.isEmpty else {
    print("usage: Load FILE…")
    exit(64)
}
var (nodes, failed) = (0, 0)
var last: Scene?
for path in paths {
    do {
        let scene = try load(path)
        nodes += scene.nodes.count
        last = scene
    } catch {
        failed += 1
        if paths.count == 1 { print("\(path): \(error)") }
    }
}
withExtendedLifetime(last) {
    print("{\"files\": \(paths.count), \"failed\": \(failed), \"nodes\": \(nodes), \"threads\": \(threads())}")
}
exit(failed == paths.count ? 1 : 0)
