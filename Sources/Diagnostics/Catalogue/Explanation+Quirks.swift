extension Explanation {
    /// What exporters write otherwise than it should be, in known ways; read as it was meant unless nothing is to be mended.
    static let quirks: [Explanation] = [
        .init(
            .quirkEntryBackslash,
            "A ZIP archive parts folders by slashes. Archivers on Windows have written back-slashes, which are taken for slashes; other programs find one file of a long name.",
            example: "textures\\wood.png",
            fix: "Pack it again with an archiver that writes slashes."),
        .init(
            .quirkManifestBackslash,
            "The path of a manifest is an address, which has slashes. The back-slashes were taken for slashes.",
            example: "<dae_root>models\\chair.dae</dae_root>",
            fix: "Write slashes."),
        .init(
            .quirkUpAxisCase,
            "The words are X_UP, Y_UP and Z_UP; other readers may take Y for what they do not know.",
            example: "<up_axis>z_up</up_axis>",
            fix: "Write it in capital letters."),
        .init(
            .quirkColorWithoutAlpha,
            "A colour of the common profile has four numbers. The alpha that is missing was taken for 1; other readers may leave the colour out.",
            example: "<diffuse><color>1 0 0</color></diffuse>",
            fix: "Add the alpha, mostly 1."),
        .init(
            .quirkSeveralIndexLists,
            "Triangles, lines and polylists have one <p> and one <vcount>. The further ones were read on from the first; other readers may draw the first alone.",
            example: "<triangles count=\"2\"> with two <p> of three indices.",
            fix: "Put all indices into one <p>."),
        .init(
            .quirkBooleanCase,
            "A truth value is true, false, 1 or 0, in small letters.",
            example: "<dynamic>TRUE</dynamic>",
            fix: "Write true or false."),
        .init(
            .quirkShapeRadius,
            "A cylinder or capsule has a radius along each of its axes. The one that is there was taken for all of them.",
            example: "<cylinder><height>2</height><radius>0.5</radius></cylinder>",
            fix: "Write the radius once for each axis."),
        .init(
            .quirkTargetHash,
            "The target of a channel is a path that begins with an id, not an address with a number sign, which was passed over.",
            example: "target=\"#Arm/rotateX.ANGLE\"",
            fix: "Leave out the #."),
        .init(
            .quirkTargetByElement,
            "A channel names what it moves by its sid. The element of that name has none; it was taken all the same.",
            example: "target=\"camera/yfov\" of a <yfov> without a sid.",
            fix: "Give the element the sid that the channel names."),
        .init(
            .quirkTargetMember,
            "A single number has no parts, and the colour of a light has no alpha; the part was passed over.",
            example: "target=\"camera/yfov.ANGLE\"",
            fix: "Leave out what follows the sid."),
        .init(
            .quirkIDHash,
            "Arrays of ids and the surfaces of effects name an id as it is. The number sign that belongs to an address was passed over; other readers find nothing.",
            example: "<IDREF_array count=\"1\">#smile</IDREF_array>",
            fix: "Leave out the #."),
        .init(
            .quirkSketchUpLinesCount,
            "Some versions of SketchUp write another count than there are lines. The indices count.",
            example: "<lines count=\"4\"> with six indices.",
            fix: "Export it by a later version, or write how many lines there are."),
        .init(
            .quirkMatrixStride,
            "An accessor without a stride has one of 1, which leaves no room for a matrix, and one of type float would take one number of sixteen. Whole matrices were taken.",
            example: "<accessor source=\"#m\" count=\"2\"><param type=\"float4x4\"/></accessor>",
            fix: "Write stride=\"16\" and type=\"float4x4\"."),
        .init(
            .quirkPositionInPrimitive,
            "Since 1.4 the positions stand in <vertices>, which a primitive names as its VERTEX. A primitive that names POSITION itself was read as 1.3 has it.",
            example: "<triangles count=\"1\"><input semantic=\"POSITION\" source=\"#p\" offset=\"0\"/>…",
            fix: "Give the mesh <vertices> with the POSITION, and the primitive a VERTEX input."),
        .init(
            .quirkTextureDirectSurface,
            "A texture names a sampler, and that a surface. The sampler was left out and its defaults were taken.",
            example: "<texture texture=\"wood-surface\" texcoord=\"UV\"/>",
            fix: "Add a <sampler2D> between the two."),
        .init(
            .quirkSamplerDirectImage,
            "In 1.4 a sampler names a surface, and that an image. The surface was left out.",
            example: "<sampler2D><source>wood-image</source></sampler2D>",
            fix: "Add a <surface> between the two."),
    ]
}
