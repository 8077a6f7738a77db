import DaeXML
import FoundationEssentials

/// One element of a schema's file, with all it holds.
final class XSDNode {
    let tag: String
    let attributes: [String: String]
    var children: [XSDNode] = []

    init(tag: String, attributes: [String: String]) {
        self.tag = tag
        self.attributes = attributes
    }

    subscript(_ name: String) -> String? { attributes[name] }
    var name: String { attributes["name"] ?? "" }
    func first(_ tags: String...) -> XSDNode? { children.first { tags.contains($0.tag) } }
    func all(_ tags: String...) -> [XSDNode] { children.filter { tags.contains($0.tag) } }

    /// This node and every one below it.
    var everyNode: [XSDNode] {
        var found: [XSDNode] = []
        var open = [self]
        while let node = open.popLast() {
            found.append(node)
            open += node.children
        }
        return found
    }

    static func read(_ path: String) throws -> XSDNode {
        let builder = Builder()
        let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: builder)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        try bytes.withUnsafeBytes { try reader.read($0) }
        try reader.finish()
        return builder.top
    }

    private final class Builder: XMLEventHandler {
        let top = XSDNode(tag: "", attributes: [:])
        private lazy var open = [top]

        func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
            var values: [String: String] = [:]
            for index in 0..<attributes.count {
                guard let name = attributes.name(at: index) else { continue }
                values[name.text] = String(decoding: attributes.value(at: index), as: UTF8.self)
            }
            let node = XSDNode(tag: name.localName, attributes: values)
            open.last?.children.append(node)
            open.append(node)
            return .proceed
        }
        func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .proceed }
        func endElement(at position: XMLPosition) -> XMLFlow {
            open.removeLast()
            return .proceed
        }
    }
}
