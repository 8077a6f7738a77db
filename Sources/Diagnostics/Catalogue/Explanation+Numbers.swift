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
