import DaeCollada
import DaeDiagnostics
import Testing

@Suite struct BrepTests {
    private func geometry(_ content: String) -> Outcome {
        Document.version15.with("<library_geometries><geometry id='g'>\(content)</geometry></library_geometries>")
    }

    private func brep(_ content: String, options: ColladaOptions = ColladaOptions()) -> ColladaDocument.Brep? {
        var document = Document.version15
        document.body = "<library_geometries><geometry id='g'><brep>\(content)</brep></geometry></library_geometries>"
        guard case .brep(let brep)? = Outcome(document.text, options: options).document.geometries.first?.kind else {
            return nil
        }
        return brep
    }

    // MARK: - Splines

    private static let spline =
        Mesh.source()
        + "<source id='kinds'><Name_array id='k' count='2'>LINEAR BEZIER</Name_array><technique_common><accessor source='#k' count='2'><param name='INTERPOLATION'/></accessor></technique_common></source>"
        + "<control_vertices><input semantic='POSITION' source='#pos'/><input semantic='INTERPOLATION' source='#kinds'/></control_vertices>"

    @Test(arguments: ["true", "1", "false", ""])
    func aSplineHasItsVerticesAndEnds(closed: String) throws {
        let outcome = geometry("<spline closed='\(closed)'>\(Self.spline)</spline>")
        guard case .spline(let spline)? = outcome.document.geometries.first?.kind else {
            Issue.record("no spline")
            return
        }
        #expect(spline.ends == (["true", "1"].contains(closed) ? .closed : .open))
        #expect(spline.controlVertices.map(\.semantic) == ["POSITION", "INTERPOLATION"])
        #expect(spline.interpolations == ["LINEAR", "BEZIER"])
        guard case .reals(let values)? = spline.sources.first?.array else {
            Issue.record("no positions")
            return
        }
        #expect(values.count == 12)
        #expect(outcome.codes == [.geometryUnsupportedKind])
    }

    @Test func aSplineWithoutItsSourceIsTold() {
        let outcome = geometry("<spline>\(Self.spline.replacing("source='#kinds'", with: "source='#none'"))</spline>")
        #expect(outcome.codes == [.accessorNoSource, .geometryUnsupportedKind])
        #expect(geometry("<spline/>").codes == [.schemaMissingElement, .geometryUnsupportedKind])
    }

    // MARK: - Curves and surfaces

    private static let curves: [(String, ColladaDocument.Curve.Form)] = [
        (
            "<line><origin>1 2 3</origin><direction>0 0 1</direction></line>",
            .line(origin: [1, 2, 3], direction: [0, 0, 1])
        ),
        ("<circle><radius>2</radius></circle>", .circle(radius: 2)),
        ("<ellipse><radius>2 1</radius></ellipse>", .ellipse(radii: [2, 1])),
        ("<parabola><focal>3</focal></parabola>", .parabola(focal: 3)),
        ("<hyperbola><radius>2 1</radius></hyperbola>", .hyperbola(radii: [2, 1])), ("<helix/>", .unknown),
        ("", .unknown),
    ]

    @Test(arguments: curves.indices)
    func everyCurveIsRead(index: Int) throws {
        let (text, form) = Self.curves[index]
        let placed = "<orient>0 0 1 90</orient><orient>1 0 0 45</orient><origin>7 8 9</origin>"
        for group in ["curves", "surface_curves"] {
            let brep = try #require(self.brep("<\(group)><curve sid='c' name='C'>\(text)\(placed)</curve></\(group)>"))
            let curve = try #require((brep.curves + brep.surfaceCurves).first)
            #expect(brep.curves.count == (group == "curves" ? 1 : 0))
            #expect(curve.form == form && curve.sid == "c" && curve.name == "C")
            #expect(curve.placement.orients == [[0, 0, 1, 90], [1, 0, 0, 45]])
            #expect(curve.placement.origin == [7, 8, 9])
        }
    }

    private static let surfaces: [(String, ColladaDocument.Surface.Form)] = [
        ("<plane><equation>0 0 1 -2</equation></plane>", .plane(equation: [0, 0, 1, -2])),
        ("<sphere><radius>2</radius></sphere>", .sphere(radius: 2)),
        ("<torus><radius>5 1</radius></torus>", .torus(radii: [5, 1])),
        ("<cylinder><radius>2</radius></cylinder>", .cylinder(radius: 2)),
        ("<cone><radius>1</radius><angle>45</angle></cone>", .cone(radius: 1, angle: 45)),
    ]

    @Test(arguments: surfaces.indices)
    func everySurfaceIsRead(index: Int) throws {
        let (text, form) = Self.surfaces[index]
        let content = "<surfaces><surface sid='s'>\(text)<origin>1 0 0</origin></surface></surfaces>"
        let brep = try #require(self.brep(content))
        #expect(brep.surfaces.map(\.form) == [form])
        #expect(brep.surfaces.first?.placement.origin == [1, 0, 0])
    }

    @Test func curvesOfControlVerticesAndSweptOnesAreRead() throws {
        let vertices = Mesh.source() + "<control_vertices><input semantic='POSITION' source='#pos'/></control_vertices>"
        let circle = "<curve><circle><radius>2</radius></circle></curve>"
        let brep = try #require(
            self.brep(
                "<curves><curve><nurbs degree='3' closed='true'>\(vertices)</nurbs></curve></curves><surfaces>"
                    + "<surface><nurbs_surface degree_u='2' degree_v='1' closed_v='1'>\(vertices)</nurbs_surface></surface>"
                    + "<surface><swept_surface>\(circle)<direction>0 0 1</direction></swept_surface></surface>"
                    + "<surface><swept_surface>\(circle)<origin>1 2 3</origin><axis>0 1 0</axis></swept_surface></surface></surfaces>"
            ))
        guard case .nurbs(let curve)? = brep.curves.first?.form, case .nurbs(let surface) = brep.surfaces[0].form,
            case .swept(let extruded) = brep.surfaces[1].form, case .swept(let turned) = brep.surfaces[2].form
        else {
            Issue.record("not read: \(brep)")
            return
        }
        #expect(curve.degrees == [3] && curve.ends == [.closed] && curve.controlVertices.count == 1)
        #expect(surface.degrees == [2, 1] && surface.ends == [.open, .closed])
        #expect(extruded.curve?.form == .circle(radius: 2) && extruded.path == .extrusion(direction: [0, 0, 1]))
        #expect(turned.path == .revolution(origin: [1, 2, 3], axis: [0, 1, 0]))
    }

    // MARK: - Topology

    private static let topology =
        Mesh.source() + "<source id='c'><SIDREF_array count='1'>g/c1</SIDREF_array></source>"
        + "<vertices id='v'><input semantic='POSITION' source='#pos'/></vertices>"
        + "<edges id='e' count='2'><input semantic='CURVE' source='#c' offset='0'/><input semantic='VERTEX' source='#v' offset='1'/><input semantic='VERTEX' source='#v' offset='2'/><p>0 0 1 0 1 2</p></edges>"
        + "<wires id='w' count='1'><input semantic='EDGE' source='#e' offset='0'/><vcount>2</vcount><p>0 1</p></wires>"
        + "<solids id='s' count='9'><input semantic='SHELL' source='#none' offset='0'/><vcount>1</vcount><p>0</p></solids>"

    @Test func theTopologyIsReadLevelByLevel() throws {
        let brep = try #require(self.brep(Self.topology))
        #expect(brep.verticesID == "v" && brep.sources.count == 2)
        #expect(brep.topologies.map(\.kind) == [.edges, .wires, .solids])
        #expect(brep.topology(.edges)?.indices == [0, 0, 1, 0, 1, 2])
        #expect(brep.topology(.edges)?.elements == 2)
        #expect(brep.topology(.wires)?.partCounts == [2])
        #expect(brep.topology(.wires)?.inputs.map(\.semantic) == ["EDGE"])
        #expect(brep.topology(.shells) == nil)
        let codes = geometry("<brep>\(Self.topology)</brep>").codes
        #expect(codes == [.primitiveCountMismatch, .accessorNoSource, .geometryUnsupportedKind])
    }

    @Test func figuresKeepOnlyCounts() throws {
        var options = ColladaOptions()
        options.retention = .figures
        let brep = try #require(self.brep(Self.topology, options: options))
        #expect(brep.topology(.edges)?.elements == 2 && brep.topology(.edges)?.count == 2)
        #expect(brep.topologies.allSatisfy { $0.indices.isEmpty && $0.partCounts.isEmpty })
        #expect(brep.sources.first?.array == ColladaDocument.Source.Values.none)
    }
}
