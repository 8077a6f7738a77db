// libxml2 takes a document up in its middle: it is told made-up tags of the elements that are open, each with its line,
// for its messages name those, and whatever it says from there on is what it would have said anyway.

import CLibXML2

extension SAXParser {
    /// A parser that goes on where another one has stopped.
    convenience init(vocabulary: XMLVocabulary, resuming plain: borrowing PlainTokenizer) {
        self.init(vocabulary: vocabulary, limits: plain.limits, handler: plain.handler)
        let here = plain.position(0)
        beginResuming()
        for place in plain.names.seen { know(plain.names.text(Int(place))) }
        switch plain.stage {
        case .start: break
        case .prolog: tell("<?xml version='1.0'?>", atLine: 1)
        case .content, .epilog:
            tell("<?xml version='1.0'?>", atLine: 1)
            tellOpenElements(plain)
        }
        switch plain.stage {
        case .start, .prolog, .content: break
        case .epilog:
            // The root's name is told no more.
            tell("<a/>", atLine: here.line)
        }
        parser?.pointee.input?.pointee.line = Int32(truncatingIfNeeded: here.line)
        parser?.pointee.input?.pointee.col = Int32(truncatingIfNeeded: here.column)
        endResuming()
        switch plain.stage {
        case .start: break
        case .prolog, .content, .epilog: textPosition = here
        }
        withheld = here.byte - fed
        scanner.resume(
            at: here, depth: plain.depth, tags: plain.tags,
            passed: plain.lastPassed.flatMap {
                $0.end.byte == here.byte ? .init(kind: .other, start: $0.start, end: $0.end) : nil
            })
    }

    private func tellOpenElements(_ plain: borrowing PlainTokenizer) {
        var bound = 0
        for index in 0..<plain.depth {
            let element = plain.open[index]
            var tag = Array("<".utf8)
            if element.prefix >= 0 { tag += plain.names.text(element.prefix) + [UInt8(ascii: ":")] }
            tag += plain.names.text(element.local)
            for binding in UnsafeBufferPointer(start: plain.bindings + bound, count: element.declared) {
                tag += " xmlns".utf8
                if binding.prefix >= 0 { tag += [UInt8(ascii: ":")] + plain.names.text(binding.prefix) }
                tag += Array("='".utf8) + plain.names.text(binding.uri) + Array("'".utf8)
            }
            tag += ">".utf8
            bound += element.declared
            tell(tag, atLine: element.start.line)
            opened(.init(kind: .start, start: element.start, end: element.tagEnd))
        }
    }

    private func tell(_ text: StaticString, atLine line: Int) {
        tell(Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)), atLine: line)
    }

    private func tell(_ bytes: [UInt8], atLine line: Int) {
        parser?.pointee.input?.pointee.line = Int32(truncatingIfNeeded: line)
        bytes.withUnsafeBytes { feed($0) }
    }
}
