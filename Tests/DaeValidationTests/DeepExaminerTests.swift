import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeValidation
import TestSupport
import Testing

@Suite struct DeepExaminerTests {
    // MARK: - Faces without an area

    @Test func aTriangleOfThreeCornersInARowHasNoArea() throws {
        let flat = MeshDocument.triangles([0, 0, 0, 1, 1, 1, 3, 3, 3, 0, 1, 0], [0, 1, 3, 0, 1, 2])
        #expect(
            try flat.messages(.triangleDegenerate) == [
                "1 of 2 faces of <triangles> have no area, though their corners differ; the first is face 1"
            ])
        let thin = MeshDocument.triangles([0, 0, 0, 1, 1, 1, 3, 3, 3.00001, 0, 1, 0], [0, 1, 3, 0, 1, 2])
        #expect(try thin.messages(.triangleDegenerate).isEmpty)
    }

    @Test func aRepeatedCornerIsToldOnce() throws {
        let document = MeshDocument.triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 1, 2])
        #expect(try document.messages(.triangleDegenerate).count == 1)
    }

    @Test func aSmallTriangleOfALargeMeshHasAnArea() throws {
        let document = MeshDocument.triangles(
            [0, 0, 0, 1000, 0, 0, 0, 1000, 0, 1, 1, 0, 1.001, 1, 0, 1, 1.001, 0], [0, 1, 2, 3, 4, 5])
        #expect(try document.messages(.triangleDegenerate).isEmpty)
    }

    @Test func aPolygonWithoutAnAreaIsAFaceWithoutAnArea() throws {
        let document = MeshDocument.polygon([0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], [0, 1, 2, 3])
        #expect(try document.messages(.triangleDegenerate).count == 1)
        #expect(try document.messages(.polygonConcave).isEmpty)
    }

    // MARK: - What is kept

    @Test func whatIsReadIsTheSameWithAnExaminerAndWithout() throws {
        var random = SeededNumbers(seed: 8)
        for _ in 0..<20 {
            let count = Int.random(in: 3...40, using: &random)
            let document = MeshDocument.triangles(
                (0..<3 * count).map { _ in .random(in: -9...9, using: &random) },
                (0..<60).map { _ in .random(in: -1...count, using: &random) })
            for retention in [ColladaOptions.Retention.figures, .everything] {
                let (with, without) = (
                    try document.reading(retention), try document.reading(retention, examined: false)
                )
                let (one, other) = (with.document.geometries[0], without.document.geometries[0])
                #expect(one.measure == other.measure)
                #expect(one.positions == other.positions)
                for (code, count) in without.log.counts { #expect((with.log.counts[code] ?? 0) >= count) }
            }
        }
    }

    @Test func whereOnlyFiguresAreWantedNoArrayStays() throws {
        let geometry = try MeshDocument.triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]).reading().document.geometries[
            0]
        guard case .mesh(let mesh) = geometry.kind else {
            Issue.record("no mesh")
            return
        }
        #expect(mesh.sources.isEmpty)
        #expect(mesh.primitives.allSatisfy { $0.indices.isEmpty })
        #expect(geometry.positions.count == 9 && geometry.built == nil)
    }

    @Test func sourcesAndInputsStayOnlyWhereSomethingIsToldOfThem() throws {
        let plain = MeshDocument.triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])
        var unknown = plain
        unknown.vertices = "<input semantic=\"WHAT\" source=\"#p\"/>"
        var twice = plain
        twice.primitives = twice.primitives.replacing(
            "<p>", with: "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>")
        var gap = plain
        gap.primitives = """
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="1"/><p>0 0 0 1 0 2</p></triangles>
            """
        var empty = plain
        empty.sources = """
            <source id="e"><float_array id="e-array" count="0"/><technique_common>\
            <accessor source="#e-array" count="0"><param type="float"/></accessor></technique_common></source>
            """
        for retention in [ColladaOptions.Retention.figures, .everything] {
            #expect(try plain.reading(retention).document.meshesAskedAgain.isEmpty)
            for odd in [unknown, twice, gap, empty] {
                let document = try odd.reading(retention).document
                #expect(document.meshesAskedAgain == [0])
                guard case .mesh(let mesh) = document.geometries[0].kind else {
                    Issue.record("no mesh")
                    continue
                }
                #expect(mesh.sources.contains { $0.id == "p" && $0.array == .none })
                #expect(mesh.vertices.first?.source.text == "#p")
                #expect(mesh.primitives.allSatisfy { $0.indices.isEmpty && !$0.inputs.isEmpty })
            }
        }
    }

    @Test func bothRetentionsTellTheSame() throws {
        let names = Repository.fixtureNames(in: "rules").filter { $0.hasSuffix(".dae") }
        #expect(names.count > 30)
        for name in names {
            let bytes = try Repository.fixture("rules/\(name)")
            var logs: [FindingLog] = []
            for retention in [ColladaOptions.Retention.figures, .everything] {
                var options = ColladaOptions()
                options.retention = retention
                options.examiner = { DeepExaminer() }
                guard let reading = try? ColladaParser.read(bytes, options: options) else { continue }
                logs.append(reading.log)
            }
            #expect(logs.first?.findings == logs.last?.findings, "\(name)")
        }
    }

    // MARK: - Hostile

    @Test func noNumbersMakeItTrap() throws {
        var random = SeededNumbers(seed: 9)
        let odd = ["NaN", "INF", "-INF", "1e308", "-1e308", "1e-320", "0", "x"]
        let indices = ["-2147483648", "2147483647", "-1", "0", "1", "2", "3", "4", "5"]
        func list(_ count: ClosedRange<Int>, of words: [String]) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in
                Int.random(in: 0...2, using: &random) == 0
                    ? words.randomElement(using: &random) ?? "0" : "\(Int.random(in: 0...5, using: &random))"
            }.joined(separator: " ")
        }
        let kinds = ["triangles", "polylist", "polygons", "tristrips", "trifans", "lines", "linestrips"]
        for _ in 0..<300 {
            let kind = kinds.randomElement(using: &random) ?? ""
            let offset = [0, 1, 64, 3].randomElement(using: &random) ?? 0
            let text = """
                <COLLADA version="1.4.1"><library_geometries><geometry id="g"><mesh>\
                <source id="p"><float_array id="a">\(list(0...30, of: odd))</float_array><technique_common>\
                <accessor source="#a" count="\(list(1...1, of: indices))" offset="\(list(1...1, of: indices))" \
                stride="\(list(1...1, of: indices))"><param name="Z"/><param/><param name="X"/></accessor>\
                </technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>\
                <input semantic="NORMAL" source="#p"/></vertices>\
                <\(kind) count="3"><input semantic="VERTEX" source="#v" offset="\(offset)"/>\
                <input semantic="TANGENT" source="#p" offset="0"/><vcount>\(list(0...4, of: indices))</vcount>\
                <p>\(list(0...40, of: indices))</p><ph><p>\(list(0...9, of: indices))</p>\
                <h>\(list(0...9, of: indices))</h></ph></\(kind)></mesh></geometry></library_geometries>\
                <library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>\(list(0...17, of: odd))\
                </bind_shape_matrix><source id="j"><Name_array id="n">a b c</Name_array></source><source id="m">\
                <float_array id="f">\(list(0...49, of: odd))</float_array></source><joints>\
                <input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#m"/></joints>\
                <vertex_weights count="2"><input semantic="JOINT" source="#j" offset="0"/>\
                <input semantic="WEIGHT" source="#m" offset="1"/><vcount>\(list(0...5, of: indices))</vcount>\
                <v>\(list(0...20, of: indices))</v></vertex_weights></skin></controller></library_controllers>\
                <library_animations><animation><source id="t"><float_array>\(list(0...20, of: odd))</float_array></source>\
                <source id="o"><float_array>\(list(0...40, of: odd))</float_array><technique_common>\
                <accessor count="9" stride="\(list(1...1, of: indices))"/></technique_common></source>\
                <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/></sampler>\
                <channel source="#s" target="a/rotate.ANGLE"/></animation></library_animations></COLLADA>
                """
            for retention in [ColladaOptions.Retention.figures, .everything] {
                var options = ColladaOptions()
                options.retention = retention
                options.examiner = { DeepExaminer() }
                let reading = try ColladaParser.read(Array(text.utf8), options: options)
                #expect(reading.document.geometries.count == 1)
            }
        }
    }

    @Test func anArrayThatThousandsOfSourcesShareIsNotLookedAtThousandsOfTimes() throws {
        let readers = (0..<4000).map { number in
            """
            <source id="n\(number)"><technique_common><accessor source="#p-array" count="3" stride="3"/>\
            </technique_common></source>
            """
        }
        let inputs = (0..<4000).map { "<input semantic=\"NORMAL\" source=\"#n\($0)\" offset=\"0\"/>" }.joined()
        var document = MeshDocument.triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])
        document.sources = readers.joined()
        document.primitives = """
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>\(inputs)<p>0 1 2</p></triangles>
            """
        #expect(try document.messages(.normalNonUnit).isEmpty)
        document.primitives = """
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>\
            <input semantic="NORMAL" source="#p" offset="0"/><p>0 1 2</p></triangles>
            """
        #expect(try document.messages(.normalZero).count == 1)
    }
}
