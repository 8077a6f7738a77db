extension Explanation {
    static let markup: [Explanation] = [
        .init(
            .xmlNotWellFormed, "The text breaks the rules of XML, so reading ends at this place.",
            example: "<mesh><source></mesh>",
            fix: "Mend the document at this line, or export it again; a file that ends too early was not copied whole."),
        .init(
            .xmlRecovered,
            "The text breaks a rule of XML's namespaces, but what is meant is clear and reading went on.",
            example: "<max:ambient> where no element declares xmlns:max.",
            fix: "Declare the prefix, or remove what bears it."),
        .init(
            .xmlDoctypeForbidden,
            "Entities can blow a document up or read files of the machine, so a document that declares them is refused.",
            example: "<!DOCTYPE COLLADA [<!ENTITY a \"aaaa\">]>",
            fix: "Remove the declaration and write the entities' text in their places."),
        .init(
            .xmlDoctypeIgnored, "The declaration was neither loaded nor used.",
            example: "<!DOCTYPE COLLADA SYSTEM \"collada.dtd\">",
            fix: "Remove the line; COLLADA needs none."),
        .init(
            .xmlEncodingMismatch,
            "Some bytes are not valid in the encoding that the document declares. Letters in names may be wrong, so references may fail.",
            example: "encoding=\"utf-8\" above text in Windows-1252.",
            fix: "Save the document as UTF-8, or declare the encoding it really has."),
        .init(
            .xmlEncodingUnsupported, "The document declares an encoding that nobody here can read.",
            example: "encoding=\"x-klingon\"",
            fix: "Save the document as UTF-8."),
        .init(
            .xmlDepthExceeded, "Elements stand in one another deeper than the budget; no real model needs that.",
            example: "Ten thousand nodes, each in the one before.",
            fix: "Flatten the hierarchy, or raise the budget."),
        .init(
            .xmlSizeExceeded,
            "A single tag, comment, text or list of attributes is larger than the budget, or all elements are more.",
            example: "A comment of 100 MB.",
            fix: "Shorten it, or raise the budget if the source is trusted."),
        .init(
            .docNotCollada, "The outermost element is not COLLADA.",
            example: "<svg xmlns=\"http://www.w3.org/2000/svg\">",
            fix: "Name the document that is meant; other formats must be exported as COLLADA first."),
        .init(
            .docNamespaceUnexpected,
            "The outermost element has no namespace or a foreign one. It is read as if it were COLLADA's.",
            example: "<COLLADA version=\"1.4.1\"> without xmlns.",
            fix: "Add xmlns=\"http://www.collada.org/2005/11/COLLADASchema\", or 2008/03 for 1.5."),
        .init(
            .docVersionUnsupported, "Known are 1.4.0, 1.4.1 and 1.5.0; another version is read as far as it is alike.",
            example: "version=\"1.3.1\"",
            fix: "Export again as 1.4.1."),
        .init(
            .docVersionNamespaceMismatch,
            "The version says one edition of COLLADA and the namespace another. Programs that look at only one of them disagree.",
            example: "version=\"1.5.0\" with the namespace of 2005/11.",
            fix: "Correct the one that is wrong."),
        .init(
            .docEmpty, "The document holds no node, geometry or material that could be shown.",
            example: "A document with an asset and nothing else.",
            fix: "Export again, and select what is to be exported."),
        .init(
            .schemaMissingElement, "Without this element the part around it has no meaning and is left out.",
            example: "<mesh> without <vertices>.",
            fix: "Add the element, or remove the part."),
        .init(
            .schemaMissingAttribute, "Without this attribute the element has no meaning.",
            example: "<input semantic=\"VERTEX\"/> without source.",
            fix: "Add the attribute."),
        .init(
            .schemaInvalidEnum, "Only certain words are allowed here; another one is read as the usual value.",
            example: "<up_axis>z</up_axis>",
            fix: "Use one of the words in the message, spelled exactly so."),
        .init(
            .schemaInvalidNumber, "A number is expected and something else stands there; reading the list ends at it.",
            example: "0.5 abc 1.0",
            fix: "Write the number with a point, without a unit."),
        .init(
            .schemaListLength, "A value of this kind has a fixed number of parts.",
            example: "<matrix> with 12 numbers instead of 16.",
            fix: "Write exactly as many numbers as the message says."),
        .init(
            .numberDecimalComma,
            "A comma stands where a decimal point belongs, as programs write under some languages. It was read as a point.",
            example: "<unit meter=\"0,01\"/>",
            fix: "Write a point; export with the language set to English where the program has no other way."),
        .init(
            .numberNonFinite,
            "A position, normal or other value is not a number, or infinite. What uses it cannot be drawn.",
            example: "1.0 NaN 0.5",
            fix: "Look for degenerate faces or zero scales in the model and export again."),
    ]
}

extension Explanation {
    /// What only a check against the schema tells.
    static let schema: [Explanation] = [
        .init(
            .schemaUnexpectedElement,
            "The schema has no such element in this place, so programs pass over it, or refuse the document.",
            example: "<node> directly within <mesh>, or a second <unit>.",
            fix: "Use one of the elements in the message, or move what is a program's own under <extra>."),
        .init(
            .schemaUnexpectedText, "Text between elements means nothing; mostly a tag was lost or spoilt.",
            example: "<mesh>abc<source id=\"a\"/></mesh>",
            fix: "Remove the text, or put it into the element that it belongs to."),
        .init(
            .schemaElementOrder,
            "The elements are all allowed, but not in this order. Most programs read them all the same; those that go by the schema do not.",
            example: "<up_axis> before <created>.",
            fix: "Move the element to its place in the schema's order."),
        .init(
            .schemaUnknownAttribute, "The schema has no such attribute, so programs pass over it.",
            example: "<node id=\"a\" visible=\"true\">",
            fix: "Remove the attribute, or write what it says under <extra>."),
        .init(
            .schemaInvalidID,
            "An id, or another name, begins with a letter or _ and has letters, digits, '.', '-' and '_' only; an id stands once in a document. Programs that hold to that cannot find what has another name.",
            example: "id=\"Left Arm\"",
            fix: "Rename it, in every reference too."),
        .init(
            .schemaInvalidDate, "A date that is written otherwise is read by no program as a date.",
            example: "<created>21.11.2026</created>",
            fix: "Write it as 2026-11-21T09:00:00Z."),
        .init(
            .schemaInvalidValue, "The text is not of the form that the schema asks for.",
            example: "<double_sided>yes</double_sided> where true or false is expected.",
            fix: "Write what the message says is expected."),
        .init(
            .schemaEmptyLibrary,
            "A library holds one element at least. An empty one does no harm but to strict readers.",
            example: "<library_images/>",
            fix: "Remove it."),
        .init(
            .schemaExtraUnknownProfile,
            "What stands in the technique is a program's own and means nothing here. It is kept as it stands.",
            example: "<technique profile=\"MYTOOL\">",
            fix: "Nothing, or see that what matters is written in the common profile too."),
        .init(
            .schemaXSD, "The schema that was named does not allow this; the words are those of libxml2.",
            example: "--xsd collada_schema_1_4_1.xsd with a <mesh> without <vertices>.",
            fix: "Mend what the message names."),
    ]
}

// What needs the numbers of a mesh, a skin or an animation to be known.

extension Explanation {
    static let polygons: [Explanation] = [
        .init(
            .polygonConcave,
            "A corner lies inside the shape that a rubber band around the polygon has. A fan of triangles from the first corner would cover what is outside.",
            example: "An L of six corners.",
            fix: "Triangulate on export, or use a reader that cuts concave polygons."),
        .init(
            .polygonNonPlanar,
            "The corners lie further apart across the best plane than 1/10000 of the polygon's size, so it depends on the reader how it is cut.",
            example: "A square with one corner lifted.",
            fix: "Triangulate on export."),
        .init(
            .polygonSelfIntersecting, "Two sides cross, so it is not defined what is inside.",
            example: "Corners in the order 0 2 1 3.",
            fix: "Put the corners into order, or cut the polygon where it crosses."),
        .init(
            .polygonHoles, "Few readers know <ph>; others leave out the polygon, or fill its holes.",
            example: "<ph><p>0 1 2 3</p><h>4 5 6 7</h></ph>",
            fix: "Triangulate on export if the file is for many readers."),
        .init(
            .polygonHoleInvalid,
            "A hole lies outside its polygon, crosses a side, overlaps another hole, has no area, or leaves none over.",
            example: "A hole that is larger than its polygon.",
            fix: "Correct the hole, or remove it."),
    ]

    static let vertices: [Explanation] = [
        .init(
            .normalNonUnit, "A normal is a direction of length 1; others make light too strong or too weak.",
            example: "0 0 2",
            fix: "Normalize the normals."),
        .init(
            .normalZero, "A normal without a length has no direction, and the corner no light.",
            example: "0 0 0",
            fix: "Have the normals computed anew."),
        .init(
            .tangentWithoutNormal, "A tangent says how a normal map lies around the normal, which is missing.",
            example: "<triangles> with TEXTANGENT and no NORMAL.",
            fix: "Export normals too, or leave the tangents out."),
        .init(
            .meshBoundsDegenerate, "All positions that are used lie on one line or point, so no face can be seen.",
            example: "Three corners at 0 0 0.",
            fix: "Look for a scale of 0, or numbers that were lost."),
        .init(
            .meshVerticesUnused, "Positions that no primitive uses take room; some readers count them into the size.",
            example: "Eight positions for a face of four corners.",
            fix: "Remove loose vertices and export again."),
        .init(
            .meshColorsBlack,
            "Engines multiply vertex colours with the material, which then is black. Programs that pass them over show it.",
            example: "A COLOR input whose numbers are all 0.",
            fix: "Leave the colours out, or write 1 where nothing was painted."),
        .init(
            .meshColorsRange,
            "The numbers of a colour lie between 0 and 1; mostly these are bytes from 0 to 255. Engines cut them off or shine.",
            example: "255 128 0",
            fix: "Divide the numbers by 255."),
        .init(
            .perfUnindexed, "Each corner has a position of its own, though many lie at one place.",
            example: "36 positions for the 12 triangles of a cube.",
            fix: "Merge vertices by distance, and export again."),
        .init(
            .perfDuplicateGeometry, "Two geometries hold the same numbers; one would do, instanced twice.",
            example: "A <geometry> for each of four wheels.",
            fix: "Instance one geometry from all nodes."),
    ]

    static let curves: [Explanation] = [
        .init(
            .animationFullTurn,
            "A step of 360 degrees or more is lost where rotations become quaternions, which know no whole turns.",
            example: "Keys 0 and 360 for rotateY.ANGLE.",
            fix: "Set keys in between, less than half a turn apart."),
        .init(
            .perfConstantChannel, "The curve moves nothing; one key says the same.",
            example: "24 times the same matrix.",
            fix: "Leave out curves that do not move, or keep one key."),
        .init(
            .perfOversampled, "Half of the keys and more lie on straight lines between the others.",
            example: "A key for each frame of a steady motion.",
            fix: "Remove the keys that say nothing, or export without sampling."),
    ]

    static let skinData: [Explanation] = [
        .init(
            .skinBindShapeNonInvertible, "The matrix flattens the mesh to a plane, a line or a point.",
            example: "A bind_shape_matrix with a row of zeros.",
            fix: "Write the matrix that moves the mesh to where it was bound."),
        .init(
            .skinMatrixNonAffine, "The last row of such a matrix is 0 0 0 1; it is read so whatever it says.",
            example: "A matrix written column by column: 1 0 0 0 0 1 0 0 0 0 1 0 2 3 4 1",
            fix: "Write the matrix row by row."),
        .init(
            .skinVertexUnweighted, "A vertex that no joint moves stays behind when the others go.",
            example: "<vcount>2 0 1</vcount>",
            fix: "Give each vertex a weight."),
        .init(
            .skinJointRepeated, "The joint's weights are added up; engines with four slots a vertex lose some.",
            example: "Joint 3 twice for one vertex.",
            fix: "Add up the weights of a joint on export."),
    ]
}

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
