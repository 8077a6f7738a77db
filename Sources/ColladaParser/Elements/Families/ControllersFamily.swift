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
