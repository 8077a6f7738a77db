extension Explanation {
    static let links: [Explanation] = [
        .init(
            .idDuplicate, "An id must be unique in its document. References lead to the first element that has it.",
            example: "Two <geometry id=\"Cube\">.",
            fix: "Rename one of them, and the references that mean it."),
        .init(
            .sidDuplicate,
            "Among the children of one element a sid stands once; a path of sids leads to the first that has it.",
            example: "A node with two <rotate sid=\"rotate\">.",
            fix: "Rename one of them, and the targets that mean it."),
        .init(
            .uriInvalid,
            "An address holds no spaces, back-slashes or control characters, and behind % two hexadecimal digits. Readers mend such addresses in different ways.",
            example: "<init_from>wood%zz.png</init_from>",
            fix: "Write %20 for a space, / for a back-slash and %25 for a percent sign."),
        .init(
            .uriUnsupportedScheme,
            "Only files, the web, and the packages and models of robots are known; nothing else is looked for.",
            example: "url=\"ftp://example.org/parts.dae#Wheel\"",
            fix: "Put the file into the bundle and write its path."),
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
            "The other document lies outside the bundle, where it is not looked for, or on the web, where it was not asked for or not got.",
            example: "url=\"https://example.org/parts.dae#Wheel\"",
            fix: "Put the document into the bundle and refer to it there, or let it be fetched: --fetch."),
        .init(
            .sidrefUnresolved,
            "The path begins with an id and goes on by sids; at one of its steps there is nothing.",
            example: "<bind semantic=\"LIGHT\" target=\"Sun/translation\"/> without an element of the id Sun.",
            fix: "Correct the path."),
        .init(
            .sidrefAmbiguous,
            "At the same depth below the start several elements have the sid. The first one is taken; other readers may take another.",
            example: "target=\"Rig/rotate.ANGLE\" where two children of Rig have a rotate of that sid.",
            fix: "Give the elements different sids, or begin the path at the nearer id."),
        .init(
            .refCycle, "Following the instances would never end; the one that closes the circle is left out.",
            example: "Node a has an instance of b, and b one of a.",
            fix: "Remove one of the instances."),
        .init(
            .refUnused,
            "The element is read, and nothing is shown of it.",
            example: "A geometry that no node instances.",
            fix: "Instance it, or leave it out."),
    ]
}
