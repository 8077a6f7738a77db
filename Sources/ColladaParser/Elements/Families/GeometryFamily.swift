// Elements of geometries.

extension ElementFamily {
    static let geometry = ElementFamily(
        name: "geometry",
        grammar: """
            geometry(id:ID name:name) = asset? (convex_mesh | mesh | spline | brep'5) extra*
            mesh = source+ vertices (lines | linestrips | polygons | polylist | triangles | trifans | tristrips)* extra*
            spline(closed:boolean=false) = source+ control_vertices{input:input_local+ extra*} extra*
            p : unsignedLong[]
            lines(name:name count!:unsignedLong material:NCName) = input:input_local_offset* p? extra*
            linestrips(name:name count!:unsignedLong material:NCName) = input:input_local_offset* p* extra*
            polygons(name:name count!:unsignedLong material:NCName) = input:input_local_offset*
                (p | ph{p h:unsignedLong[]+})* extra*
            polylist(name:name count!:unsignedLong material:NCName) = input:input_local_offset* vcount:unsignedLong[]?
                p? extra*
            triangles(name:name count!:unsignedLong material:NCName) = input:input_local_offset* p? extra*
            trifans(name:name count!:unsignedLong material:NCName) = input:input_local_offset* p* extra*
            tristrips(name:name count!:unsignedLong material:NCName) = input:input_local_offset* p* extra*
            vertices(id!:ID name:name) = input:input_local+ extra*
            instance_geometry(url!:anyURI sid:NCName name:name) = bind_material? extra*
            library_geometries(id:ID name:name) = asset? geometry+ extra*
            convex_mesh(convex_hull_of:anyURI) =
                (source+ vertices (lines | linestrips | polygons | polylist | triangles | trifans | tristrips)* extra*)?
            """,
        units: [.geometry],
        integers: [.p, .h, .vcount])
}
