import DaeCollada
import DaeDiagnostics
import DaeScene

/// A small document of parts written by the test.
struct Document {
    var version = "1.4.1"
    var namespace = " xmlns='http://www.collada.org/2005/11/COLLADASchema'"
    var asset = "<asset><unit name='meter' meter='1'/><up_axis>Z_UP</up_axis></asset>"
    /// Libraries.
    var body = ""
    /// What stands within the one node of the one visual scene; `nil` for no scene at all.
    var node: String? = ""

    var text: String {
        let scene =
            node.map {
                "<library_visual_scenes><visual_scene id='vs'><node id='n'>\($0)</node></visual_scene></library_visual_scenes>"
                    + "<scene><instance_visual_scene url='#vs'/></scene>"
            } ?? ""
        return "<?xml version='1.0'?>\n<COLLADA\(namespace) version='\(version)'>\(asset)\n\(body)\n\(scene)</COLLADA>"
    }

    static let version15 = Document(
        version: "1.5.0", namespace: " xmlns='http://www.collada.org/2008/03/COLLADASchema'")

    func with(_ body: String, node: String? = "") -> Outcome {
        var copy = self
        copy.body = body
        copy.node = node
        return Outcome(copy.text)
    }
}

/// What became of one document.
struct Outcome {
    var document = ColladaDocument()
    var scene = Scene()
    /// Of reading, then of the scene.
    var findings: [Finding] = []
    var failure: CodedFailure?

    init(_ text: String, options: ColladaOptions = ColladaOptions()) { self.init(Array(text.utf8), options: options) }

    init(_ bytes: [UInt8], chunk: Int = 1 << 16, options: ColladaOptions = ColladaOptions()) {
        var pieces = Pieces()
        do throws(CodedFailure) {
            let parser = ColladaParser(options: options)
            var start = 0
            while start < bytes.count {
                try pieces.read(bytes[start..<min(bytes.count, start + chunk)], by: parser)
                start += chunk
            }
            let reading = try parser.finish()
            document = reading.document
            findings = reading.log.findings
            let built = try reading.document.scene(options: options)
            scene = built.scene
            findings += built.log.findings
        } catch { failure = error }
    }

    var codes: [FindingCode] { findings.map(\.code) }
    func first(_ code: FindingCode) -> Finding? { findings.first { $0.code == code } }
    var measure: MeshMeasure? { document.geometries.first?.measure }
}

/// Bytes that are there until they were read, and no longer.
struct Pieces {
    mutating func read(_ bytes: ArraySlice<UInt8>, by parser: ColladaParser) throws(CodedFailure) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer {
            piece.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "7"))
            piece.deallocate()
        }
        piece.copyBytes(from: bytes)
        try parser.read(UnsafeRawBufferPointer(piece))
    }
}

/// A mesh with four positions and one primitive element.
enum Mesh {
    static func source(
        _ id: String = "pos", _ values: String = "0 0 0 1 0 0 1 1 0 0 1 0", count: Int = 12,
        accessor: String =
            "<accessor source='#pos-array' count='4' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
    ) -> String {
        "<source id='\(id)'><float_array id='\(id)-array' count='\(count)'>\(values)</float_array>"
            + "<technique_common>\(accessor)</technique_common></source>"
    }

    static let vertices = "<vertices id='v'><input semantic='POSITION' source='#pos'/></vertices>"
    static let input = "<input semantic='VERTEX' source='#v' offset='0'/>"

    static func geometry(_ primitives: String, source: String = source(), vertices: String = vertices) -> String {
        "<library_geometries><geometry id='g'><mesh>\(source)\(vertices)\(primitives)</mesh></geometry></library_geometries>"
    }

    static let instance = "<instance_geometry url='#g'/>"
}
