import ColladaParser
import Diagnostics
import XMLReader

/// The sources of meshes and controllers.
enum SourceRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        // Of the others this was asked when they were read.
        for index in document.meshesAskedAgain {
            switch document.geometries[index].kind {
            case .mesh(let mesh):
                check(mesh.sources, &log) { places.geometry(index, inner: "/mesh/" + $0, at: $1) }
            case .convexMesh(let mesh, hullOf: _):
                check(mesh.sources, &log) { places.geometry(index, inner: "/convex_mesh/" + $0, at: $1) }
            case .spline, .brep, .empty: break
            }
        }
        for index in document.controllers.indices {
            switch document.controllers[index].kind {
            case .skin(let skin): check(skin.sources, &log) { places.controller(index, inner: "/skin/" + $0, at: $1) }
            case .morph(let morph):
                check(morph.sources, &log) { places.controller(index, inner: "/morph/" + $0, at: $1) }
            case .empty: break
            }
        }
    }

    /// Whether there is anything to tell of some.
    static func haveFault(_ sources: [ColladaDocument.Source]) -> Bool {
        let all = sources.span
        for number in all.indices where all[number].isOdd { return true }
        return false
    }

    /// - Parameter place: Of a step from the element that holds the sources.
    private static func check(
        _ sources: [ColladaDocument.Source], _ log: inout FindingLog, place: (String, XMLPosition) -> Place
    ) {
        let all = sources.span
        for number in all.indices where all[number].isOdd {
            let source = sources[number]
            guard let accessor = source.accessor else { continue }
            func here() -> Place {
                var here = place(DocumentPlaces.step("source", id: source.id, number: number), source.position)
                here.elementID = source.id ?? here.elementID
                return here
            }
            if accessor.count == 0 {
                log.add(.sourceEmpty, at: here(), "the source has 0 elements; expected at least 1")
            }
            let nameless = accessor.params.count { $0 == nil }
            if nameless > 0 {
                log.add(
                    .accessorParamUnnamed, at: here(),
                    "\(nameless) of \(accessor.params.count) values of each element have a param without a name: by the letter they are left out",
                    arguments: [.init("unnamed", "\(nameless)"), .init("params", "\(accessor.params.count)")])
            }
        }
    }
}

extension ColladaDocument.Source {
    /// Whether there is anything to tell of it.
    fileprivate var isOdd: Bool {
        guard let accessor else { return false }
        return accessor.count == 0 || accessor.params.contains { $0 == nil }
    }
}
