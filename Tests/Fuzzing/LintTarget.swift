// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeDiagnostics

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(ControlError) {
        _ = try LintConfiguration(parsing: bytes, file: ".daelint.json")
    } catch {
        guard !error.description.isEmpty else { fatalError("refused without a word") }
    }
    _ = try? Baseline(parsing: bytes, file: "baseline.json")
    return 0
}
