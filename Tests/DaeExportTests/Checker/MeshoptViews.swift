import Glibc
import TestSupport

/// Decompresses views of EXT_meshopt_compression by the library's own decoder, which the writer does not use.
enum MeshoptViews {
    private typealias Decode =
        @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafePointer<UInt8>?, Int) -> Int32
    private typealias Filter = @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> Void

    private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
        guard let library = dlopen("libmeshoptimizer.so.2d", RTLD_NOW),
            let symbol = dlsym(library, "meshopt_\(name)")
        else { return nil }
        return unsafeBitCast(symbol, to: Function.self)
    }

    /// - Parameters:
    ///   - compression: The extension of a view.
    ///   - bytes: Of the buffer that it names.
    /// - Returns: `nil` where it cannot be decompressed.
    static func bytes(_ compression: JSONNode, in bytes: [UInt8]) -> [UInt8]? {
        guard let start = compression["byteOffset"]?.int, let length = compression["byteLength"]?.int,
            let count = compression["count"]?.int, let stride = compression["byteStride"]?.int,
            start >= 0, length > 0, start + length <= bytes.count, compression["buffer"]?.int == 0
        else { return nil }
        let name = compression["mode"]?.string == "TRIANGLES" ? "decodeIndexBuffer" : "decodeVertexBuffer"
        guard let decode = function(name, Decode.self) else { return nil }
        let stream = Array(bytes[start..<start + length])
        var decoded = [UInt8](repeating: 0, count: count * stride)
        guard decode(&decoded, count, stride, stream, stream.count) == 0 else { return nil }
        let filters = ["OCTAHEDRAL": "Oct", "QUATERNION": "Quat", "EXPONENTIAL": "Exp"]
        if let filter = compression["filter"]?.string {
            guard let name = filters[filter], let apply = function("decodeFilter" + name, Filter.self) else {
                return nil
            }
            apply(&decoded, count, stride)
        }
        return decoded
    }
}
