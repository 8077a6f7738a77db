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
