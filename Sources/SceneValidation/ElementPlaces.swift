// What is found once a document was read knows only where its element stands; which one that is, a second look tells.

package import Archive
import ByteSource
import ColladaParser
package import Diagnostics
import XMLReader

/// Says of findings which element they are about, where only its line and column are known.
package enum FindingPaths {
    /// Gives places that have a line and column, but no path, the path and id of the element there.
    ///
    /// Reads the documents again that hold such places, up to the last of them, unless they lie on a server.
    ///
    /// - Parameter isCancelled: Asked now and then; what was not found until then stays without.
    package static func complete(_ log: inout FindingLog, in bundle: Bundle, isCancelled: () -> Bool = { false }) {
        guard bundle.source?.distance != .far else { return }
        var found: [Spot: ElementLocator.Element] = [:]
        for (path, spots) in wanted(in: log) {
            guard let entry = bundle.entry(at: path) else { continue }
            let locator = ElementLocator(spots.map { .init(line: $0.line, column: $0.column) })
            let reader = XMLReader(vocabulary: XMLVocabulary([]), handler: locator)
            // What could not be read was told when it was read first.
            try? bundle.read(entry) { chunk in
                if locator.isDone || isCancelled() { throw CancellationError() }
                try reader.read(chunk)
            }
            for (spot, element) in zip(spots, locator.elements) { found[spot] = element }
        }
        guard !found.isEmpty else { return }
        log.updatePlaces { place in
            guard let element = Spot(place).flatMap({ found[$0] }) else { return }
            place.path = element.path
            place.elementID = place.elementID ?? element.id
        }
    }

    /// Of each document in order of their lines.
    private static func wanted(in log: FindingLog) -> [(path: String, spots: [Spot])] {
        var spots: [String: Set<Spot>] = [:]
        for place in log.findings.flatMap({ [$0.place] + $0.related }) {
            if let spot = Spot(place) { spots[spot.entry, default: []].insert(spot) }
        }
        return spots.sorted { $0.key < $1.key }.map { path, spots in
            (path, spots.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
        }
    }

    private struct Spot: Hashable {
        let entry: String
        let line: Int
        let column: Int

        /// `nil` for a place that has its path, or no line.
        init?(_ place: Place) {
            guard place.path == nil, let entry = place.entry, let line = place.line, let column = place.column else {
                return nil
            }
            self.entry = entry
            self.line = line
            self.column = column
        }
    }
}

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

// A document keeps of each element where it begins; the path to it follows from what holds it.

/// The places of a document's elements, with their paths.
struct DocumentPlaces {
    private let document: ColladaDocument
    /// The node that each node stands in; -1 for none.
    private let parents: [Int]
    /// By root node the visual scene that it stands in.
    private let scenes: [Int: Int]

    init(_ document: ColladaDocument) {
        self.document = document
        var parents = [Int](repeating: -1, count: document.nodes.count)
        for index in document.nodes.indices { document.nodes[index].forEachChild { parents[$0] = index } }
        var scenes: [Int: Int] = [:]
        for (scene, visual) in document.visualScenes.enumerated() {
            for root in visual.nodes { scenes[root] = scene }
        }
        self.parents = parents
        self.scenes = scenes
    }

    /// Whether a node stands neither in another one nor in a visual scene.
    func isInLibrary(_ node: Int) -> Bool { parents[node] < 0 && scenes[node] == nil }

    /// The node around a node; `nil` for a root.
    func parent(of node: Int) -> Int? { parents[node] < 0 ? nil : parents[node] }

    // MARK: - Nodes

    func node(_ index: Int) -> Place {
        var place = Place(document.nodes[index].position)
        var steps: [String] = []
        var here = index
        while true {
            let id = document.nodes[here].id
            place.elementID = place.elementID ?? id
            let around = parent(of: here)
            let siblings =
                around.map { document.nodes[$0].children } ?? scenes[here].map { document.visualScenes[$0].nodes }
            steps.append(Self.step("node", id: id, number: siblings?.firstIndex(of: here)))
            guard let around else { break }
            here = around
        }
        guard let scene = scenes[here] else {
            // Without an id nothing says which of the libraries' nodes it is.
            if document.nodes[here].id == nil { return place }
            place.path = "/COLLADA/library_nodes/" + steps.reversed().joined(separator: "/")
            return place
        }
        let visual = visualScene(scene)
        place.elementID = place.elementID ?? visual.elementID
        place.path = visual.path.map { $0 + "/" + steps.reversed().joined(separator: "/") }
        return place
    }

    func visualScene(_ index: Int) -> Place {
        let scene = document.visualScenes[index]
        return library(.visualScene, id: scene.id, at: scene.position)
    }

    // MARK: - Libraries

    /// An element of a library, or one within it.
    ///
    /// - Parameters:
    ///   - id: The library element's own; without one its path is not known.
    ///   - inner: The way on from it.
    func library(_ kind: LibraryKind, id: String?, inner: String = "", at position: XMLPosition) -> Place {
        var place = Place(position)
        place.elementID = id
        guard let id else { return place }
        place.path = "/COLLADA/\(kind.library)/" + Self.step(kind.element, id: id, number: nil) + inner
        return place
    }

    func geometry(_ index: Int, inner: String = "", at position: XMLPosition? = nil) -> Place {
        let geometry = document.geometries[index]
        return library(.geometry, id: geometry.id, inner: inner, at: position ?? geometry.position)
    }

    func controller(_ index: Int, inner: String = "", at position: XMLPosition? = nil) -> Place {
        let controller = document.controllers[index]
        return library(.controller, id: controller.id, inner: inner, at: position ?? controller.position)
    }

    /// - Parameter number: From 0 among those of the same name in the same element.
    static func step(_ element: String, id: String?, number: Int?) -> String {
        if let id { return "\(element)[@id='\(id)']" }
        guard let number, number > 0 else { return element }
        return "\(element)[\(number + 1)]"
    }
}
