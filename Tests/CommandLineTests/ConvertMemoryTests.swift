import TestSupport
import Testing

/// Arrays lie out of memory until they are written: a conversion takes little more memory than its largest mesh.
@Suite struct ConvertMemoryTests {
    /// Runs what it is given and says the peak of its memory, in KiB.
    private static let measured = """
        import resource, subprocess, sys
        subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """
    private static let meshes = 40
    /// Points of a grid along each side.
    private static let side = 120

    /// Grids that differ, each with normals of its own, and a node for each.
    private func document(meshes: Int) -> String {
        var geometries = ""
        var nodes = ""
        for mesh in 0..<meshes {
            var positions: [String] = []
            var normals: [String] = []
            var indices: [String] = []
            for place in 0..<Self.side * Self.side {
                let (column, row) = (place % Self.side, place / Self.side)
                positions.append("\(Double(column) / 7) \(Double(row) / 7) \(Double((place * 31 + mesh) % 97) / 13)")
                normals.append("0.\(place % 89) 0.\((place + mesh) % 83) 1")
                guard column > 0, row > 0 else { continue }
                let (left, below) = (place - 1, place - Self.side)
                for corner in [below - 1, below, place, below - 1, place, left] {
                    indices.append("\(corner) \(corner)")
                }
            }
            let id = "g\(mesh)"
            geometries += """
                <geometry id="\(id)"><mesh>\(source("\(id)-p", positions))\(source("\(id)-n", normals))
                <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices>
                <triangles count="\(indices.count / 3)"><input semantic="VERTEX" source="#\(id)-v" offset="0"/>
                <input semantic="NORMAL" source="#\(id)-n" offset="1"/><p>\(indices.joined(separator: " "))</p>
                </triangles></mesh></geometry>

                """
            nodes += "<node id=\"n\(mesh)\"><instance_geometry url=\"#\(id)\"/></node>\n"
        }
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
            <library_geometries>\(geometries)</library_geometries>
            <library_visual_scenes><visual_scene id="w">\(nodes)</visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#w"/></scene></COLLADA>
            """
    }

    private func source(_ id: String, _ points: [String]) -> String {
        """
        <source id="\(id)"><float_array id="\(id)-a" count="\(3 * points.count)">\(points.joined(separator: " "))
        </float_array><technique_common><accessor source="#\(id)-a" count="\(points.count)" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
        </technique_common></source>
        """
    }

    private func peak(meshes: Int, in folder: TemporaryFolder) throws -> (peak: Int, output: Int) {
        let path = try folder.write(document(meshes: meshes), to: "\(meshes).dae")
        let output = folder.path + "/\(meshes).glb"
        let outcome = try Program.run(
            ["-c", Self.measured, Program.path, "convert", "-q", path, "-o", output], program: "python3")
        let peak = try #require(Int(outcome.text.filter(\.isNumber)), "\(outcome.errors)")
        return (peak << 10, try Repository.bytes(at: output).count)
    }

    @Test(.enabled(if: Program.isInstalled("python3"), "python3 is not installed"))
    func moreMeshesTakeFarLessMemoryThanTheyHaveNumbers() throws {
        let folder = try TemporaryFolder()
        let (one, many) = (try peak(meshes: 1, in: folder), try peak(meshes: Self.meshes, in: folder))
        #expect(many.output > 18 << 20, "the file has \(many.output) bytes")
        // The numbers of one mesh are in memory in either case; those of all have twice the bytes of the file.
        #expect(many.peak - one.peak < many.output / 4, "from \(one.peak) to \(many.peak) bytes")
    }
}
