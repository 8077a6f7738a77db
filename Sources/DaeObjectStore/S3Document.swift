import DaeXML

// What S3 answers is small and shallow.

/// An element of an XML document with its text and all that is in it.
struct S3Document {
    let name: String
    fileprivate(set) var text = ""
    fileprivate(set) var elements: [S3Document] = []

    /// The root of a document; `nil` for what is none.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        var limits = XMLLimits()
        (limits.depth, limits.names) = (16, 256)
        let handler = Reader()
        let reader = XMLReader(vocabulary: XMLVocabulary([]), limits: limits, handler: handler)
        let isWhole: Void? = try? bytes.withUnsafeBytes {
            try reader.read($0)
            try reader.finish()
        }
        guard isWhole != nil, let root = handler.root else { return nil }
        self = root
    }

    fileprivate init(name: String) { self.name = name }

    /// The text of the first element of a name.
    subscript(name: String) -> String? { elements.first { $0.name == name }?.text }

    private final class Reader: XMLEventHandler {
        private(set) var root: S3Document?
        private var open: [S3Document] = []

        func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
            open.append(S3Document(name: name.localName))
            return .proceed
        }

        func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
            guard !open.isEmpty else { return .proceed }
            open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
            return .proceed
        }

        func endElement(at position: XMLPosition) -> XMLFlow {
            guard let element = open.popLast() else { return .proceed }
            if open.isEmpty { root = element } else { open[open.count - 1].elements.append(element) }
            return .proceed
        }
    }
}
