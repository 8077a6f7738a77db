import DaeDiagnostics
import DaeXML
import Testing

/// What a reader said of one document: events with their places, text that was cut joined again.
final class Recorder: XMLEventHandler {
    enum Event: Hashable {
        case start(String, number: Int?, namespace: String?, attributes: [String], XMLPosition)
        case text(String, XMLPosition)
        case end(XMLPosition)
    }
    private(set) var events: [Event] = []
    /// Each piece of text as it came.
    private(set) var pieces: [(bytes: [UInt8], position: XMLPosition)] = []
    private var text: (bytes: [UInt8], position: XMLPosition)?
    /// Where it is so, the ends of lines are made alike only here.
    var takesAnyLineEnd = false
    /// Events after which reading is stopped.
    var stopAfter = Int.max
    private(set) var calls = 0

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        settleText()
        let listed = (0..<attributes.count).map { index in
            "\(attributes.name(at: index)?.text ?? "?")=\(String(decoding: attributes.value(at: index), as: UTF8.self))"
        }
        events.append(
            .start(name.text, number: name.number, namespace: name.namespace, attributes: listed, position))
        return flow()
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        pieces.append((Array(bytes), position))
        text = ((text?.bytes ?? []) + bytes, text?.position ?? position)
        return flow()
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        settleText()
        events.append(.end(position))
        return flow()
    }

    private func flow() -> XMLFlow {
        calls += 1
        return calls >= stopAfter ? .stop : .proceed
    }

    private func settleText() {
        if let text {
            let bytes = takesAnyLineEnd ? Self.withNewlines(text.bytes) : text.bytes
            // Otherwise a line's end is told from its newline on.
            let isLate = takesAnyLineEnd && text.bytes.starts(with: [0x0D, 0x0A])
            let start =
                isLate ? ([0x0D] as [UInt8]).withUnsafeBytes { text.position.advanced(over: $0) } : text.position
            events.append(.text(String(decoding: bytes, as: UTF8.self), start))
        }
        text = nil
    }
}

extension Recorder {
    /// With one newline for the ends of lines that stand together: a return that a reference makes before a line's end
    /// cannot be told from one that is a part of it.
    private static func withNewlines(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            let isEnd = byte == 0x0A || byte == 0x0D
            if isEnd, result.last == 0x0A { continue }
            result.append(isEnd ? 0x0A : byte)
        }
        return result
    }
}

/// The whole outcome of one reading, for comparison.
struct Outcome: Equatable {
    var events: [Recorder.Event]
    var findings: [Finding]
    var failure: CodedFailure?
    var encoding: String?

    var starts: [String] {
        events.compactMap {
            if case .start(let name, number: _, namespace: _, attributes: _, _) = $0 { name } else { nil }
        }
    }
    var texts: [String] { events.compactMap { if case .text(let text, _) = $0 { text } else { nil } } }
    var codes: [FindingCode] { findings.map(\.code) }
}

enum Reading {
    static let vocabulary = XMLVocabulary(["a", "b", "c", "id"])

    /// Reads a document whose chunks end at each of `cuts` (ascending) and at its end.
    static func outcome(
        _ document: [UInt8], cuts: [Int] = [], limits: XMLLimits = XMLLimits(), recorder: Recorder = Recorder(),
        mode: XMLReader.Mode = .tokenizerFirst
    ) -> Outcome {
        let reader = XMLReader(vocabulary: vocabulary, limits: limits, handler: recorder, mode: mode)
        var failure: CodedFailure?
        do throws(CodedFailure) {
            var start = 0
            for end in cuts + [document.count] where end > start {
                try read(document[start..<end], by: reader)
                start = end
            }
            try reader.finish()
        } catch { failure = error }
        return Outcome(
            events: recorder.events, findings: reader.log.findings, failure: failure, encoding: reader.encoding)
    }

    static func outcome(_ document: String, recorder: Recorder = Recorder()) -> Outcome {
        outcome(Array(document.utf8), recorder: recorder)
    }

    static func outcome(_ document: [UInt8], chunk: Int) -> Outcome {
        outcome(document, cuts: Array(stride(from: chunk, to: document.count, by: chunk)))
    }

    private static func read(_ bytes: ArraySlice<UInt8>, by reader: XMLReader) throws(CodedFailure) {
        var failure: CodedFailure?
        bytes.withUnsafeBytes { chunk in
            do throws(CodedFailure) { try reader.read(chunk) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

/// Documents that put every kind of markup next to every other.
enum Samples {
    static let documents: [String] = [
        "<a/>",
        "<a><b>1 2 3</b><c id='7'/></a>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?pi in the prolog?>\n<!-- before -->\n<a>\n\t<b id=\"x\">one</b>\n</a>\n<!-- after --><?pi?>",
        "<a>\r\n  <b>1 2\r\n3 4\r\n5</b>\r\n\t<c/>\r\n</a>\r\n",
        "<a>\n<b\n  id='1'\n\txmlns:x='u'\n  x:id = \"2\"\n>t</b\n></a>",
        "<a>one<!-- c -->two<?p i?>three<![CDATA[four]]>five<![CDATA[]]>six<!----><c/>seven</a>",
        "<a><![CDATA[]]><![CDATA[x]]><![CDATA[ ]] ]> <b> ]]]]><b/><!-- <b> --><?q <b>?></a>",
        "<a>é<b id='ü>/>'>漢字𝄞é</b>é<c/>é</a>",
        "<a id='<!-- no'  >&lt;&amp;&#65;&#x20AC;x<b>&gt;</b>&quot; tail</a>".replacing("<!-- no", with: "&lt;!-- no"),
        "<a id='a > b' b=\"'>'\"><b id=\"/\"/><c id='/'>x</c></a>",
        "<a>\n\n\n<b>\n1\n2\n3</b><!-- \n \n --><b>\n4</b><?p \n?>5\n<c/>6<![CDATA[\n7\n]]>8</a>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">\n<a>x</a>",
        "<?xml version='1.0'?><!DOCTYPE a [\n <!ELEMENT a ANY>\n <!ATTLIST a id CDATA 'd'> ]>\n<a>x<b/>y</a>",
        "<x:a xmlns:x='u' xmlns='v' x:id='1'><b/><x:b>t</x:b><y:c xmlns:y='u'/></x:a>",
        "<a>" + String(repeating: "0.25 -1e3\t7\n", count: 9000) + "<b/>" + String(repeating: "é 1\r\n", count: 3000)
            + "</a>",
        "<a><!--" + String(repeating: "- x\n", count: 20_000) + "--><b>" + String(repeating: "<c/>", count: 5000)
            + "</b>t</a>",
    ]

    /// Documents that are broken, each at one place.
    static let broken: [String] = [
        "", " ", "x", "<", "<a", "<a>", "<a></b>", "<a>\n  <b></c>\n</a>", "<a id='1' id='2'/>",
        "<a>\n<b id='1'\n  id='2'>t</b></a>",
        "<a>&undeclared;</a>", "<a>\n x &#0; </a>", "<a b></a>", "<a b='<'/>", "<a/><b/>", "<a/>text", "<a>]]></a>",
        "<a><!-- -- --></a>", "<a><!-- ", "<a><![CDATA[ x", "<a><?pi", "<a/><!--", "<a>\u{1}</a>", "<a\u{0}/>",
        "<a>x\u{0}y</a>",
        "< a/>", "<a <b/></a>", "</a>", "<a></a></a>", "<a><b></a></b>", "<?xml version='9.0' encoding='?'?><a/>",
        "<a>&amp</a>",
        "<a>é漢\n<b>é</c></a>", "<a x='1'y='2'/>", "<a>\n<b></b\n<c/></a>", "<1/>", "<a><!x></a>",
        "<a><![CDATX[ ]]></a>",
        "<a><!DOCTYPE a><b/></a>", "<a b='\n\n>", "<a b=\"x><b/></a>",
    ]
}

extension String {
    /// With every `other` replaced.
    func replacing(_ other: String, with new: String) -> String {
        var result = ""
        var rest = self[...]
        while let first = rest.first {
            if rest.hasPrefix(other) {
                result += new
                rest = rest.dropFirst(other.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
