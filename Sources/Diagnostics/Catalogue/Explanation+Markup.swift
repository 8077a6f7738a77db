extension Explanation {
    static let markup: [Explanation] = [
        .init(
            .xmlNotWellFormed, "The text breaks the rules of XML, so reading ends at this place.",
            example: "<mesh><source></mesh>",
            fix: "Mend the document at this line, or export it again; a file that ends too early was not copied whole."),
        .init(
            .xmlRecovered,
            "The text breaks a rule of XML's namespaces, but what is meant is clear and reading went on.",
            example: "<max:ambient> where no element declares xmlns:max.",
            fix: "Declare the prefix, or remove what bears it."),
        .init(
            .xmlDoctypeForbidden,
            "Entities can blow a document up or read files of the machine, so a document that declares them is refused.",
            example: "<!DOCTYPE COLLADA [<!ENTITY a \"aaaa\">]>",
            fix: "Remove the declaration and write the entities' text in their places."),
        .init(
            .xmlDoctypeIgnored, "The declaration was neither loaded nor used.",
            example: "<!DOCTYPE COLLADA SYSTEM \"collada.dtd\">",
            fix: "Remove the line; COLLADA needs none."),
        .init(
            .xmlEncodingMismatch,
            "Some bytes are not valid in the encoding that the document declares. Letters in names may be wrong, so references may fail.",
            example: "encoding=\"utf-8\" above text in Windows-1252.",
            fix: "Save the document as UTF-8, or declare the encoding it really has."),
        .init(
            .xmlEncodingUnsupported, "The document declares an encoding that nobody here can read.",
            example: "encoding=\"x-klingon\"",
            fix: "Save the document as UTF-8."),
        .init(
            .xmlDepthExceeded, "Elements stand in one another deeper than the budget; no real model needs that.",
            example: "Ten thousand nodes, each in the one before.",
            fix: "Flatten the hierarchy, or raise the budget."),
        .init(
            .xmlSizeExceeded,
            "A single tag, comment, text or list of attributes is larger than the budget, or all elements are more.",
            example: "A comment of 100 MB.",
            fix: "Shorten it, or raise the budget if the source is trusted."),
        .init(
            .docNotCollada, "The outermost element is not COLLADA.",
            example: "<svg xmlns=\"http://www.w3.org/2000/svg\">",
            fix: "Name the document that is meant; other formats must be exported as COLLADA first."),
        .init(
            .docNamespaceUnexpected,
            "The outermost element has no namespace or a foreign one. It is read as if it were COLLADA's.",
            example: "<COLLADA version=\"1.4.1\"> without xmlns.",
            fix: "Add xmlns=\"http://www.collada.org/2005/11/COLLADASchema\", or 2008/03 for 1.5."),
        .init(
            .docVersionUnsupported, "Known are 1.4.0, 1.4.1 and 1.5.0; another version is read as far as it is alike.",
            example: "version=\"1.3.1\"",
            fix: "Export again as 1.4.1."),
        .init(
            .docVersionNamespaceMismatch,
            "The version says one edition of COLLADA and the namespace another. Programs that look at only one of them disagree.",
            example: "version=\"1.5.0\" with the namespace of 2005/11.",
            fix: "Correct the one that is wrong."),
        .init(
            .docEmpty, "The document holds no node, geometry or material that could be shown.",
            example: "A document with an asset and nothing else.",
            fix: "Export again, and select what is to be exported."),
        .init(
            .schemaMissingElement, "Without this element the part around it has no meaning and is left out.",
            example: "<mesh> without <vertices>.",
            fix: "Add the element, or remove the part."),
        .init(
            .schemaMissingAttribute, "Without this attribute the element has no meaning.",
            example: "<input semantic=\"VERTEX\"/> without source.",
            fix: "Add the attribute."),
        .init(
            .schemaInvalidEnum, "Only certain words are allowed here; another one is read as the usual value.",
            example: "<up_axis>z</up_axis>",
            fix: "Use one of the words in the message, spelled exactly so."),
        .init(
            .schemaInvalidNumber, "A number is expected and something else stands there; reading the list ends at it.",
            example: "0.5 abc 1.0",
            fix: "Write the number with a point, without a unit."),
        .init(
            .schemaListLength, "A value of this kind has a fixed number of parts.",
            example: "<matrix> with 12 numbers instead of 16.",
            fix: "Write exactly as many numbers as the message says."),
        .init(
            .numberDecimalComma,
            "A comma stands where a decimal point belongs, as programs write under some languages. It was read as a point.",
            example: "<unit meter=\"0,01\"/>",
            fix: "Write a point; export with the language set to English where the program has no other way."),
        .init(
            .numberNonFinite,
            "A position, normal or other value is not a number, or infinite. What uses it cannot be drawn.",
            example: "1.0 NaN 0.5",
            fix: "Look for degenerate faces or zero scales in the model and export again."),
    ]
}
