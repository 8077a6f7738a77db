extension Explanation {
    static let scenes: [Explanation] = [
        .init(
            .sceneMissing, "The document does not say which visual scene is shown, so the first is.",
            example: "A document without <scene>.",
            fix: "Add <scene><instance_visual_scene url=\"#Scene\"/></scene>."),
        .init(
            .sceneMultipleVisualScenes,
            "A document shows one visual scene; the others are kept, but nobody sees them.",
            example: "Two <visual_scene>, and an <instance_visual_scene> of the first.",
            fix: "Nothing, or instance the other scene."),
        .init(
            .convertNothingDrawable, "A file without a mesh shows nothing, so none is written.",
            example: "A document of cameras and empty nodes.",
            fix: "Instance a geometry in the scene, or choose another scene."),
        .init(
            .convertTooLarge, "Lengths in a .glb are numbers of 32 bits: it ends at four gibibytes.",
            example: "A scan of a hundred million triangles.",
            fix: "Write a .gltf, or split the scene."),
        .init(
            .convertWorkExceeded,
            "Keys of animations, vertices of morph targets, pixels of images or moments at which curves are looked at would be more than a conversion may have.",
            example: "A picture of a hundred bytes with sixty-seven million pixels.",
            fix: "Convert a part of the scene, or with --fps follow curves less densely."),
        .init(
            .outputTooLarge,
            "What is written may have 256 MiB and 64 times the bytes of the source, at most 4 GiB: few bytes can ask for very many.",
            example: "A node with a long name that is instanced fifty thousand times.",
            fix: "Raise --max-output if the source is trusted."),
        .init(
            .convertLoss, "Nothing was written, because something of the scene would be lost and --lossless was given.",
            example: "A skin of six joints a vertex where four are written.",
            fix: "Leave out --lossless, or accept the loss that the message names."),
        .init(
            .sceneInstanceUnresolved, "<scene> refers to a visual scene that does not exist.",
            example: "<instance_visual_scene url=\"#Scene1\"/> where the id is Scene.",
            fix: "Correct the reference."),
        .init(
            .sceneNodeCountExceeded, "Instances of instances multiply to more nodes than the budget.",
            example: "Ten levels that each hold the next ten times.",
            fix: "Instance less deeply, or raise the budget."),
        .init(
            .workLimitExceeded,
            "The document asks for so much searching or copying that the rest of it was left undone.",
            example: "A hundred thousand references that all must be searched for by name.",
            fix: "Refer by id, and let no long chains of references lead to the same parts."),
        .init(
            .sceneBoundsApproximate, "The box was made of turned boxes, not of each position, so it may be too large.",
            example: "A mesh turned by 45 degrees that could not be read a second time.",
            fix: "Nothing needs to be done unless the exact size matters."),
        .init(
            .nodeTransformNonAffine,
            "The last row of a matrix must be 0 0 0 1. Other values mostly mean that it was written column by column.",
            example: "A translation that stands in the last row.",
            fix: "Transpose the matrix."),
        .init(
            .nodeLookatDegenerate,
            "Eye and target are the same point, and it turns nothing; or the view runs along the up direction, and what is up is a guess.",
            example: "<lookat>0 0 0  0 0 0  0 1 0</lookat>",
            fix: "Move the target, or choose another up direction."),
        .init(
            .nodeRotateAxisZero, "Without a direction there is nothing to turn around. It turns nothing.",
            example: "<rotate>0 0 0 90</rotate>",
            fix: "Write an axis, such as 0 1 0."),
        .init(
            .nodeTransformSingular,
            "A scale of 0, or axes that lie in one plane, leave nothing of a solid; normals cannot be computed.",
            example: "<scale>1 0 1</scale>",
            fix: "Use a small number instead of 0, or hide the node in another way."),
        .init(
            .nodeTransformShear,
            "The matrix is no sequence of scale, turn and move, which is all that glTF animations and most engines know.",
            example: "A matrix whose axes are not at right angles.",
            fix: "Apply the transform to the mesh before exporting."),
        .init(
            .nodeTransformMirrored,
            "The order of corners turns round, so that faces may show their backs.",
            example: "<scale>-1 1 1</scale>",
            fix: "Apply the scale to the mesh before exporting."),
        .init(
            .nodeMultipleInstances,
            "COLLADA allows it; programs with one mesh a node split the node or drop the rest.",
            example: "Two instance_geometry in one node.",
            fix: "Give each instance a node of its own."),
        .init(
            .nodeEmpty,
            "The node shows nothing and nothing refers to it.",
            example: "<node id=\"Empty\"/>",
            fix: "Leave it out, unless it marks a place."),
        .init(
            .assetMissing, "Without <asset> neither unit nor up axis is known; one metre and Y up are assumed.",
            example: "A document that begins with a library.",
            fix: "Add <asset> with created, modified, unit and up_axis."),
        .init(
            .assetUnitMissing,
            "Nothing says how long one unit is. One metre is assumed; the model may be 100 times too large.",
            example: "<asset> without <unit>.",
            fix: "Add <unit name=\"centimeter\" meter=\"0.01\"/>, or what is true."),
        .init(
            .assetUnitInvalid, "The length of the unit is zero, negative or no number; one metre is taken.",
            example: "<unit meter=\"0\"/>",
            fix: "Write how many metres one unit is."),
        .init(
            .assetUnitNameMismatch,
            "The number counts, whatever the name says; one of the two is wrong.",
            example: "<unit name=\"inch\" meter=\"1\"/>",
            fix: "Write the length that the name means, or another name."),
        .init(
            .assetUpAxisMissing, "Nothing says where up is. Y is assumed; the model may lie on its side.",
            example: "<asset> without <up_axis>.",
            fix: "Add <up_axis>Z_UP</up_axis>, or what is true."),
        .init(
            .assetNestedUnit, "Part of the document has its own unit or axis, which many programs pass over.",
            example: "<geometry> with an asset in inches in a document in metres.",
            fix: "Export all of it in one unit and with one up axis."),
        .init(
            .assetSizeImplausible,
            "In metres the scene is larger than 10 km or smaller than 0.1 mm. Mostly the unit is wrong.",
            example: "A chair in millimetres whose unit says metres, a thousand times over.",
            fix: "Check <unit>."),
        .init(
            .cameraInvalid,
            "The camera has no usable optics: no angle, an impossible angle, or its far plane before its near one.",
            example: "<yfov>180</yfov>",
            fix: "Give an angle between 0 and 180 degrees and znear below zfar."),
        .init(
            .lightInvalid, "The light does not say in the common way what it is.",
            example: "<light> without <technique_common>.",
            fix: "Add technique_common with ambient, directional, point or spot."),
    ]
}
