/// Where libxml2 takes a document over from the tokenizer, and what it has to know of all that came before.
///
/// The tokenizer stops at the first thing that is not certainly well-formed; from there on libxml2 reads, to the end. It
/// begins at the beginning of a document only, so it is fed a made-up one first: an XML declaration and the start tags of
/// the elements that are open, with the namespaces they declare. Each of them is on the line where it was, since messages
/// name those. No event of theirs is reported. What libxml2 then says is what it would have said had it read everything.
struct HandOver {
    /// An element whose start the tokenizer has reported, and whose end it has not.
    struct OpenElement {
        /// Its name, and the namespaces it declares.
        let startTag: [UInt8]
        let start: XMLPosition
    }

    /// Where libxml2 begins to read.
    let position: XMLPosition
    let stage: PlainTokenizer.Stage
    /// Outermost first.
    let openElements: [OpenElement]
    /// Tags that were read.
    let tags: Int
    /// The names that were read, for there is a limit on how many a document may have.
    let names: [[UInt8]]
    /// The last comment or instruction that was read: a fault just behind one is reported at its place.
    let lastPassed: MarkupMarks.Mark?

    /// The beginning that stands for what was read, and the line of each of its pieces.
    var madeUpMarkup: [(text: [UInt8], line: Int)] {
        let declaration = [(text: Array("<?xml version='1.0'?>".utf8), line: 1)]
        switch stage {
        case .start: return []
        case .prolog: return declaration
        case .content: return declaration + openElements.map { ($0.startTag, $0.start.line) }
        // The root is there no more; any other does as well.
        case .epilog: return declaration + [(Array("<a/>".utf8), position.line)]
        }
    }

    /// The comment or instruction that `position` is right behind.
    var passedJustBefore: MarkupMarks.Mark? {
        lastPassed.flatMap { $0.end.byte == position.byte ? $0 : nil }
    }
}
