import DaeDiagnostics
import DaeMesh

/// Wavefront OBJ: an object for each mesh that is shown, equal places within it once, and beside it a `.mtl` with its
/// materials.
///
/// - Source: Wavefront, "Advanced Visualizer Manual", appendix B1; colours behind places as MeshLab writes them.
struct OBJFormat: BakedSceneWriter {
    let materials = BakedMaterials.kept

    func files(of path: String) -> [String] { [path, Self.materialPath(of: path)] }

    /// `a/b.obj` has `a/b.mtl`.
    private static func materialPath(of path: String) -> String {
        let ending = ".obj"
        return (path.lowercased().hasSuffix(ending) ? String(path.dropLast(ending.count)) : path) + ".mtl"
    }

    func write(
        _ scene: BakedScene, to target: ExportTarget, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let (triangles, lines) = (try scene.count(of: .triangles), try scene.count(of: .lines))
        guard triangles > 0 || lines > 0 else {
            throw SceneExportError(
                .convertNothingDrawable, "the scene has no triangle or line to draw; expected one at least")
        }
        let path = target.path
        var materials = OBJMaterials(scene, images, beside: path, Self.materialPath(of: path))
        let names = try materials.write(&report)
        for mesh in scene.drawing.meshes {
            let count = mesh.parts.count { $0.texcoords.count > 1 || $0.colors.count > 1 }
            report.add(.dropped, .attributes, count: count, at: mesh.name)
        }
        try scene.options.checkLosses(report)

        var text = OBJText(try ExportFile(for: target), scene.budget)
        try text.put("# \(scene.options.generator)\n")
        if let name = materials.fileName { try text.put("mtllib \(name)\n") }
        for instance in scene.drawing.instances.indices {
            try write(instance, of: scene, names, &text)
        }
        let others = try materials.finish()
        try text.finish()
        try text.file.deliver(to: target, with: others)
        report.contents.bytes = text.count + materials.bytes
        report.contents.meshes = scene.drawing.instances.count
        report.contents.primitives = scene.drawing.instances.reduce(0) {
            $0 + scene.drawing.meshes[$1.mesh].parts.count
        }
        report.contents.materials = materials.count
        report.contents.images = materials.imageCount
    }

    /// - Parameter names: What each surface of the drawing is called, and behind them what has none.
    private func write(
        _ instance: Int, of scene: BakedScene, _ names: [String], _ text: inout OBJText
    ) throws(SceneExportError) {
        let drawn = scene.drawing.instances[instance]
        let parts = scene.drawing.meshes[drawn.mesh].parts
        let name = scene.name(of: instance) ?? scene.drawing.meshes[drawn.mesh].name ?? "object-\(instance + 1)"
        try text.put("o \(OBJName.word(name))\n")
        // A viewer takes all places or none for coloured.
        text.begin(isColored: parts.contains { !$0.colors.isEmpty })
        for part in parts.indices {
            let surface = drawn.surfaces[part]
            if names.count > 1 { try text.put("usemtl \(names[surface ?? names.count - 1])\n") }
            let set = surface.flatMap { scene.drawing.surfaces[$0].baseMap?.set } ?? 0
            try text.put(try scene.part(part, of: instance), texcoords: set)
        }
        text.end()
    }
}

/// The lines of a file.
private struct OBJText {
    let file: ExportFile
    private(set) var count = 0
    private let budget: ConversionBudget
    private var line: [UInt8] = []
    /// What an object has so far: equal ones are there once.
    private var places = RecordMerger(width: 3)
    private var texcoords = RecordMerger(width: 2)
    private var normals = RecordMerger(width: 3)
    private var isColored = false
    /// Of all objects before, from 1.
    private var first = (place: 1, texcoord: 1, normal: 1)

    private static let blockSize = 1 << 16

    init(_ file: ExportFile, _ budget: ConversionBudget) {
        self.file = file
        self.budget = budget
    }

    mutating func put(_ text: String) throws(SceneExportError) {
        line += text.utf8
        if line.count >= Self.blockSize { try flush() }
    }

    mutating func finish() throws(SceneExportError) { try flush() }

    private mutating func flush() throws(SceneExportError) {
        try budget.write(line.count)
        try file.write(line)
        count += line.count
        line.removeAll(keepingCapacity: true)
    }

    // MARK: - Objects

    mutating func begin(isColored: Bool) {
        self.isColored = isColored
        places = RecordMerger(width: isColored ? 6 : 3)
        texcoords = RecordMerger(width: 2)
        normals = RecordMerger(width: 3)
    }

    mutating func end() {
        first.place += places.count
        first.texcoord += texcoords.count
        first.normal += normals.count
    }

    /// - Parameter set: Of the texture coordinates, the one that is written.
    mutating func put(_ part: DrawnPart, texcoords set: Int) throws(SceneExportError) {
        var place: [UInt32] = []
        var (known, width) = (places.count, places.width)
        places.merge(words(of: part), into: &place)
        try put("v", places.words[(known * width)...], width)
        var texcoord: [UInt32] = []
        if part.texcoords.indices.contains(set) {
            (known, width) = (texcoords.count, 2)
            texcoords.merge(part.texcoords[set].map(Self.word), into: &texcoord)
            try put("vt", texcoords.words[(known * width)...], width)
        }
        var normal: [UInt32] = []
        if !part.normals.isEmpty, part.topology == .triangles {
            (known, width) = (normals.count, 3)
            normals.merge(part.normals.map(Self.word), into: &normal)
            try put("vn", normals.words[(known * width)...], width)
        }
        let (letter, corners) = part.topology == .triangles ? ("f", 3) : ("l", 2)
        for start in stride(from: 0, to: part.indices.count - corners + 1, by: corners) {
            line += letter.utf8
            for vertex in part.indices[start..<start + corners] {
                let vertex = Int(vertex)
                line.append(UInt8(ascii: " "))
                put(first.place + Int(place[vertex]))
                if !texcoord.isEmpty || !normal.isEmpty { line.append(UInt8(ascii: "/")) }
                if !texcoord.isEmpty { put(first.texcoord + Int(texcoord[vertex])) }
                guard !normal.isEmpty else { continue }
                line.append(UInt8(ascii: "/"))
                put(first.normal + Int(normal[vertex]))
            }
            try put("\n")
        }
    }

    private func words(of part: DrawnPart) -> [UInt32] {
        guard isColored else { return part.positions.map(Self.word) }
        var words: [UInt32] = []
        words.reserveCapacity(part.vertexCount * 6)
        for vertex in 0..<part.vertexCount {
            for lane in 0..<3 { words.append(Self.word(part.positions[3 * vertex + lane])) }
            for lane in 0..<3 { words.append(Self.word(part.colors.first?[4 * vertex + lane] ?? 1)) }
        }
        return words
    }

    /// There is one zero, and what is no number is it: the format has no word for that.
    private static func word(_ number: Float) -> UInt32 { number.isFinite ? (number + 0).bitPattern : 0 }

    private mutating func put(
        _ letters: String, _ words: ArraySlice<UInt32>, _ width: Int
    ) throws(SceneExportError) {
        for start in stride(from: words.startIndex, to: words.endIndex, by: width) {
            line += letters.utf8
            for word in words[start..<start + width] {
                line.append(UInt8(ascii: " "))
                let number = Float(bitPattern: word)
                if let whole = Int32(exactly: number) { put(Int(whole)) } else { line += number.description.utf8 }
            }
            try put("\n")
        }
    }

    private mutating func put(_ number: Int) { line += String(number).utf8 }
}
