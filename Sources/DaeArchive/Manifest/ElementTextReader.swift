// Manifests are small and in XML: this finds the texts at the end of one way of element names.

import DaeDiagnostics
import DaeXML

/// Collects the text of every element whose innermost ancestors bear the names of `path`, whatever the namespace.
final class ElementTextReader: XMLEventHandler {
    private let path: [String]
    private let textLimit: Int
    private var open: [String] = []
    private var texts: [String] = []
    private var current: [UInt8] = []
    /// How deep the element whose text is being collected lies; `nil` outside of one.
    private var collecting: Int?

    private init(path: [String], textLimit: Int) {
        self.path = path
        self.textLimit = textLimit
    }

    static func texts(at path: [String], in bytes: [UInt8]) throws -> [String] {
        let handler = ElementTextReader(path: path, textLimit: 64 << 10)
        let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: handler)
        try bytes.withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        return handler.texts
    }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        open.append(name.localName)
        if collecting == nil, open.count >= path.count, Array(open.suffix(path.count)) == path {
            collecting = open.count
            current = []
        }
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        guard collecting == open.count, current.count < textLimit else { return .proceed }
        current.append(contentsOf: bytes.prefix(textLimit - current.count))
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        if collecting == open.count {
            texts.append(String(decoding: current, as: UTF8.self))
            collecting = nil
        }
        open.removeLast()
        return .proceed
    }
}

/// What a package or model calls itself in its manifest.
package enum ManifestName {
    /// `package/name` of a ROS `package.xml`; `nil` where it has none or is no XML.
    package static func package(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "package") }

    /// `model/name` of a Gazebo `model.config`.
    package static func model(_ manifest: [UInt8]) -> String? { name(in: manifest, below: "model") }

    private static func name(in manifest: [UInt8], below element: String) -> String? {
        let texts = try? ElementTextReader.texts(at: [element, "name"], in: manifest)
        return texts?.first.map(\.trimmedWhiteSpace).flatMap { $0.isEmpty ? nil : $0 }
    }
}
