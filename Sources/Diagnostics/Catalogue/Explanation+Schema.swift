extension Explanation {
    /// What only a check against the schema tells.
    static let schema: [Explanation] = [
        .init(
            .schemaUnexpectedElement,
            "The schema has no such element in this place, so programs pass over it, or refuse the document.",
            example: "<node> directly within <mesh>, or a second <unit>.",
            fix: "Use one of the elements in the message, or move what is a program's own under <extra>."),
        .init(
            .schemaUnexpectedText, "Text between elements means nothing; mostly a tag was lost or spoilt.",
            example: "<mesh>abc<source id=\"a\"/></mesh>",
            fix: "Remove the text, or put it into the element that it belongs to."),
        .init(
            .schemaElementOrder,
            "The elements are all allowed, but not in this order. Most programs read them all the same; those that go by the schema do not.",
            example: "<up_axis> before <created>.",
            fix: "Move the element to its place in the schema's order."),
        .init(
            .schemaUnknownAttribute, "The schema has no such attribute, so programs pass over it.",
            example: "<node id=\"a\" visible=\"true\">",
            fix: "Remove the attribute, or write what it says under <extra>."),
        .init(
            .schemaInvalidID,
            "An id, or another name, begins with a letter or _ and has letters, digits, '.', '-' and '_' only; an id stands once in a document. Programs that hold to that cannot find what has another name.",
            example: "id=\"Left Arm\"",
            fix: "Rename it, in every reference too."),
        .init(
            .schemaInvalidDate, "A date that is written otherwise is read by no program as a date.",
            example: "<created>21.11.2026</created>",
            fix: "Write it as 2026-11-21T09:00:00Z."),
        .init(
            .schemaInvalidValue, "The text is not of the form that the schema asks for.",
            example: "<double_sided>yes</double_sided> where true or false is expected.",
            fix: "Write what the message says is expected."),
        .init(
            .schemaEmptyLibrary,
            "A library holds one element at least. An empty one does no harm but to strict readers.",
            example: "<library_images/>",
            fix: "Remove it."),
        .init(
            .schemaExtraUnknownProfile,
            "What stands in the technique is a program's own and means nothing here. It is kept as it stands.",
            example: "<technique profile=\"MYTOOL\">",
            fix: "Nothing, or see that what matters is written in the common profile too."),
        .init(
            .schemaXSD, "The schema that was named does not allow this; the words are those of libxml2.",
            example: "--xsd collada_schema_1_4_1.xsd with a <mesh> without <vertices>.",
            fix: "Mend what the message names."),
    ]
}
