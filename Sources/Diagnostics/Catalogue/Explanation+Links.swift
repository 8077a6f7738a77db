extension Explanation {
    static let links: [Explanation] = [
        .init(
            .idDuplicate, "An id must be unique in its document. References lead to the first element that has it.",
            example: "Two <geometry id=\"Cube\">.",
            fix: "Rename one of them, and the references that mean it."),
        .init(
            .refUnresolved, "No element has the id that is referred to, so the part is left out.",
            example: "<instance_geometry url=\"#Chair\"/> where the geometry's id is chair.",
            fix: "Correct the reference, also in upper and lower case, or add the element."),
        .init(
            .refWrongType, "The id exists, but it belongs to an element that cannot stand here.",
            example: "instance_geometry that leads to a controller.",
            fix: "Use the instance element of that kind, or refer to another id."),
        .init(
            .refByName, "No element has this id, but one has this name or sid, and it was taken.",
            example: "url=\"#Cube\" where Cube is a name and the id is Cube-mesh.",
            fix: "Refer to the id."),
        .init(
            .refMissingHash, "A reference within the document begins with #; without it, it names a file.",
            example: "source=\"Cube-positions\"",
            fix: "Write source=\"#Cube-positions\"."),
        .init(
            .refExternalUnresolved, "The other document is missing, cannot be read, or has no such id.",
            example: "url=\"parts.dae#Wheel\" without parts.dae in the bundle.",
            fix: "Add the document to the bundle, or correct the path."),
        .init(
            .refExternalBlocked,
            "The other document lies outside the bundle or on the web, where it is not looked for.",
            example: "url=\"https://example.org/parts.dae#Wheel\"",
            fix: "Put the document into the bundle and refer to it there."),
        .init(
            .refCycle, "Following the instances would never end; the one that closes the circle is left out.",
            example: "Node a has an instance of b, and b one of a.",
            fix: "Remove one of the instances."),
    ]
}
