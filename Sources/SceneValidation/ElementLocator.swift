import XMLReader

/// Finds the elements that stand at given places of a document: those that begin there, else the innermost around.
final class ElementLocator: XMLEventHandler {
    /// From 1.
    struct Spot {
        let line: Int
        let column: Int
    }

    struct Element {
        /// Such as `/COLLADA/library_geometries/geometry[@id='g']/mesh`.
        let path: String
        /// Of the element, or of the nearest around it that has one.
        let id: String?
    }

    private struct Open {
        let step: String
        let id: String?
        /// Elements of each name so far.
        var children: [String: Int] = [:]
    }

    /// In the document's order.
    private let spots: [Spot]
    /// As many of ``spots`` as were passed; `nil` for those outside of the root element.
    private(set) var elements: [Element?] = []
    private var open: [Open] = []

    init(_ spots: [Spot]) {
        self.spots = spots
        elements.reserveCapacity(spots.count)
    }

    var isDone: Bool { elements.count == spots.count }

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        settle { ($0.line, $0.column) < (position.line, position.column) }
        open.append(opened(name.localName, id: Self.id(in: attributes)))
        settle { ($0.line, $0.column) == (position.line, position.column) }
        return isDone ? .stop : .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .proceed }

    func endElement(at position: XMLPosition) -> XMLFlow {
        settle { ($0.line, $0.column) <= (position.line, position.column) }
        open.removeLast()
        return isDone ? .stop : .proceed
    }

    private func settle(where isReached: (Spot) -> Bool) {
        while !isDone, isReached(spots[elements.count]) { elements.append(innermost) }
    }

    private var innermost: Element? {
        guard !open.isEmpty else { return nil }
        return Element(
            path: "/" + open.map(\.step).joined(separator: "/"), id: open.last { $0.id != nil }?.id)
    }

    /// Siblings of one name are told apart by their ids, else by their number.
    private func opened(_ name: String, id: String?) -> Open {
        var before = 0
        if !open.isEmpty {
            before = open[open.count - 1].children[name, default: 0]
            open[open.count - 1].children[name] = before + 1
        }
        if let id { return Open(step: "\(name)[@id='\(id)']", id: id) }
        return Open(step: before == 0 ? name : "\(name)[\(before + 1)]", id: nil)
    }

    private static func id(in attributes: XMLAttributes) -> String? {
        for index in 0..<attributes.count {
            guard let name = attributes.name(at: index), name.localName == "id", name.text == "id" else { continue }
            return String(decoding: attributes.value(at: index), as: UTF8.self)
        }
        return nil
    }
}
