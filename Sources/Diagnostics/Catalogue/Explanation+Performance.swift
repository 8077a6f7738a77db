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
