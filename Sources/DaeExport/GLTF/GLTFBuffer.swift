import DaeDiagnostics
import DaeMesh
import DaeScene

/// The one buffer of a glTF file, with its views and accessors; bytes leave for the file as they come.
struct GLTFBuffer {
    /// - Source: glTF 2.0, 3.6.2.2, "Accessor Data Types".
    enum Component: Int {
        case byte = 5120
        case unsignedByte = 5121
        case short = 5122
        case unsignedShort = 5123
        case unsignedInt = 5125
        case float = 5126

        var size: Int {
            switch self {
            case .byte, .unsignedByte: 1
            case .short, .unsignedShort: 2
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
    /// Those of them that not every loader reads.
    private(set) var webPImages: Set<Int> = []
    /// Where images are written; `nil` for the buffer.
    private(set) var textures: TextureFiles?
    private(set) var count = 0
    /// Where bytes are that were written before: equal ones are there once.
    private var known: [ByteKey: Int] = [:]
    private var knownViews: [ViewKey: Int] = [:]
    private var knownAccessors: [AccessorKey: Int] = [:]
    /// Bytes of the views that are compressed once they are not: those of a buffer that no file has.
    private(set) var fallbackCount = 0
    /// Whether an attribute is of numbers that only an extension allows.
    private(set) var isQuantized = false  // a finding about what was added
    private let file: ExportFile
    private let limit: Int
    private let budget: ConversionBudget
    /// Compresses views; `nil` where none is compressed.
    private let optimizer: MeshOptimizer?

    private struct ByteKey: Hashable {
        let size: Int
        let hash: UInt64
        let target: Target?
    }
    private struct ViewKey: Hashable {
        let start: Int
        let size: Int
        let stride: Int?
        let target: Target?
        /// Of elements that are compressed.
        var stream: Stream?

        struct Stream: Hashable {
            let count: Int
            let element: Int
            let mode: Mode
            let filter: CompactElements.Filter
        }
    }
    private struct AccessorKey: Hashable {
        let view: Int
        let component: Component
        let type: String
        let isNormalized: Bool
        let hasBounds: Bool  // what the format asks of one
    }

    /// - Parameter limit: Bytes at most.
    init(
        _ file: ExportFile, textures: TextureFiles?, _ spool: TextSpool, limit: Int, _ budget: ConversionBudget,
        compressing optimizer: MeshOptimizer?
    ) {
        self.textures = textures
        self.optimizer = optimizer
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
        let view =
            optimizer == nil
            ? try add(bytesOf: values, target) : try view(of: CompactElements(floats: values, width: width), target)
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
        accessor(view, .float, count, Self.type(width), bounds.map { ($0.least, $0.most) })
    }

    /// Equal ones are there once: several of one view would have to share a stride.
    private mutating func accessor(
        _ view: Int, _ component: Component, _ count: Int, _ type: String,
        _ bounds: (least: [Double], most: [Double])? = nil, isNormalized: Bool = false
    ) -> Int {
        let key = AccessorKey(
            view: view, component: component, type: type, isNormalized: isNormalized, hasBounds: bounds != nil)
        if let known = knownAccessors[key] { return known }
        let made = accessors.add(
            JSONObject { object in
                object.put("bufferView", view)
                object.put("componentType", component.rawValue)
                if isNormalized { object.put("normalized", true) }
                object.put("count", count)
                object.put("type", type)
                guard let bounds else { return }
                object.put("min", bounds.least)
                object.put("max", bounds.most)
            })
        knownAccessors[key] = made
        return made
    }

    /// Elements that are compact.
    mutating func add(_ elements: CompactElements, _ target: Target?) throws(SceneExportError) -> Int {
        accessor(
            try view(of: elements, target), elements.component, elements.count, Self.type(elements.width),
            elements.bounds, isNormalized: elements.isNormalized)
    }

    /// The same of what only `KHR_mesh_quantization` allows where it is no float.
    mutating func add(attribute elements: CompactElements) throws(SceneExportError) -> Int {
        switch elements.component {
        case .float: break
        case .byte, .unsignedByte, .short, .unsignedShort, .unsignedInt: isQuantized = true
        }
        return try add(elements, .vertices)
    }

    private mutating func view(of elements: CompactElements, _ target: Target?) throws(SceneExportError) -> Int {
        // Only attributes of vertices may say how far their elements are apart.
        let stride = target == .vertices ? elements.stride : nil
        if let optimizer, elements.count > 0 {
            let stream = optimizer.stream(elements)
            let wasFiltered: Bool =
                switch elements.filter {
                case .none: false
                case .octahedral, .quaternion, .exponential: true
                }
            if wasFiltered || stream.count + Self.extensionSize < elements.bytes.count {
                return try add(
                    stream, count: elements.count, element: elements.stride, stride, .attributes, elements.filter,
                    target)
            }
        }
        return try add(size: elements.bytes.count, target, stride: stride) { file, hash throws(SceneExportError) in
            try file.write(elements.bytes)
            hash.add(elements.bytes.span.bytes)
        }
    }

    /// Of the text that says how a view is compressed.
    private static let extensionSize = 160

    private enum Mode: String {
        case attributes = "ATTRIBUTES"
        case triangles = "TRIANGLES"
    }

    /// - Source: Khronos, EXT_meshopt_compression.
    private mutating func add(
        _ stream: [UInt8], count: Int, element: Int, _ stride: Int?, _ mode: Mode, _ filter: CompactElements.Filter,
        _ target: Target?
    ) throws(SceneExportError) -> Int {
        let start = try append(stream.count, target) { file, hash throws(SceneExportError) in
            try file.write(stream)
            hash.add(stream.span.bytes)
        }
        let key = ViewKey(
            start: start, size: stream.count, stride: stride, target: target,
            stream: .init(count: count, element: element, mode: mode, filter: filter))
        if let known = knownViews[key] { return known }
        let place = fallbackCount
        let size = count * element
        fallbackCount += (size + 3) / 4 * 4
        let made = views.add(
            JSONObject { object in
                object.put("buffer", 1)
                object.put("byteOffset", place)
                object.put("byteLength", size)
                if let stride { object.put("byteStride", stride) }
                if let target { object.put("target", target.rawValue) }
                let compression = JSONObject { object in
                    object.put("buffer", 0)
                    object.put("byteOffset", start)
                    object.put("byteLength", stream.count)
                    object.put("byteStride", element)
                    object.put("count", count)
                    object.put("mode", mode.rawValue)
                    switch filter {
                    case .none: break
                    case .octahedral: object.put("filter", "OCTAHEDRAL")
                    case .quaternion: object.put("filter", "QUATERNION")
                    case .exponential: object.put("filter", "EXPONENTIAL")
                    }
                }
                object.put("extensions", JSONObject { $0.put("EXT_meshopt_compression", compression) })
            })
        knownViews[key] = made
        return made
    }

    /// Four joints a vertex.
    mutating func add(joints: [UInt16]) throws(SceneExportError) -> Int {
        let view = try add(bytesOf: joints, .vertices)
        return accessor(view, .unsignedShort, joints.count / 4, "VEC4")
    }

    /// In 16 bits where they go: 65,535 itself restarts a strip.
    mutating func add(
        indices: [UInt32], vertexCount: Int, _ mode: PackedPrimitive.Mode
    ) throws(SceneExportError) -> Int {
        let isShort = vertexCount <= Int(UInt16.max)
        let view: Int
        if let stream = stream(of: indices, vertexCount, mode, size: isShort ? 2 : 4) {
            view = try add(stream, count: indices.count, element: isShort ? 2 : 4, nil, .triangles, .none, .indices)
        } else if isShort {
            view = try add(bytesOf: indices.map { UInt16(truncatingIfNeeded: $0) }, .indices)
        } else {
            view = try add(bytesOf: indices, .indices)
        }
        return accessor(view, isShort ? .unsignedShort : .unsignedInt, indices.count, "SCALAR")
    }

    /// `nil` for those that are not compressed.
    private func stream(
        of indices: [UInt32], _ vertices: Int, _ mode: PackedPrimitive.Mode, size: Int
    ) -> [UInt8]? {
        guard let optimizer else { return nil }
        switch mode {
        case .lines, .lineStrip: return nil
        case .triangles:
            let stream = optimizer.stream(triangles: indices, vertices: vertices)
            return stream.count + Self.extensionSize < indices.count * size ? stream : nil
        }
    }

    private mutating func add<Value: BitwiseCopyable>(
        bytesOf values: [Value], _ target: Target?
    ) throws(SceneExportError) -> Int {
        try add(size: values.count * MemoryLayout<Value>.stride, target) { file, hash throws(SceneExportError) in
            try file.write(values)
            hash.add(values.span.bytes)
        }
    }

    /// - Parameter stride: From an element to the next, where that is said.
    private mutating func add(
        size: Int, _ target: Target?, stride: Int? = nil,
        _ write: (ExportFile, inout ByteHash) throws(SceneExportError) -> Void
    ) throws(SceneExportError) -> Int {
        let start = try append(size, target, write)
        let key = ViewKey(start: start, size: size, stride: stride, target: target)
        if let known = knownViews[key] { return known }
        let made = views.add(
            JSONObject { object in
                object.put("buffer", 0)
                object.put("byteOffset", start)
                object.put("byteLength", size)
                if let stride { object.put("byteStride", stride) }
                if let target { object.put("target", target.rawValue) }
            })
        knownViews[key] = made
        return made
    }

    /// - Returns: Where the bytes begin, be it those of equal ones.
    private mutating func append(
        _ size: Int, _ target: Target?, _ write: (ExportFile, inout ByteHash) throws(SceneExportError) -> Void
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
        let key = ByteKey(size: size, hash: hash.value, target: target)
        if let earlier = known[key], try file.areSame(earlier..<earlier + size, start..<start + size) {
            try file.cut(to: start)
            return earlier
        }
        count += size
        // Each view begins where any number may.
        let padding = (4 - count % 4) % 4
        try file.write([UInt8](repeating: 0, count: padding))
        count += padding
        if known[key] == nil { known[key] = start }
        return start
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
        if type == .webp { webPImages.insert(images.count) }
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
