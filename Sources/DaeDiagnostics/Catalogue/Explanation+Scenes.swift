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
            .convertLibraryMissing,
            "What was asked for is made by a library that is loaded when it is needed, and it was not found.",
            example: "--compact meshopt without libmeshoptimizer, --textures webp without libwebp.",
            fix: "Install the package that the message names, or convert without that option."),
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

extension Explanation {
    static let materials: [Explanation] = [
        .init(
            .materialBindMissing,
            "The mesh asks for materials by symbols and the instance says for none which is meant. It is drawn plain.",
            example: "<instance_geometry> without <bind_material>.",
            fix: "Add bind_material with one instance_material a symbol."),
        .init(
            .materialSymbolUnbound,
            "The mesh asks for a material that the instance does not name. This part is drawn plain.",
            example: "<triangles material=\"Wood\"> and only Metal is bound.",
            fix: "Add <instance_material symbol=\"Wood\" target=\"#…\"/>."),
        .init(
            .materialSymbolUnused, "The instance names a material that no part of the mesh asks for. It is harmless.",
            example: "symbol=\"Glass\" without such a part.",
            fix: "Remove it, or correct the symbol."),
        .init(
            .materialBindVertexInput,
            "The texture is to use coordinates that the mesh lacks; others stand in for them where there are any.",
            example: "input_semantic=\"TEXCOORD\" input_set=\"1\" with one set in the mesh.",
            fix: "Correct input_set, or add the coordinates."),
        .init(
            .materialTargetUnresolved,
            "The faces of that symbol have no material.",
            example: "<instance_material symbol=\"wood\" target=\"#Wood\"/> without a material Wood.",
            fix: "Correct the target, or add the material."),
        .init(
            .texcoordMissing, "The material has a texture, but the mesh does not say which part of it goes where.",
            example: "An image on triangles with VERTEX and NORMAL only.",
            fix: "Unwrap the mesh and export its texture coordinates."),
        .init(
            .effectNoCommonProfile, "Only a shader for one system is there; nothing says how it looks elsewhere.",
            example: "<effect> with <profile_GLSL> only.",
            fix: "Add profile_COMMON with a shading model."),
        .init(
            .effectTechniqueUnknown,
            "Known are blinn, phong, lambert and constant. Without one nothing is said of the surface.",
            example: "<technique><pbr/></technique>",
            fix: "Use one of the four."),
        .init(
            .effectSeveralValues,
            "A property has one value: a color, a float, a texture or a param. Of several the texture is taken, which is what authors saw, else the first; by --strict the first. Other readers take another or multiply them.",
            example: "<diffuse><color>1 0 0 1</color><texture texture=\"wood\" texcoord=\"UV\"/></diffuse>",
            fix: "Keep the one that is meant."),
        .init(
            .effectParamUnresolved,
            "The parameter that is referred to is not declared in the effect; the usual value is taken.",
            example: "<param ref=\"shine\"/> without <newparam sid=\"shine\">.",
            fix: "Declare the parameter, or write the value."),
        .init(
            .textureDirectImage,
            "A texture must name a sampler, which names a surface, which names an image. The image was taken nevertheless.",
            example: "<texture texture=\"wood-png\" texcoord=\"UV\"/> where wood-png is an image.",
            fix: "Add the newparams for surface and sampler2D, and name the sampler."),
        .init(
            .textureTexcoordEmpty, "The texture does not say which coordinates it uses; the first set is taken.",
            example: "texcoord=\"\"",
            fix: "Name a symbol, and bind it by bind_vertex_input."),
        .init(
            .transparencySuspect,
            "By the letter nothing of it is seen. Many exporters wrote the opposite of what they meant.",
            example: "<transparency>0</transparency> with A_ONE.",
            fix: "Write transparency 1 for what is solid."),
        .init(
            .materialEmissionAmbientFull,
            "Emission and ambient are both 1 1 1, so that nothing but white may be seen of the material.",
            example: "<emission><color>1 1 1 1</color></emission> and the same for ambient.",
            fix: "Set emission to 0 0 0 1 unless it is a lamp."),
        .init(
            .colorOutOfRange,
            "Colours go from 0 to 1. Larger ones mostly count to 255.",
            example: "<color>255 128 0 1</color>",
            fix: "Divide by 255."),
        .init(
            .textureSamplerUnresolved, "The effect has no sampler of this name, so the texture is left out.",
            example: "texture=\"wood-sampler\" without such a newparam.",
            fix: "Add the newparam with sampler2D."),
        .init(
            .textureSurfaceUnresolved, "The sampler leads to no image, so the texture is left out.",
            example: "<sampler2D><source>wood-surface</source></sampler2D> without such a newparam.",
            fix: "Add the newparam with surface and init_from."),
    ]

    static let images: [Explanation] = [
        .init(
            .imageEmptyURI, "The image says nothing of where its file is.",
            example: "<init_from/>",
            fix: "Write the file's path, or remove the image."),
        .init(
            .imageURIIsDirectory, "The path leads to a folder, mostly since the file's name was lost.",
            example: "<init_from>textures/</init_from>",
            fix: "Add the file's name."),
        .init(
            .imageURIAbsolute, "The path is one of the machine where the file was made; elsewhere nothing is there.",
            example: "file:///C:/art/wood.png",
            fix: "Export with relative paths and keep the image beside the document."),
        .init(
            .imageNotFound, "No file fits the reference, wherever it was looked for. `dae resolve` shows each place.",
            example: "textures/wood.png that was not packed.",
            fix: "Add the file to the bundle, or correct the path."),
        .init(
            .imageFoundByFallback,
            "The file is not where the document says, but a rule found it. Other programs may not.",
            example: "Wood.PNG for wood.png",
            fix: "Correct the path in the document."),
        .init(
            .imageAmbiguous, "More than one file fits equally well, so which one is meant cannot be told.",
            example: "a/wood.png and b/wood.png for wood.png.",
            fix: "Write the whole path."),
        .init(
            .imageExtensionMismatch,
            "The first bytes show another format than the name. Programs that believe the name fail.",
            example: "wood.jpg that is a PNG.",
            fix: "Rename the file and what refers to it, or convert it."),
        .init(
            .imageUnsupportedFormat,
            "PNG and JPEG are what glTF and USDZ take; most programs on the web and on phones read nothing else.",
            example: "A texture wood.tga.",
            fix: "Convert it to PNG or JPEG."),
        .init(
            .imageDataInvalid, "The file begins like no image that is known, or its header makes no sense.",
            example: "A web page saved as wood.png.",
            fix: "Get the image again."),
        .init(
            .imageTruncated, "The file is cut off; parts of the picture are missing.",
            example: "A download that stopped half way.",
            fix: "Get the image again."),
        .init(
            .imageTooLarge, "The picture has more pixels than the budget for decoding; many devices cannot show it.",
            example: "32768 × 32768 pixels",
            fix: "Scale it down."),
        .init(
            .imageNonPowerOfTwo,
            "Older graphics cards take only sides of 1, 2, 4, 8, … pixels, or make no smaller levels of others.",
            example: "An image of 1000 by 600 pixels.",
            fix: "Scale it to 1024 by 512, where old cards matter."),
        .init(
            .imageUnused,
            "The image is named, and no effect samples it.",
            example: "An <image> that no <surface> names.",
            fix: "Leave it out, or use it."),
        .init(
            .resourcePackageUnknown, "package:// names a ROS package, and nothing says where that lies.",
            example: "package://my_robot/meshes/wood.png",
            fix: "Give --package my_robot=folder, or set ROS_PACKAGE_PATH."),
        .init(
            .resourceModelUnknown, "model:// names a Gazebo model, and nothing says where that lies.",
            example: "model://table/wood.png",
            fix: "Give --model table=folder, or set GZ_SIM_RESOURCE_PATH."),
        .init(
            .resourceEscapesRoot, "The path leaves the bundle, where nothing may be read.",
            example: "../../wood.png at the bundle's top.",
            fix: "Put the file into the bundle, or name the folder that is the bundle with --root."),
        .init(
            .resourceOutside, "The file is found on this machine, but would be missing where the bundle is unpacked.",
            example: "A texture in a shared package.",
            fix: "Copy it into the bundle if that is to stand by itself."),
        .init(
            .resourceDocumentLink, "Beside the link there may be other files than beside the document it leads to.",
            example: "chair.dae -> ../store/4711.dae",
            fix: "Name the document itself."),
        .init(
            .resourceFetchLimit, "Only so many addresses and bytes are fetched for one document; the rest was left.",
            example: "100 images on the web where 64 are fetched.",
            fix: "Put the files into the bundle."),
    ]

    static let robots: [Explanation] = [
        .init(
            .robotDescriptionUnreadable,
            "The .urdf, .sdf or .xacro is no XML, or none that describes a robot. None of its meshes is known.",
            example: "A .urdf whose root is <html>.",
            fix: "Mend the markup; the root of URDF is <robot>, that of SDF <sdf>."),
        .init(
            .robotMeshNotFound,
            "Who loads the robot shows nothing in its place, or refuses the robot. Only the very name counts: a file of the same name elsewhere is told, and not taken.",
            example: "<mesh filename=\"package://arm/meshes/Base.dae\"/> where the file is base.dae.",
            fix: "Correct the name, add the file, or say with --package name=folder where its package lies."),
        .init(
            .robotNameNotLiteral,
            "The name holds ${…} or $(…), which xacro replaces. Whether the file is there is not looked at.",
            example: "<mesh filename=\"package://arm/meshes/${link}.dae\"/>",
            fix: "Run xacro, and look at the .urdf that it makes."),
        .init(
            .robotScaleInvalid, "Loaders refuse such a mesh, or take 1 for its scale.",
            example: "<mesh filename=\"package://arm/meshes/base.dae\" scale=\"0.001\"/>",
            fix: "Write three numbers, none of them 0, parted by spaces."),
        .init(
            .robotScaleAmbiguous,
            "One file cannot have both sizes, so that it is not converted with the scale of its robot.",
            example: "base.dae with scale 1 1 1 in arm.urdf, and with 1 -1 1 in left.urdf.",
            fix: "Convert it without --scale-from-urdf, or name one description that gives one scale as the source."),
    ]
}

extension Explanation {
    static let mechanics: [Explanation] = [
        .init(
            .physicsRefUnresolved, "A body, material or force of the physics does not exist and is left out.",
            example: "<instance_rigid_body body=\"wheel\"> without such a body.",
            fix: "Correct the name, or add the element."),
        .init(
            .physicsShapeInvalid, "A shape with a zero or negative size cannot collide with anything.",
            example: "<sphere><radius>0</radius></sphere>",
            fix: "Give it a size."),
        .init(
            .physicsMassInvalid, "What moves by forces needs a mass above zero.",
            example: "<dynamic>true</dynamic> with <mass>0</mass>.",
            fix: "Give it a mass, or make it static."),
        .init(
            .physicsConvexSource, "The hull is to be made of a geometry that does not exist.",
            example: "convex_hull_of=\"#Rock\" without such a geometry.",
            fix: "Correct the reference."),
        .init(
            .kinematicsJointUnresolved, "A link hangs on a joint that does not exist, so it does not move.",
            example: "<attachment_full joint=\"kmodel/joint7\"> without joint7.",
            fix: "Correct the path of the joint."),
        .init(
            .kinematicsLimitsInverted, "Nothing lies between the limits; the joint is taken as it stands.",
            example: "<min>90</min><max>-90</max>",
            fix: "Swap the two."),
        .init(
            .kinematicsLinkCycle,
            "A link hangs on itself, by way of others; the one that closes the circle is left out.",
            example: "a carries b and b carries a.",
            fix: "Open the circle at one joint."),
        .init(
            .kinematicsBindUnresolved, "The node or axis that the robot is to move does not exist.",
            example: "<bind_joint_axis target=\"arm/rot\"> where the node has no sid rot.",
            fix: "Correct the target."),
        .init(
            .kinematicsExtension,
            "OpenRAVE writes what COLLADA has no words for, such as grippers. It is handed on as it is.",
            example: "<extra type=\"manipulator\">",
            fix: "Nothing needs to be done."),
        .init(
            .formulaUnsupported, "What depends on the formula keeps its written value.",
            example: "<formula> with MathML between two joints.",
            fix: "Write the values out if they matter."),
    ]
}
