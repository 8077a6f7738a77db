import ColladaParser
import Diagnostics
import XMLReader

/// The inputs of primitives, vertices and skins.
enum InputRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        for index in document.geometries.indices {
            switch document.geometries[index].kind {
            case .mesh(let mesh): check(mesh, &log) { places.geometry(index, inner: "/mesh/" + $0, at: $1) }
            case .convexMesh(let mesh, hullOf: _):
                check(mesh, &log) { places.geometry(index, inner: "/convex_mesh/" + $0, at: $1) }
            case .spline, .brep, .empty: break
            }
        }
        for index in document.controllers.indices {
            guard case .skin(let skin) = document.controllers[index].kind else { continue }
            func place(_ step: String, _ position: XMLPosition) -> Place {
                places.controller(index, inner: "/skin/" + step, at: position)
            }
            check(skin.joints, &log) { place("joints/" + $0, $1) }
            guard let weights = skin.weights else { continue }
            check(weights.inputs, &log) { place("vertex_weights/" + $0, $1) }
            checkGaps(weights.inputs, &log) { place("vertex_weights", weights.position) }
        }
    }

    private static func check(
        _ mesh: ColladaDocument.Mesh, _ log: inout FindingLog, place: (String, XMLPosition) -> Place
    ) {
        check(mesh.vertices, &log) { place("vertices/" + $0, $1) }
        var numbers: [ColladaDocument.Primitive.Kind: Int] = [:]
        for primitive in mesh.primitives {
            let number = numbers[primitive.kind, default: 0]
            numbers[primitive.kind] = number + 1
            let step = DocumentPlaces.step(primitive.kind.rawValue, id: nil, number: number)
            check(primitive.inputs, &log) { place(step + "/" + $0, $1) }
            checkGaps(primitive.inputs, &log) { place(step, primitive.position) }
        }
    }

    // MARK: - Semantics

    private struct Slot: Hashable {
        let semantic: String
        let set: Int?
    }

    private static func check(
        _ inputs: [ColladaDocument.Input], _ log: inout FindingLog, place: (String, XMLPosition) -> Place
    ) {
        var first: [Slot: Int] = [:]
        let texcoords = inputs.count { $0.semantic == "TEXCOORD" }
        let hasSets = texcoords > 1 && inputs.contains { $0.semantic == "TEXCOORD" && $0.set != nil }
        for (number, input) in inputs.enumerated() {
            func here(_ number: Int) -> Place {
                place(DocumentPlaces.step("input", id: nil, number: number), inputs[number].source.position)
            }
            let slot = Slot(semantic: input.semantic, set: input.set)
            if inputs.count > 1, let earlier = first.updateValue(number, forKey: slot) {
                first[slot] = earlier
                log.add(
                    .inputDuplicateSemantic, at: here(number),
                    "a second input has the semantic \(input.semantic.quoted) and \(input.set.map { "the set \($0)" } ?? "no set"); the first one counts",
                    arguments: [.init("semantic", input.semantic)] + (input.set.map { [.init("set", "\($0)")] } ?? []),
                    related: [here(earlier)])
            }
            if hasSets, input.semantic == "TEXCOORD", input.set == nil {
                log.add(
                    .inputSetMissing, at: here(number),
                    "of \(texcoords) TEXCOORD inputs this one has no set, by which materials choose",
                    arguments: [.init("inputs", "\(texcoords)")])
            }
            if !input.semantic.isEmpty, !known.contains(input.semantic) {
                log.add(
                    .inputUnknownSemantic, at: here(number),
                    "COLLADA has no semantic \(input.semantic.quoted); it is kept under its name",
                    arguments: [.init("semantic", input.semantic)])
            }
        }
    }

    /// - Source: COLLADA 1.4.1 and 1.5.0, chapter 5, `<input>`; POSITION to WEIGHT.
    private static let known: Set<String> = [
        "BINORMAL", "COLOR", "CONTINUITY", "IMAGE", "INPUT", "IN_TANGENT", "INTERPOLATION", "INV_BIND_MATRIX", "JOINT",
        "LINEAR_STEPS", "MORPH_TARGET", "MORPH_WEIGHT", "NORMAL", "OUTPUT", "OUT_TANGENT", "POSITION", "TANGENT",
        "TEXBINORMAL", "TEXCOORD", "TEXTANGENT", "UV", "VERTEX", "WEIGHT",
    ]

    // MARK: - Offsets

    private static func checkGaps(
        _ inputs: [ColladaDocument.Input], _ log: inout FindingLog, place: () -> Place
    ) {
        // The reader takes no larger ones than 64.
        var used: UInt128 = 0
        for input in inputs { used |= 1 << UInt128(input.offset) }
        let unused = used.leadingZeroBitCount + used.nonzeroBitCount
        guard unused < UInt128.bitWidth, let gap = (0..<128).first(where: { used >> UInt128($0) & 1 == 0 }) else {
            return
        }
        let stride = UInt128.bitWidth - used.leadingZeroBitCount
        log.add(
            .inputOffsetGap, at: place(),
            "\(UInt128.bitWidth - unused) of \(stride) indices of a corner are read by no input, the first has the offset \(gap)",
            arguments: [.init("offset", "\(gap)"), .init("stride", "\(stride)")])
    }
}
