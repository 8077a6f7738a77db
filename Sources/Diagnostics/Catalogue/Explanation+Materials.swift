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
}
