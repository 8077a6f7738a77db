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

// Elements of skins and morphs.

extension ElementFamily {
    static let controllers = ElementFamily(
        name: "controllers",
        grammar: """
            type morph_method = string enum NORMALIZED RELATIVE
            controller(id:ID name:name) = asset? (skin | morph) extra*
            skin(source!:anyURI) = bind_shape_matrix:double[16]? source{3,} joints{input:input_local{2,} extra*}
                vertex_weights(count!:unsignedLong){input:input_local_offset{2,} vcount:unsignedLong[]? v:long[]?
                extra*} extra*
            morph(method:morph_method=NORMALIZED source!:anyURI) = source{2,} targets{input:input_local{2,} extra*}
                extra*
            instance_controller(url!:anyURI sid:NCName name:name) = skeleton:anyURI* bind_material? extra*
            library_controllers(id:ID name:name) = asset? controller+ extra*
            """,
        units: [.controller],
        texts: [.bindShapeMatrix, .skeleton],
        integers: [.v])
}

// Elements of animations and clips.

extension ElementFamily {
    static let animations = ElementFamily(
        name: "animations",
        grammar: """
            type sampler_behavior'5 = string enum CONSTANT CYCLE CYCLE_RELATIVE GRADIENT OSCILLATE UNDEFINED
            animation(id:ID name:name) = asset?
                ((source+ ((sampler+ channel+ animation*) | animation+)) | (sampler+ channel+ animation*) | animation+)
                extra*
            animation_clip(id:ID name:name start:double=0.0 end:double) = asset? instance_animation:instance_with_extra+
                instance_formula*'5 extra*
            channel(source!:uri_fragment target!:token)
            sampler(id:ID pre_behavior:sampler_behavior'5 post_behavior:sampler_behavior'5) = input:input_local+
            library_animations(id:ID name:name) = asset? animation+ extra*
            library_animation_clips(id:ID name:name) = asset? animation_clip+ extra*
            """,
        units: [.animation, .animationClip])
}
