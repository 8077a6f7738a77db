// Elements of boundary representations (1.5).

extension ElementFamily {
    static let brep = ElementFamily(
        name: "brep",
        grammar: """
            edges'5(id!:ID name:token count!:int) = input:input_local_offset{4,} p? extra*
            wires'5(id!:ID name:token count!:unsignedLong) = input:input_local_offset{2,} vcount:unsignedLong[] p?
                extra*
            faces'5(id!:ID name:token count!:unsignedLong) = input:input_local_offset{3,} vcount:unsignedLong[] p?
                extra*
            shells'5(id!:ID name:token count!:unsignedLong) = input:input_local_offset{2,} vcount:unsignedLong[] p?
                extra*
            solids'5(id!:ID name:token count!:unsignedLong) = input:input_local_offset{2,} vcount:unsignedLong[] p?
                extra*
            line'5 = origin:double[3] direction:double[3] extra*
            circle'5 = radius:double extra*
            ellipse'5 = radius:double[2] extra*
            parabola'5 = focal:double extra*
            hyperbola'5 = radius:double[2] extra*
            torus'5 = radius:double[2] extra*
            pcurves'5(id!:ID name:token count!:unsignedLong) = input:input_local_offset{3,} vcount:unsignedLong[] p?
                extra*
            nurbs_surface'5(degree_u!:unsignedLong closed_u:boolean=false degree_v!:unsignedLong closed_v:boolean=false)
                = source+ control_vertices{input:input_local+ extra*} extra*
            nurbs'5(degree!:unsignedLong closed:boolean=false) = source+ control_vertices{input:input_local+ extra*}
                extra*
            origin'5 : double[3]
            orient'5 : double[4]
            curve'5(sid:NCName name:token) = (line | circle | ellipse | parabola | hyperbola | nurbs) orient* origin?
            surface_curves'5 = curve+ extra*
            curves'5 = curve+ extra*
            swept_surface'5 = curve (direction:double[3] | (origin:double[3] axis:double[3])) extra*
            cone'5 = radius:double angle:float extra*
            surface'5(sid:NCName name:token) =
                (plane | sphere | torus | swept_surface | nurbs_surface | cone | cylinder{radius:double extra*}) orient*
                origin?
            surfaces'5 = surface+ extra*
            brep'5 = curves? surface_curves? surfaces? source+ vertices edges? wires? faces? pcurves? shells? solids?
                extra*
            """,
        texts: [.angle, .direction, .focal, .orient, .origin])
}
