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
