// A new element needs three lines: its name (`ElementName`), a row in its family's grammar and, where its text is read
// or it is decoded as a whole, a place in one of the family's lists. Tests hold the three together.

/// The elements of one chapter of the specification: what each may contain and how it is read, in one place.
struct ElementFamily: Sendable {
    let name: String
    /// Order, occurrence, attributes and simple types of both schemas, as `ElementGrammar` says.
    let grammar: String
    // How the text directly within each is read; one that stands in no list has only elements within.
    /// Decoded into the document at their end tags.
    var units: [ElementName] = []
    var texts: [ElementName] = []
    /// Long lists of numbers.
    var reals: [ElementName] = []
    var integers: [ElementName] = []
    /// Bytes in hexadecimal.
    var hexes: [ElementName] = []
    /// Kept as they stand.
    var raws: [ElementName] = []
    /// Those whose extras have a meaning here.
    var extended: [ElementName] = []
    /// Not read, nor anything within.
    var skipped: [ElementName] = []

    static let all: [ElementFamily] = [
        .core, .geometry, .brep, .controllers, .animations, .optics, .scenes, .images, .effects, .states, .glsl, .cg,
        .gles, .gles2, .physics, .kinematics,
    ]
}
