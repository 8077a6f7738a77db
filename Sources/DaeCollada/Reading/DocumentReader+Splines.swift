// Splines and boundary representations, read as structure.

import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

extension DocumentReader {
    mutating func decodeSpline(_ view: ElementView) -> ColladaDocument.Spline {
        let vertices = decodeControlVertices(view)
        return ColladaDocument.Spline(
            ends: bool(.closed, of: view) ? .closed : .open, sources: vertices.sources,
            controlVertices: vertices.inputs)
    }

    private mutating func decodeControlVertices(
        _ view: ElementView
    ) -> (sources: [ColladaDocument.Source], inputs: [ColladaDocument.Input]) {
        checkArrays(in: view)
        let sources = kept(decodeSources(in: view))
        let inputs = needed(.controlVertices, in: view)?.all(.input).map { decodeInput($0) } ?? []
        check(inputs, among: Set(sources.compactMap(\.id)))
        return (sources, inputs)
    }

    private mutating func check(_ inputs: [ColladaDocument.Input], among ids: Set<String>) {
        for input in inputs where !ids.contains(input.source.id) && !ids.contains(input.source.id.percentDecoded) {
            log.add(
                .accessorNoSource, at: Place(input.source.position),
                "the \(input.semantic) input's source \(input.source.text.quoted()) is not here",
                arguments: [.init("reference", input.source.text)])
        }
    }

    mutating func decodeBrep(_ view: ElementView) -> ColladaDocument.Brep {
        checkArrays(in: view)
        var brep = ColladaDocument.Brep()
        brep.curves = view.first(.curves)?.all(.curve).map { decodeCurve($0) } ?? []
        brep.surfaceCurves = view.first(.surfaceCurves)?.all(.curve).map { decodeCurve($0) } ?? []
        brep.surfaces = view.first(.surfaces)?.all(.surface).map { decodeSurface($0) } ?? []
        brep.sources = kept(decodeSources(in: view))
        for child in view.children {
            if child.name == .vertices {
                brep.verticesID = child.attribute(.id)
                brep.vertices = child.all(.input).map { decodeInput($0) }
            } else if let kind = ColladaDocument.Topology.Kind(rawValue: child.name.rawValue) {
                brep.topologies.append(decodeTopology(child, kind))
            }
        }
        let ids = brep.sources.map(\.id) + [brep.verticesID] + brep.topologies.map(\.id)
        check(brep.vertices + brep.topologies.flatMap(\.inputs), among: Set(ids.compactMap { $0 }))
        return brep
    }

    private mutating func decodeTopology(
        _ view: ElementView, _ kind: ColladaDocument.Topology.Kind
    ) -> ColladaDocument.Topology {
        let inputs = view.all(.input).map { decodeInput($0) }
        let counts = view.first(.vcount)?.takeIntegers() ?? []
        let indices = view.first(.p)?.takeIntegers() ?? []
        let stride = (inputs.map(\.offset).max() ?? 0) + 1
        let elements = kind == .edges ? indices.count / stride : counts.count
        let keeps = options.retention == .everything
        let topology = ColladaDocument.Topology(
            kind: kind, id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            count: view.integer(.count), inputs: inputs, partCounts: keeps ? counts.array : [],
            indices: keeps ? indices.array : [], elements: elements)
        if let count = topology.count, count != elements {
            log.add(
                .primitiveCountMismatch, at: view.place,
                "<\(kind.rawValue)> says count \(count), but has \(elements)",
                arguments: [.init("count", "\(count)"), .init("found", "\(elements)")])
        }
        return topology
    }

    // MARK: - Curves

    private mutating func decodeCurve(_ view: ElementView) -> ColladaDocument.Curve {
        ColladaDocument.Curve(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            form: curveForm(within: view),
            placement: curvePlacement(view))
    }

    private mutating func curvePlacement(_ view: ElementView) -> ColladaDocument.Placement {
        .init(orients: view.all(.orient).compactMap { quadruple(in: $0) }, origin: vector(in: view.first(.origin)))
    }

    /// The first of those within.
    private mutating func curveForm(within view: ElementView) -> ColladaDocument.Curve.Form {
        for child in view.children {
            if let form = curveForm(child) { return form }
        }
        return .unknown
    }

    /// `nil` for what is no curve.
    private mutating func curveForm(_ view: ElementView) -> ColladaDocument.Curve.Form? {
        switch view.name {
        case .line:
            guard let origin = vector(in: needed(.origin, in: view)),
                let direction = vector(in: needed(.direction, in: view))
            else { return ColladaDocument.Curve.Form.unknown }
            return .line(origin: origin, direction: direction)
        case .circle: return real(in: needed(.radius, in: view)).map { .circle(radius: $0) }
        case .ellipse: return pair(in: needed(.radius, in: view)).map { .ellipse(radii: $0) }
        case .parabola: return real(in: needed(.focal, in: view)).map { .parabola(focal: $0) }
        case .hyperbola: return pair(in: needed(.radius, in: view)).map { .hyperbola(radii: $0) }
        case .nurbs: return .nurbs(decodeNurbs(view, [(.degree, .closed)]))
        default: return nil  // element names: every other one is no curve
        }
    }

    private mutating func decodeNurbs(
        _ view: ElementView, _ directions: [(degree: AttributeName, closed: AttributeName)]
    ) -> ColladaDocument.Nurbs {
        let vertices = decodeControlVertices(view)
        return ColladaDocument.Nurbs(
            degrees: directions.map { max(0, view.integer($0.degree) ?? 0) },
            ends: directions.map { bool($0.closed, of: view) ? .closed : .open }, sources: vertices.sources,
            controlVertices: vertices.inputs)
    }

    // MARK: - Surfaces

    private mutating func decodeSurface(_ view: ElementView) -> ColladaDocument.Surface {
        ColladaDocument.Surface(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            form: surfaceForm(within: view),
            placement: curvePlacement(view))
    }

    /// The first of those within.
    private mutating func surfaceForm(within view: ElementView) -> ColladaDocument.Surface.Form {
        for child in view.children {
            if let form = surfaceForm(child) { return form }
        }
        return .unknown
    }

    /// `nil` for what is no surface.
    private mutating func surfaceForm(_ view: ElementView) -> ColladaDocument.Surface.Form? {
        switch view.name {
        case .plane: return quadruple(in: needed(.equation, in: view)).map { .plane(equation: $0) }
        case .sphere: return real(in: needed(.radius, in: view)).map { .sphere(radius: $0) }
        case .torus: return pair(in: needed(.radius, in: view)).map { .torus(radii: $0) }
        case .cylinder: return reals(in: needed(.radius, in: view), 1...2).map { .cylinder(radius: $0[0]) }
        case .cone:
            guard let radius = real(in: needed(.radius, in: view)), let angle = real(in: needed(.angle, in: view))
            else { return ColladaDocument.Surface.Form.unknown }
            return .cone(radius: radius, angle: angle)
        case .nurbsSurface: return .nurbs(decodeNurbs(view, [(.degreeU, .closedU), (.degreeV, .closedV)]))
        case .sweptSurface: return .swept(decodeSweep(view))
        default: return nil  // element names: every other one is no surface
        }
    }

    private mutating func decodeSweep(_ view: ElementView) -> ColladaDocument.Sweep {
        var path = ColladaDocument.Sweep.Path.unknown
        if let direction = vector(in: view.first(.direction)) {
            path = .extrusion(direction: direction)
        } else if let axis = vector(in: view.first(.axis)) {
            path = .revolution(origin: vector(in: view.first(.origin)) ?? .zero, axis: axis)
        }
        return ColladaDocument.Sweep(curve: view.first(.curve).map { decodeCurve($0) }, path: path)
    }
}
