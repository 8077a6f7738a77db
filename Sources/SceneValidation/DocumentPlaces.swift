// A document keeps of each element where it begins; the path to it follows from what holds it.

import ColladaParser
import Diagnostics
import XMLReader

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
        document.nodes.forEachChild { child, parent in parents[child] = parent }
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
            let siblings = around.map(children) ?? scenes[here].map { document.visualScenes[$0].nodes }
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

    private func children(of node: Int) -> [Int] { Array(document.nodes[node].contents.children) }

    func visualScene(_ index: Int) -> Place {
        let scene = document.visualScenes[index]
        return library("visual_scenes", "visual_scene", id: scene.id, at: scene.position)
    }

    // MARK: - Libraries

    /// An element of a library, or one within it.
    ///
    /// - Parameters:
    ///   - id: The library element's own; without one its path is not known.
    ///   - inner: The way on from it.
    func library(
        _ library: String, _ element: String, id: String?, inner: String = "", at position: XMLPosition
    ) -> Place {
        var place = Place(position)
        place.elementID = id
        guard let id else { return place }
        place.path = "/COLLADA/library_\(library)/" + Self.step(element, id: id, number: nil) + inner
        return place
    }

    func geometry(_ index: Int, inner: String = "", at position: XMLPosition? = nil) -> Place {
        let geometry = document.geometries[index]
        return library(
            "geometries", "geometry", id: geometry.id, inner: inner, at: position ?? geometry.position)
    }

    func controller(_ index: Int, inner: String = "", at position: XMLPosition? = nil) -> Place {
        let controller = document.controllers[index]
        return library(
            "controllers", "controller", id: controller.id, inner: inner, at: position ?? controller.position)
    }

    /// - Parameter number: From 0 among those of the same name in the same element.
    static func step(_ element: String, id: String?, number: Int?) -> String {
        if let id { return "\(element)[@id='\(id)']" }
        guard let number, number > 0 else { return element }
        return "\(element)[\(number + 1)]"
    }
}
