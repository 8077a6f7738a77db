import DaeCollada
import DaeDiagnostics
import DaeScene
import TestSupport
import Testing

/// What becomes of arrays where only figures are wanted: nothing may be told or counted otherwise than with all in memory.
@Suite struct StoredNumberTests {
    private static func spool(_ fileBytes: Int64 = 1 << 30) -> NumberSpool {
        var spool = NumberSpool(fileBytes: fileBytes)
        spool.memoryBytes = 1 << 20
        return spool
    }

    private static func figures(spool: NumberSpool? = nil) -> ColladaOptions {
        var options = ColladaOptions()
        options.retention = .figures
        options.spool = spool
        return options
    }

    /// Whether a document gives the same in both retentions, at several sizes of chunks.
    private func expectSame(_ text: String, _ comment: Comment, spool: NumberSpool? = nil) {
        let full = Outcome(text)
        for chunk in [1 << 16, 1 << 20, 7] where chunk > 7 || text.utf8.count < 10_000 {
            let bare = Outcome(Array(text.utf8), chunk: chunk, options: Self.figures(spool: spool))
            #expect(bare.findings == full.findings, comment)
            #expect(bare.scene.geometries.map(\.measure) == full.scene.geometries.map(\.measure), comment)
            #expect(
                // By their bits: not a number is none of itself.
                bare.scene.geometries.map { $0.positions.map(\.bitPattern) }
                    == full.scene.geometries.map { $0.positions.map(\.bitPattern) },
                comment)
            #expect(SceneBounds(of: bare.scene) == SceneBounds(of: full.scene), comment)
        }
    }

    private static let turned = "<rotate>0 0 1 30</rotate><instance_geometry url='#g'/>"

    private static let meshes: [String] = [
        // In the usual order; with a position that nothing uses; with indices that lead nowhere.
        Mesh.source() + vertices + "<triangles count='1'>\(Mesh.input)<p>0 1 3</p></triangles>",
        Mesh.source() + vertices + "<triangles count='2'>\(Mesh.input)<p>0 1 2 0 2 9 -1 0 0</p></triangles>",
        Mesh.source() + vertices + "<triangles count='1'>\(Mesh.input)<p>0 1 2 3</p></triangles>",
        Mesh.source() + vertices + "<triangles>\(Mesh.input)<p>0 1 2</p><p></p><p>1 2 3 2 2 x 1e99</p></triangles>",
        // Vertices and sources behind the primitives that need them.
        "<triangles count='1'>\(Mesh.input)<p>0 1 3 1 1 2</p></triangles>" + Mesh.source() + vertices,
        Mesh.source() + "<triangles count='1'>\(Mesh.input)<p>0 1 3</p></triangles>" + vertices,
        // Two lists of vertices: the last one counts.
        Mesh.source()
            + Mesh.source(
                "two", "5 5 5 6 6 6", count: 6, accessor: "<accessor source='#two-array' count='2' stride='3'/>")
            + vertices + "<triangles>\(Mesh.input)<p>0 1 3</p></triangles>"
            + "<vertices id='v'><input semantic='POSITION' source='#two'/></vertices>",
        // Counts that are wrong, numbers that are none, commas.
        Mesh.source("pos", "0 0 0 1 x 0 1 1 NaN 0 1 INF", count: 13) + vertices
            + "<triangles>\(Mesh.input)<p>0 1 2 1 2 3</p></triangles>",
        Mesh.source("pos", "0,5 0 0 1,5 0 0 1 1 0 0 1 0") + vertices
            + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source("pos", "0,0,0,1,0,0 1,1,0 0,1,0") + vertices + "<triangles>\(Mesh.input)<p>0,1,2</p></triangles>",
        // Layouts.
        Mesh.source(
            "pos", "9 0 1 2 8 3 4 5 8 6 7 1",
            accessor:
                "<accessor source='#pos-array' count='3' offset='1' stride='4'><param name='Z'/><param name='X'/><param name='Y'/></accessor>"
        ) + vertices + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source(
            "pos", "0 1 2 3 4 5", count: 6,
            accessor: "<accessor source='#pos-array' count='3' stride='2'><param name='X'/><param name='Y'/></accessor>"
        ) + vertices + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source(
            "pos", "0 1 2 3 4 5", count: 6,
            accessor:
                "<accessor source='#pos-array' count='4' stride='1'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
        )
            + vertices + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source(accessor: "<accessor source='#pos-array' count='9' stride='9223372036854775807'/>") + vertices
            + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source(accessor: "<accessor source='#pos-array' stride='3'/>") + vertices
            + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        Mesh.source(accessor: "") + vertices + "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
        // Other kinds, several inputs.
        Mesh.source() + vertices
            + "<polylist>\(Mesh.input)<vcount>3 0 4 1 -2 2</vcount><p>0 1 2 0 1 1 3 2 0 1</p></polylist>",
        Mesh.source() + vertices + "<polylist>\(Mesh.input)<p>0 1 2 0 1 1</p><vcount>3 3 3</vcount></polylist>",
        Mesh.source() + vertices
            + "<polylist>\(Mesh.input)<vcount/><vcount>3</vcount><vcount>4 x</vcount><p>0 1 2 0 1 1 3 2 0 1</p></polylist>",
        Mesh.source() + vertices
            + "<polylist>\(Mesh.input)<vcount>3</vcount><p>0 1 2 0 1 1</p><vcount>3</vcount></polylist>",
        Mesh.source() + vertices
            + "<polylist>\(Mesh.input)<vcount>3 2147483647 2147483647 9e99</vcount><p>0 1 1 3</p></polylist>",
        Mesh.source() + vertices
            + "<polygons>\(Mesh.input)<p>0 1 1 3</p><ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>",
        Mesh.source() + vertices
            + "<tristrips><input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#pos' offset='1'/><p>0 0 1 1 2 2 3</p><p>0 9 1 9 2 0</p></tristrips>",
        Mesh.source() + vertices
            + "<lines>\(Mesh.input)<p>0 1 2</p></lines><linestrips>\(Mesh.input)<p>0 1</p><p>2</p></linestrips>",
        Mesh.source() + vertices
            + "<triangles><input semantic='VERTEX' source='#no' offset='0'/><input semantic='TEXCOORD' source='#none' offset='1'/><input semantic='NORMAL' source='pos' offset='1'/><p>0 0 1 7 2 9</p></triangles>",
        Mesh.source(),
        "<triangles>\(Mesh.input)<p>0 1 2</p></triangles>",
    ]

    private static let vertices = Mesh.vertices

    @Test(arguments: meshes.indices)
    func figuresAreThoseOfArraysInMemory(index: Int) {
        var document = Document()
        document.body =
            "<library_geometries><geometry id='g'><mesh>\(Self.meshes[index])</mesh></geometry></library_geometries>"
        document.node = Self.turned
        expectSame(document.text, "\(Self.meshes[index])")
    }

    /// Several grids, each larger than what stays in memory, with positions that no primitive uses.
    private static func large(_ count: Int, meshes: Int) -> String {
        var random = SeededNumbers(seed: 7)
        var document = Document()
        document.body = "<library_geometries>"
        for mesh in 0..<meshes {
            var (values, indices) = ("", "")
            for _ in 0..<3 * count { values += "\(Int.random(in: -9999...9999, using: &random)).5 " }
            for _ in 0..<2 * count {
                for _ in 0..<3 { indices += "\(Int.random(in: 0..<count, using: &random)) " }
            }
            document.body +=
                "<geometry id='\(mesh == 0 ? "g" : "g\(mesh)")'><mesh>"
                + Mesh.source(
                    "pos", values, count: 3 * count,
                    accessor: "<accessor source='#pos-array' count='\(count)' stride='3'/>")
                + vertices
                + "<triangles count='\(2 * count)'>\(Mesh.input)<p>\(indices)</p></triangles></mesh></geometry>"
        }
        document.body += "</library_geometries>"
        document.node =
            turned + (1..<meshes).map { "<instance_geometry url='#g\($0)'/>" }.joined()
        return document.text
    }

    @Test func whatDoesNotFitMemoryGoesToFilesAndIsHadBack() {
        let text = Self.large(120_000, meshes: 2)
        expectSame(text, "spool", spool: Self.spool())
        expectSame(text, "memory")
        let bare = Outcome(text, options: Self.figures(spool: Self.spool()))
        #expect(bare.scene.geometries.allSatisfy { !$0.positions.isInMemory && $0.positions.count == 360_000 })
    }

    /// Names, in the order of their sources, which of them the vertices name, and an index of a normal to be added.
    private static func grid(_ sources: [String] = ["pos", "nor"], positions: String = "pos", odd: String = "")
        -> String
    {
        let count = 50_000
        var text = ""
        for (place, name) in sources.enumerated() {
            let values = (0..<3 * count).map { "\(($0 * 7919 + place) % 1000)" }.joined(separator: " ")
            text += Mesh.source(
                name, values, count: 3 * count,
                accessor: "<accessor source='#\(name)-array' count='\(count)' stride='3'/>")
        }
        text += "<vertices id='v'><input semantic='POSITION' source='#\(positions)'/></vertices>"
        let inputs = Mesh.input + "<input semantic='NORMAL' source='#nor' offset='1'/>"
        let corners = (0..<count).map { "\($0) \(count - 1 - $0)" }
        func part(_ range: Range<Int>) -> String { corners[range].joined(separator: " ") }
        text += "<triangles count='10001'>\(inputs)<p>\(part(0..<10_000))</p><p> \(part(10_000..<30_000))</p><p>"
        text += "1 1 1 1 2 2 \(odd)</p></triangles>"
        text += "<polylist count='4'>\(inputs)<vcount>3 4 0 5000</vcount><p>\(part(30_000..<35_007))</p></polylist>"
        text += "<tristrips>\(inputs)<p>\(part(35_007..<45_000))</p><p>\(part(45_000..<45_003)) 7</p></tristrips>"
        text += "<lines>\(inputs)<p>\(part(45_003..<50_000))</p></lines>"
        text += "<linestrips>\(inputs)<p>\(part(0..<5))</p></linestrips>"
        var document = Document()
        document.body =
            "<library_geometries><geometry id='g'><mesh>\(text)</mesh></geometry></library_geometries>"
        document.node = turned
        return document.text
    }

    @Test func aMeshInTheUsualOrder() {
        expectSame(Self.grid(), "usual", spool: Self.spool())
        // Indices that are left over are nothing wrong with the others.
        expectSame(Self.grid(odd: "49999"), "left over")
    }

    @Test(arguments: ["4", "3 5", "3 0 260 5"])
    func polygonsAreCountedAsTheyPass(counts: String) {
        let size = counts.split(separator: " ").compactMap { Int($0) }.reduce(0, +)
        let times = 20_000 / size
        // Every fifth corner is the one before it.
        let corners = (0..<times * size).map { String(($0 - ($0 % 5 == 4 ? 1 : 0)) % 4) }.joined(separator: " ")
        let list = Array(repeating: counts, count: times).joined(separator: " ")
        var document = Document()
        document.body =
            "<library_geometries><geometry id='g'><mesh>\(Mesh.source())\(Self.vertices)<polylist>\(Mesh.input)<vcount>\(list)</vcount><p>\(corners)</p></polylist></mesh></geometry></library_geometries>"
        document.node = Self.turned
        expectSame(document.text, "\(counts)")
    }

    @Test(arguments: ["1 50000 2 2 3 3", "1 -1 2 2 3 3", "50000 1 2 2 3 3", "1 x 2 2 3 2147483647"])
    func indicesThatLeadNowhere(odd: String) {
        expectSame(Self.grid(odd: odd), "\(odd)")
    }

    @Test(arguments: [["nor", "pos"], ["pos", "nor", "other"]])
    func positionsOfAnySource(sources: [String]) {
        expectSame(
            Self.grid(sources, positions: sources.count == 2 ? "pos" : "other"), "\(sources)")
    }

    @Test func aGeometryOfTwoMeshes() {
        let mesh = "<mesh>" + Mesh.source() + Self.vertices + "<triangles>\(Mesh.input)<p>0 1 3</p></triangles></mesh>"
        var document = Document()
        document.body =
            "<library_geometries><geometry id='g'>\(mesh)\(mesh.replacing("0 1 3", with: "0 2 2"))</geometry></library_geometries>"
        document.node = Self.turned
        expectSame(document.text, "two meshes")
    }

    @Test func whatFitsMemoryOpensNoFile() {
        // One byte in a file would be too many.
        expectSame(Self.large(1000, meshes: 4), "small", spool: Self.spool(0))
    }

    @Test func aFullDiskEndsReading() {
        let text = Self.large(240_000, meshes: 1)
        let failure = Outcome(text, options: Self.figures(spool: Self.spool(1 << 20))).failure
        #expect(failure?.code == .ioError)
        #expect(failure?.message.contains("1048576 bytes") == true)
    }
}
