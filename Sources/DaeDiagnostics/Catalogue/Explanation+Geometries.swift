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

extension Explanation {
    static let skins: [Explanation] = [
        .init(
            .skinSourceUnresolved,
            "The mesh or controller that the skin is for does not exist, so nothing of it is shown.",
            example: "<skin source=\"#Body\"> without a geometry Body.",
            fix: "Correct the source, or add the geometry."),
        .init(
            .skinVertexCountMismatch,
            "Each vertex of the mesh needs its influences; the others would stay where they are.",
            example: "vertex_weights count=\"70\" over 72 positions.",
            fix: "Bind the skin anew after the last change to the mesh."),
        .init(
            .skinVcountMismatch, "The number of entries in vcount is not what count says.",
            example: "count=\"4\" with <vcount>2 2 2</vcount>.",
            fix: "Write one number a vertex."),
        .init(
            .skinVCount, "The sum of vcount, times the inputs, must be the number of indices in v.",
            example: "<vcount>2 2</vcount> with six indices.",
            fix: "Export again; influences without indices are left out."),
        .init(
            .skinJointIndexOutOfBounds,
            "The index is larger than the list of joints; the influence is left out. -1 is allowed and means the bind shape.",
            example: "Joint 20 of 20, which are numbered 0 to 19.",
            fix: "Bind the skin anew and export again."),
        .init(
            .skinWeightIndexOutOfBounds, "The index is larger than the list of weights; the influence is left out.",
            example: "Weight 300 of 256.",
            fix: "Bind the skin anew and export again."),
        .init(
            .skinWeightsNotNormalized, "The vertex would move too far or not far enough, by how far the sum is from 1.",
            example: "0.5 and 0.3",
            fix: "Normalize the weights in the modelling program."),
        .init(
            .skinWeightsNegative, "A negative weight pushes the vertex away from where the joint goes.",
            example: "-0.2 and 1.2",
            fix: "Clamp the weights to 0 and normalize them."),
        .init(
            .skinTooManyInfluences, "Most engines keep four influences a vertex and drop the weakest others.",
            example: "Nine joints that move one vertex.",
            fix: "Limit the influences to four when exporting."),
        .init(
            .skinJointUnresolved, "No node below the skeleton has this sid or id, so the joint does not move the skin.",
            example: "Joint Spine.001 where the node's sid is Spine_001.",
            fix: "Make the names in the joint list equal to the nodes' sids."),
        .init(
            .skinNoSkeletonRoot,
            "Without <skeleton> the joints are looked for in the whole scene, which may find others of the same name.",
            example: "<instance_controller> without <skeleton>.",
            fix: "Add <skeleton>#root</skeleton>."),
        .init(
            .skinInverseBindCount, "Each joint needs the matrix that undoes its place when it was bound.",
            example: "20 joints and 19 matrices.",
            fix: "Export again; the joints without a matrix get the identity."),
        .init(
            .skinInverseBindNonInvertible, "The matrix squeezes the skin flat, mostly since a bone was scaled to zero.",
            example: "A row of zeros.",
            fix: "Give the bone a size and bind anew."),
        .init(
            .skinBindShapeMissing,
            "bind_shape_matrix says where the mesh stood when it was bound. Without it, it stays as it is.",
            example: "<skin> without <bind_shape_matrix>.",
            fix: "Nothing needs to be done if the mesh stands right."),
        .init(
            .skinJointNameSpaces, "Names are parted by spaces, so one name with a space reads as two.",
            example: "<Name_array count=\"1\">Left Arm</Name_array>",
            fix: "Rename the bones without spaces."),
        .init(
            .skinNotInstanced,
            "The skin is read, and neither a node nor another controller uses it.",
            example: "A <controller> without an <instance_controller>.",
            fix: "Instance it, or leave it out."),
        .init(
            .skinNodeTransform,
            "Neither the bind shape nor the inverse bind matrices have what the node does, so it is done to the posed skin. Programs that leave out such a node show the skin elsewhere.",
            example: "<scale>15 15 15</scale> around the instance, and a bind_shape_matrix that does nothing.",
            fix: "Apply the node's transform to the mesh, or bind the skin anew."),
        .init(
            .skinSkeletonUnplaced,
            "The nodes that <skeleton> names are in a library or in another document and are instanced nowhere. They stand where they are written.",
            example: "<skeleton>#hip</skeleton> with hip in a <library_nodes>.",
            fix: "Instance the skeleton in the visual scene."),
        .init(
            .morphTargetUnresolved, "The geometry that the mesh is to turn into does not exist.",
            example: "MORPH_TARGET Smile without such a geometry.",
            fix: "Export the shape as well, or remove it from the list."),
        .init(
            .morphVertexCountMismatch, "A shape can only turn into one with the same vertices.",
            example: "A base of 100 positions and a target of 98.",
            fix: "Make the target from the base again, without adding or removing vertices."),
        .init(
            .morphWeightCountMismatch, "Each target needs one weight.",
            example: "Three targets and two weights.",
            fix: "Correct the list of weights; those missing are taken as 0."),
        .init(
            .morphWeightRange,
            "With the method NORMALIZED the base gets what the weights leave, which is then below nothing.",
            example: "0.8 and 0.7",
            fix: "Lower the weights, or use the method RELATIVE."),
        .init(
            .controllerChainUnsupported,
            "A skin over a morph is understood; a skin over a skin is not, and the inner one stays in its bind shape.",
            example: "<skin source=\"#OtherSkin\">",
            fix: "Merge the two skins into one."),
    ]
}

extension Explanation {
    static let animation: [Explanation] = [
        .init(
            .animationSamplerInputMissing,
            "A curve needs its times (INPUT) and its values (OUTPUT); without them it is left out.",
            example: "<sampler> with OUTPUT only.",
            fix: "Add the input that is missing."),
        .init(
            .animationInterpolationMissing, "The way between two keys is not given; straight lines are taken.",
            example: "<sampler> without INTERPOLATION.",
            fix: "Add an INTERPOLATION input with one word a key."),
        .init(
            .animationCountMismatch,
            "There must be one value, and one interpolation, a key, and as many numbers as the target takes.",
            example: "24 times and 23 matrices.",
            fix: "Export again; what has no partner is left out."),
        .init(
            .animationTimeNotIncreasing, "Keys must follow one another in time, or what lies between is not defined.",
            example: "0 0.5 0.4",
            fix: "Sort the keys and remove doubled times."),
        .init(
            .animationTimeNegative, "Players begin at 0, so what comes before may never be seen.",
            example: "-1 0 1",
            fix: "Move the animation so that it begins at 0."),
        .init(
            .animationTangentMissing,
            "BEZIER and HERMITE need IN_TANGENT and OUT_TANGENT; straight lines are taken without them.",
            example: "BEZIER with OUT_TANGENT only.",
            fix: "Export with tangents, or as LINEAR."),
        .init(
            .animationTangentLayout,
            "The tangents have another number of values a key than 1.4.1 asks for, as older exporters wrote them.",
            example: "One number a key, without the time.",
            fix: "Export as 1.4.1 or later, or sample the curve."),
        .init(
            .animationUnknownInterpolation, "The word is none that COLLADA knows; straight lines are taken.",
            example: "SMOOTH",
            fix: "Use LINEAR, BEZIER, HERMITE, CARDINAL, BSPLINE or STEP."),
        .init(
            .animationEmpty, "The curve holds no key and moves nothing.",
            example: "<float_array count=\"0\"/>",
            fix: "Remove the animation."),
        .init(
            .animationTargetUnresolved,
            "What the channel is to move does not exist, so the curve is kept but moves nothing.",
            example: "target=\"Arm/rotateX.ANGLE\" where the node has no sid rotateX.",
            fix: "Correct the target: an id, then sids, then the part."),
        .init(
            .animationTargetMemberInvalid, "The target exists, but has no part of this name or number.",
            example: "translate.ANGLE or matrix(4)(0)",
            fix: "Use X, Y, Z, ANGLE or an index that the element has."),
        .init(
            .animationTargetShared, "The node stands in the scene several times, and all of them move together.",
            example: "A wheel that is instanced four times.",
            fix: "Copy the node if only one is meant."),
        .init(
            .animationDuplicateTarget, "Two curves say at the same time where something is; the later one wins.",
            example: "Two channels for Arm/rotateX.ANGLE.",
            fix: "Remove one, or put them into different clips."),
        .init(
            .animationClipRange, "The clip's start and end enclose nothing that could be played.",
            example: "start=\"2\" end=\"1\"",
            fix: "Correct start and end."),
        .init(
            .animationClipRefUnresolved,
            "What the clip should play is missing, so it plays less or nothing.",
            example: "<instance_animation url=\"#Walk\"/> where the id is walk.",
            fix: "Correct the reference, or add the animation."),
    ]
}

extension Explanation {
    static let performance: [Explanation] = [
        .init(
            .perfManyPrimitives,
            "Each primitive element is drawn by itself, and many of them cost more than their triangles do.",
            example: "A mesh of 200 <triangles>, one a face.",
            fix: "Join those that have the same material."),
        .init(
            .perfDrawCalls,
            "Every instance draws each part of its mesh. Some thousand a frame are too many for phones and browsers.",
            example: "A city of 2,000 houses, each a node.",
            fix: "Join meshes of the same material, or instance them in the engine."),
        .init(
            .perfIndex32Bit,
            "Some graphics cards of phones and older web pages index at most 65,535 vertices.",
            example: "A scan of a million vertices in one mesh.",
            fix: "Cut the mesh into several."),
        .init(
            .perfTextureMemory,
            "On the graphics card pictures are not packed; so many may not fit on phones.",
            example: "Ten images of 8,192 by 8,192 pixels.",
            fix: "Scale them down, or convert them to KTX2."),
    ]
}
