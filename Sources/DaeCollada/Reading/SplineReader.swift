import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

/// Reads splines and boundary representations, as structure.
enum SplineReader {
    typealias Document = ColladaDocument

    static func spline(_ view: ElementView, _ context: inout ReadingContext) -> Document.Spline {
        let vertices = controlVertices(view, &context)
        return Document.Spline(
            ends: context.bool(.closed, of: view) ? .closed : .open, sources: vertices.sources,
            controlVertices: vertices.inputs)
    }

    private static func controlVertices(
        _ view: ElementView, _ context: inout ReadingContext
    ) -> (sources: [Document.Source], inputs: [Document.Input]) {
        DataFlowReader.checkArrays(in: view, &context)
        let sources = DataFlowReader.kept(DataFlowReader.sources(in: view, &context), context.options.retention)
        let inputs = DataFlowReader.inputs(of: context.needed(.controlVertices, in: view), &context)
        check(inputs, among: Set(sources.compactMap(\.id)), &context)
        return (sources, inputs)
    }

    private static func check(_ inputs: [Document.Input], among ids: Set<String>, _ context: inout ReadingContext) {
        for input in inputs where !ids.contains(input.source.id) && !ids.contains(input.source.id.percentDecoded) {
            DataFlowReader.reportMissingSource(of: input, &context)
        }
    }

    static func brep(_ view: ElementView, _ context: inout ReadingContext) -> Document.Brep {
        DataFlowReader.checkArrays(in: view, &context)
        var brep = Document.Brep()
        brep.curves = view.first(.curves)?.all(.curve).map { curve($0, &context) } ?? []
        brep.surfaceCurves = view.first(.surfaceCurves)?.all(.curve).map { curve($0, &context) } ?? []
        brep.surfaces = view.first(.surfaces)?.all(.surface).map { surface($0, &context) } ?? []
        brep.sources = DataFlowReader.kept(DataFlowReader.sources(in: view, &context), context.options.retention)
        for child in view.children {
            if child.name == .vertices {
                brep.verticesID = child.attribute(.id)
                brep.vertices = DataFlowReader.inputs(of: child, &context)
            } else if let kind = Document.Topology.Kind(rawValue: child.name.rawValue) {
                brep.topologies.append(topology(child, kind, &context))
            }
        }
        let ids = brep.sources.map(\.id) + [brep.verticesID] + brep.topologies.map(\.id)
        check(brep.vertices + brep.topologies.flatMap(\.inputs), among: Set(ids.compactMap { $0 }), &context)
        return brep
    }

    private static func topology(
        _ view: ElementView, _ kind: Document.Topology.Kind, _ context: inout ReadingContext
    ) -> Document.Topology {
        let inputs = DataFlowReader.inputs(of: view, &context)
        let counts = view.first(.vcount)?.takeIntegers() ?? []
        let indices = view.first(.p)?.takeIntegers() ?? []
        let stride = (inputs.map(\.offset).max() ?? 0) + 1
        let elements = kind == .edges ? indices.count / stride : counts.count
        let keeps = context.options.retention == .everything
        let topology = Document.Topology(
            kind: kind, id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            count: view.integer(.count), inputs: inputs, partCounts: keeps ? counts.array : [],
            indices: keeps ? indices.array : [], elements: elements)
        if let count = topology.count, count != elements {
            context.log.add(
                .primitiveCountMismatch, at: view.place,
                "<\(kind.rawValue)> says count \(count), but has \(elements)",
                arguments: [.init("count", "\(count)"), .init("found", "\(elements)")])
        }
        return topology
    }

    // MARK: - Curves

    private static func curve(_ view: ElementView, _ context: inout ReadingContext) -> Document.Curve {
        Document.Curve(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            form: view.firstOfChildren { curveForm($0, &context) } ?? .unknown,
            placement: curvePlacement(view, &context))
    }

    private static func curvePlacement(_ view: ElementView, _ context: inout ReadingContext) -> Document.Placement {
        .init(
            orients: view.all(.orient).compactMap { context.quadruple(in: $0) },
            origin: context.vector(in: view.first(.origin)))
    }

    /// `nil` for what is no curve.
    private static func curveForm(_ view: ElementView, _ context: inout ReadingContext) -> Document.Curve.Form? {
        switch view.name {
        case .line:
            guard let origin = context.vector(in: context.needed(.origin, in: view)),
                let direction = context.vector(in: context.needed(.direction, in: view))
            else { return Document.Curve.Form.unknown }
            return .line(origin: origin, direction: direction)
        case .circle: return context.real(in: context.needed(.radius, in: view)).map { .circle(radius: $0) }
        case .ellipse: return context.pair(in: context.needed(.radius, in: view)).map { .ellipse(radii: $0) }
        case .parabola: return context.real(in: context.needed(.focal, in: view)).map { .parabola(focal: $0) }
        case .hyperbola: return context.pair(in: context.needed(.radius, in: view)).map { .hyperbola(radii: $0) }
        case .nurbs: return .nurbs(nurbs(view, [(.degree, .closed)], &context))
        default: return nil  // element names: every other one is no curve
        }
    }

    private static func nurbs(
        _ view: ElementView, _ directions: [(degree: AttributeName, closed: AttributeName)],
        _ context: inout ReadingContext
    ) -> Document.Nurbs {
        let vertices = controlVertices(view, &context)
        return Document.Nurbs(
            degrees: directions.map { max(0, view.integer($0.degree) ?? 0) },
            ends: directions.map { context.bool($0.closed, of: view) ? .closed : .open }, sources: vertices.sources,
            controlVertices: vertices.inputs)
    }

    // MARK: - Surfaces

    private static func surface(_ view: ElementView, _ context: inout ReadingContext) -> Document.Surface {
        Document.Surface(
            sid: view.attribute(.sid), name: view.attribute(.name), position: view.position,
            form: view.firstOfChildren { surfaceForm($0, &context) } ?? .unknown,
            placement: curvePlacement(view, &context))
    }

    /// `nil` for what is no surface.
    private static func surfaceForm(_ view: ElementView, _ context: inout ReadingContext) -> Document.Surface.Form? {
        switch view.name {
        case .plane: return context.quadruple(in: context.needed(.equation, in: view)).map { .plane(equation: $0) }
        case .sphere: return context.real(in: context.needed(.radius, in: view)).map { .sphere(radius: $0) }
        case .torus: return context.pair(in: context.needed(.radius, in: view)).map { .torus(radii: $0) }
        case .cylinder:
            return context.reals(in: context.needed(.radius, in: view), 1...2).map { .cylinder(radius: $0[0]) }
        case .cone:
            guard let radius = context.real(in: context.needed(.radius, in: view)),
                let angle = context.real(in: context.needed(.angle, in: view))
            else { return Document.Surface.Form.unknown }
            return .cone(radius: radius, angle: angle)
        case .nurbsSurface: return .nurbs(nurbs(view, [(.degreeU, .closedU), (.degreeV, .closedV)], &context))
        case .sweptSurface: return .swept(sweep(view, &context))
        default: return nil  // element names: every other one is no surface
        }
    }

    private static func sweep(_ view: ElementView, _ context: inout ReadingContext) -> Document.Sweep {
        var path = Document.Sweep.Path.unknown
        if let direction = context.vector(in: view.first(.direction)) {
            path = .extrusion(direction: direction)
        } else if let axis = context.vector(in: view.first(.axis)) {
            path = .revolution(origin: context.vector(in: view.first(.origin)) ?? .zero, axis: axis)
        }
        return Document.Sweep(curve: view.first(.curve).map { curve($0, &context) }, path: path)
    }
}
