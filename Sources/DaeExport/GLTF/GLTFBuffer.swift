import DaeDiagnostics
import DaeMesh
import DaeScene

/// The one buffer of a glTF file, with its views and accessors; bytes leave for the file as they come.
struct GLTFBuffer {
    /// - Source: glTF 2.0, 3.6.2.2, "Accessor Data Types".
    enum Component: Int {
        case unsignedShort = 5123
        case unsignedInt = 5125
        case float = 5126

        var size: Int {
            switch self {
            case .unsignedShort: 2
            case .unsignedInt, .float: 4
            }
        }
    }
    /// What a view is for.
    enum Target: Int {
        case vertices = 34962
        case indices = 34963
    }

    private(set) var views: JSONList
    private(set) var accessors: JSONList
    private(set) var images: JSONList
    /// Where images are written; `nil` for the buffer.
    private(set) var textures: TextureFiles?
    private(set) var count = 0
    /// Views by what they hold: equal ones are there once.
    private var known: [ViewKey: (view: Int, start: Int)] = [:]
    private var knownAccessors: [AccessorKey: Int] = [:]
    private let file: ExportFile
    private let limit: Int
    private let budget: ConversionBudget

    private struct ViewKey: Hashable {
        let size: Int
        let hash: UInt64
        let target: Target?
    }
    private struct AccessorKey: Hashable {
        let view: Int
        let component: Component
        let type: String
        let hasBounds: Bool  // what the format asks of one
    }

    /// - Parameter limit: Bytes at most.
    init(
        _ file: ExportFile, textures: TextureFiles?, _ spool: TextSpool, limit: Int, _ budget: ConversionBudget
    ) {
        self.textures = textures
        views = JSONList(spool)
        accessors = JSONList(spool)
        images = JSONList(spool)
        self.file = file
        self.limit = limit
        self.budget = budget
    }

    /// Numbers of a vertex attribute, an animation or a matrix.
    ///
    /// - Parameters:
    ///   - width: Numbers of one element: 1...4, or 16.
    ///   - needsBounds: Whether the format asks for the least and the most of each number.
    mutating func add(
        _ values: [Float], width: Int, target: Target?, needsBounds: Bool
    ) throws(SceneExportError) -> Int {
        let view = try add(bytesOf: values, target)
        var bounds = NumberBounds(width: width)
        if needsBounds { bounds.add(values) }
        return add(floats: values.count / width, width: width, view, needsBounds ? bounds : nil)
    }

    /// An attribute of all vertices of a primitive, of which few are in memory at a time.
    mutating func add(
        _ attribute: PackedPrimitive.Attribute, of vertices: Int, needsBounds: Bool
    ) throws(SceneExportError) -> Int {
        let size = vertices * attribute.width * MemoryLayout<Float>.stride
        var bounds = NumberBounds(width: attribute.width)
        let view = try add(size: size, .vertices) { file, hash throws(SceneExportError) in
            var values: [Float] = []
            for first in stride(from: 0, to: vertices, by: Self.verticesAtATime) {
                attribute.put(first..<min(vertices, first + Self.verticesAtATime), into: &values)
                if needsBounds { bounds.add(values) }
                try file.write(values)
                hash.add(values.span.bytes)
            }
        }
        return add(floats: vertices, width: attribute.width, view, needsBounds ? bounds : nil)
    }

    private static let verticesAtATime = 4096

    private mutating func add(floats count: Int, width: Int, _ view: Int, _ bounds: NumberBounds?) -> Int {
        accessor(view, .float, count, Self.type(width), bounds)
    }

    /// Equal ones are there once: several of one view would have to share a stride.
    private mutating func accessor(
        _ view: Int, _ component: Component, _ count: Int, _ type: String, _ bounds: NumberBounds? = nil
    ) -> Int {
        let key = AccessorKey(view: view, component: component, type: type, hasBounds: bounds != nil)
        if let known = knownAccessors[key] { return known }
        let made = accessors.add(
            JSONObject { object in
                object.put("bufferView", view)
                object.put("componentType", component.rawValue)
                object.put("count", count)
                object.put("type", type)
                guard let bounds else { return }
                object.put("min", bounds.least)
                object.put("max", bounds.most)
            })
        knownAccessors[key] = made
        return made
    }

    /// Four joints a vertex.
    mutating func add(joints: [UInt16]) throws(SceneExportError) -> Int {
        let view = try add(bytesOf: joints, .vertices)
        return accessor(view, .unsignedShort, joints.count / 4, "VEC4")
    }

    /// In 16 bits where they go: 65,535 itself restarts a strip.
    mutating func add(indices: [UInt32], vertexCount: Int) throws(SceneExportError) -> Int {
        let isShort = vertexCount <= Int(UInt16.max)
        let view =
            isShort
            ? try add(bytesOf: indices.map { UInt16(truncatingIfNeeded: $0) }, .indices)
            : try add(bytesOf: indices, .indices)
        let component = isShort ? Component.unsignedShort : .unsignedInt
        return accessor(view, component, indices.count, "SCALAR")
    }

    private mutating func add<Value: BitwiseCopyable>(
        bytesOf values: [Value], _ target: Target?
    ) throws(SceneExportError) -> Int {
        try add(size: values.count * MemoryLayout<Value>.stride, target) { file, hash throws(SceneExportError) in
            try file.write(values)
            hash.add(values.span.bytes)
        }
    }

    private mutating func add(
        size: Int, _ target: Target?, _ write: (ExportFile, inout ByteHash) throws(SceneExportError) -> Void
    ) throws(SceneExportError) -> Int {
        let start = count
        // Reported as soon as it is known, not when the rest of a great file has been written too.
        guard size <= limit - start else {
            throw SceneExportError(
                .convertTooLarge, "the .glb would have more than the \(limit) bytes it may have at most: write a .gltf")
        }
        try budget.write(size)
        var hash = ByteHash()
        try write(file, &hash)
        let key = ViewKey(size: size, hash: hash.value, target: target)
        if let earlier = known[key], try file.areSame(earlier.start..<earlier.start + size, start..<start + size) {
            try file.cut(to: start)
            return earlier.view
        }
        count += size
        // Each view begins where any number may.
        let padding = (4 - count % 4) % 4
        try file.write([UInt8](repeating: 0, count: padding))
        count += padding
        let view = views.add(
            JSONObject { object in
                object.put("buffer", 0)
                object.put("byteOffset", start)
                object.put("byteLength", size)
                if let target { object.put("target", target.rawValue) }
            })
        if known[key] == nil { known[key] = (view, start) }
        return view
    }

    private static func type(_ width: Int) -> String {
        switch width {
        case 1: "SCALAR"
        case 16: "MAT4"
        default: "VEC\(width)"
        }
    }
}

/// Tells most different bytes apart; those that it does not are compared.
private struct ByteHash {
    private(set) var value: UInt64 = 0

    /// Bytes that come in pieces; equal ones in other pieces may give another value.
    mutating func add(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { bytes in
            var hash = value
            let whole = bytes.count / 8 * 8
            for offset in stride(from: 0, to: whole, by: 8) {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* Self.factor
                hash ^= hash >> 32
            }
            for byte in bytes[whole...] { hash = (hash ^ UInt64(byte)) &* Self.factor }
            value = hash
        }
    }

    /// 2⁶⁴ divided by the golden ratio.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
}

extension GLTFBuffer: PictureSink {
    mutating func add(
        picture bytes: [UInt8], _ type: ImageType, of image: Image, file: String?
    ) throws(SceneExportError) -> Int {
        var object = JSONObject()
        if let name = image.name ?? image.id { object.put("name", name) }
        object.put("mimeType", type.rawValue)
        if let written = try textures?.add(bytes, type, of: image, file: file) {
            object.put("uri", written)
        } else {
            object.put("bufferView", try add(bytesOf: bytes, nil))
        }
        return images.add(object)
    }
}

/// The least and the most of each number of elements that come in turn.
struct NumberBounds {
    private var lowest: [Float]
    private var highest: [Float]
    private let width: Int

    init(width: Int) {
        self.width = width
        lowest = [Float](repeating: .infinity, count: width)
        highest = [Float](repeating: -.infinity, count: width)
    }

    var least: [Double] { lowest.map { Double($0) } }
    var most: [Double] { highest.map { Double($0) } }

    /// - Parameter values: Of whole elements.
    mutating func add(_ values: [Float]) {
        values.withUnsafeBufferPointer { values in
            for start in stride(from: 0, to: values.count - values.count % width, by: width) {
                for lane in 0..<width {
                    let value = values[start + lane]
                    if value < lowest[lane] { lowest[lane] = value }
                    if value > highest[lane] { highest[lane] = value }
                }
            }
        }
    }
}
