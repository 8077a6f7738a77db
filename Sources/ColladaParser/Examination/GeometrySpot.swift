public import Diagnostics
import XMLReader

/// Where the mesh of a geometry stands, in so few words that it may be kept of every one: the path is made of it when it
/// is asked for.
public struct GeometrySpot: Sendable {
    private enum Path: Sendable {
        /// Of the element so named in the geometry of this id.
        case below(Library, id: String, ElementName)
        /// Apart, as it is large and rare.
        indirect case whole(Place)
    }
    /// What a geometry stands in, told by where that begins.
    private struct Library {
        let byte: Int64
        let path: String
    }
    private let position: XMLPosition
    private let path: Path

    /// - Parameters:
    ///   - element: The first of its name in its geometry.
    ///   - id: The geometry's.
    ///   - previous: One of the same document, of whose path it shares what it can.
    init(_ element: ElementView, of id: String?, after previous: GeometrySpot?) {
        position = element.position
        guard let id, element.bytes(of: .id) == nil, let library = element.parent?.parent else {
            path = .whole(element.place)
            return
        }
        let byte = library.position.byte
        if case .below(let known, _, _) = previous?.path, known.byte == byte {
            path = .below(known, id: id, element.name)
        } else {
            path = .below(Library(byte: byte, path: library.place.path ?? ""), id: id, element.name)
        }
    }

    public var place: Place {
        switch path {
        case .whole(let place): return place
        case .below(let library, let id, let name):
            var place = Place(position)
            place.elementID = id
            place.path = "\(library.path)/\(ElementName.geometry.rawValue)[@id='\(id)']/\(name.rawValue)"
            return place
        }
    }
}
