// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeArchive
import DaeCollada
import DaeCore
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaePipeline
import DaeScene
import Glibc

/// Bytes of any output, far below what the budgets allow for a document of 64 kB that has few nodes.
private let outputLimit = 256 << 20

/// The text of an inspection and of a tree ends below the limit, and is whole.
private func checkTexts(_ result: Inspector.Result) {
    var count = 0
    var depth = 0
    var isInText = false
    var isEscaped = false
    func take(_ piece: [UInt8]) -> Bool {
        count += piece.count
        for byte in piece {
            if isEscaped {
                isEscaped = false
            } else if isInText {
                switch byte {
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isInText = false
                default: guard byte >= 0x20 else { fatalError("a control character in a text") }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
        guard count <= outputLimit else { fatalError("an inspection of more than \(outputLimit) bytes") }
        return true
    }
    result.inspection.writeJSON(.indented, to: take)
    guard depth == 0, !isInText else { fatalError("an inspection that is no whole JSON") }
    _ = take(SceneTree(result.scene).json.text(.compact))
    guard depth == 0, !isInText else { fatalError("a tree that is no whole JSON") }
}

/// A file that is written begins as its format does, and nothing but it is left in the folder.
private func check(_ format: ExportFormat, of scene: Scene, at time: Double?) {
    guard let folder = getenv("TMPDIR").map({ String(cString: $0) }) else { return }
    let path = "\(folder)/fuzzed.\(format.ending)"
    var options = ExportOptions()
    options.time = time
    options.nodeLimit = 10_000
    defer { unlink(path) }
    do throws(SceneExportError) {
        _ = try format.write(scene, to: path, options: options).json.text(.compact)
    } catch { return }
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= outputLimit else { fatalError("a file beyond the limit") }
    guard let file = fopen(path, "r") else { fatalError("no file, and no error") }
    defer { fclose(file) }
    var head = [UInt32](repeating: 0, count: 3)
    guard fread(&head, 4, 3, file) == 3 else { fatalError("a file without a head") }
    let isGLB = head[0] == 0x4654_6C67 && head[1] == 2 && Int(head[2]) == status.st_size
    guard format.ending == ExportFormat.glb.ending ? isGLB : head[0] == 0x0403_4B50 else {
        fatalError("a file whose head does not fit")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemoryByteSource(Array(UnsafeBufferPointer(start: start, count: count)))
    var inspector = Inspector()
    inspector.options.nodeLimit = 10_000
    inspector.validates = true
    guard let bundle = try? Bundle.open(source, name: "a.dae"), let scene = try? BundleManifest.scene(of: bundle),
        let result = try? inspector.inspect(bundle, scene.choice, input: "a.dae", digest: .none)
    else { return 0 }
    checkTexts(result)
    for format in [ExportFormat.glb, .usdz] {
        check(format, of: result.scene, at: nil)
        check(format, of: result.scene, at: 0.5)
    }
    return 0
}
