/// The elements of one chapter of the specification: how the text within each is read, and which are decoded as a
/// whole. One that stands in no list has only elements within.
struct ElementFamily: Sendable {
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
}
