extension Explanation {
    static let sources: [Explanation] = [
        .init(
            .arrayCountMismatch, "The count is wrong; the values that are there were taken.",
            example: "<float_array count=\"12\"> with 9 numbers.",
            fix: "Correct count, or add the values that are missing."),
        .init(
            .arrayTruncated,
            "The array has fewer values than its count says, and too few for its accessor: something cut it off.",
            example: "A float_array of count 300 that ends after 200 values.",
            fix: "Export the file anew."),
        .init(
            .accessorNoSource, "The array or source that is to be read does not exist, so there are no values.",
            example: "<accessor source=\"#positions-array\"> without such an array.",
            fix: "Correct the reference, or add the array."),
        .init(
            .accessorStrideTooSmall, "Each element takes stride values, but more are asked for.",
            example: "stride=\"2\" with the parameters X, Y and Z.",
            fix: "Set stride to the number of parameters or more."),
        .init(
            .accessorOutOfRange, "Offset, stride and count lead beyond the end of the array.",
            example: "count=\"8\" stride=\"3\" over 21 numbers.",
            fix: "Lower count, or add the values that are missing."),
        .init(
            .accessorOverflow,
            "Offset, stride and count are so large that their product is no number a machine can hold.",
            example: "count=\"9223372036854775807\"",
            fix: "Write the true count."),
        .init(
            .accessorParamType,
            "The type of a param is that of its array's values; a reader that trusts it misreads them.",
            example: "<param type=\"Name\"/> over a float_array.",
            fix: "Write float over a float_array, name over a Name_array."),
        .init(
            .accessorParamUnnamed,
            "By the letter a param without a name skips its value. Many exporters mean no such thing.",
            example: "Three <param type=\"float\"/> where X, Y and Z are meant.",
            fix: "Name every param whose value counts."),
        .init(
            .sourceEmpty,
            "There is nothing in the source that an input could read.",
            example: "An accessor of count 0 for normals.",
            fix: "Remove the source and the inputs that name it."),
        .init(
            .inputNoPosition, "Without positions nothing of the mesh can be drawn.",
            example: "<vertices> with NORMAL only.",
            fix: "Add <input semantic=\"POSITION\" source=\"#…\"/> to vertices."),
        .init(
            .inputNoVertex, "The indices lead to no vertices, so the primitives are left out.",
            example: "<triangles> with NORMAL only.",
            fix: "Add <input semantic=\"VERTEX\" source=\"#…\" offset=\"0\"/>."),
        .init(
            .inputDuplicateSemantic,
            "Two inputs have one semantic and one set, so nothing says which is meant; the first one counts.",
            example: "Two TEXCOORD inputs of set 0.",
            fix: "Give them different sets, or remove one."),
        .init(
            .inputSetMissing,
            "Materials choose texture coordinates by their set; one without is not to be chosen.",
            example: "<input semantic=\"TEXCOORD\" .../> beside one with set=\"1\".",
            fix: "Number them from 0."),
        .init(
            .inputOffsetGap,
            "Each corner has an index for every offset up to the largest; one that no input has is never read.",
            example: "Inputs of the offsets 0 and 2.",
            fix: "Let offsets follow one another, and leave out the indices."),
        .init(
            .inputOffsetTooLarge,
            "The offset says where in a corner's indices this one stands; such a number cannot be meant.",
            example: "offset=\"4000000\"",
            fix: "Number the offsets from 0 on."),
        .init(
            .inputUnknownSemantic,
            "The input is kept under its own name; no program but the one that wrote it will know what it means.",
            example: "semantic=\"POSITIONS\"",
            fix: "Correct the name where one of COLLADA's is meant."),
    ]

    static let primitives: [Explanation] = [
        .init(
            .primitiveCountMismatch, "The count is wrong; the primitives that are there were taken.",
            example: "<triangles count=\"12\"> with indices for 10.",
            fix: "Correct count."),
        .init(
            .primitiveIndexCount,
            "The number of indices does not divide by those of a corner or of a face; the rest is left out.",
            example: "Seven indices for triangles with one input.",
            fix: "Look for an index that is missing, or an offset that is wrong."),
        .init(
            .primitiveVcountMismatch, "The numbers of corners in vcount do not fit count or the indices in p.",
            example: "<vcount>4 4</vcount> with count=\"3\".",
            fix: "Write one number a polygon into vcount, and as many corners into p."),
        .init(
            .primitiveIndexOutOfBounds,
            "The index leads beyond the last value of its source, so the corner has no value. Many programs crash on it.",
            example: "Index 8 into 8 positions, which are numbered 0 to 7.",
            fix: "Look whether the source lost values, or the indices count from 1."),
        .init(
            .primitiveIndexNegative, "COLLADA has no negative indices here; the corner has no value.",
            example: "-1 for a corner without a normal.",
            fix: "Export again; where a stream has no values, leave its input out."),
        .init(
            .primitiveTooFewVertices, "A triangle or polygon needs three corners and a line two.",
            example: "A polygon of two corners.",
            fix: "Remove it in the modelling program and export again."),
        .init(
            .primitiveEmpty, "The element draws nothing. It is allowed, and harmless.",
            example: "<triangles count=\"0\"/>",
            fix: "Remove it."),
        .init(
            .triangleDegenerate, "Such faces have no area; they cost time and draw nothing.",
            example: "Corners 4 4 7",
            fix: "Merge doubled vertices and remove faces without area, then export again."),
        .init(
            .geometryUnsupportedKind, "The geometry is read and kept, but no triangles are made of it.",
            example: "<spline> or <brep>",
            fix: "Convert it to a mesh in the modelling program."),
    ]
}
