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
