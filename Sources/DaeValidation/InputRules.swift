import DaeCollada
import DaeDiagnostics
import DaeXML

/// The inputs of primitives, vertices and skins.
struct InputRules {
    /// By their length, the lists with which nothing was wrong last: those of a document's meshes are mostly the same.
    private var plain = [[Slot]](repeating: [], count: 8)

    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        var rules = InputRules()
        rules.check(subject.linked.document, &log)
    }

    private mutating func check(_ document: ColladaDocument, _ log: inout FindingLog) {
        // Of the others this was asked when they were read.
        for index in document.meshesAskedAgain {
            switch document.geometries[index].kind {
            case .mesh(let mesh), .convexMesh(let mesh, hullOf: _):
                check(mesh, of: document.geometries[index].id, &log)
            case .spline, .brep, .empty: break
            }
        }
        for index in document.controllers.indices {
            guard case .skin(let skin) = document.controllers[index].kind else { continue }
            let id = document.controllers[index].id
            check(skin.joints, of: id, &log)
            guard let weights = skin.weights else { continue }
            check(weights.inputs, of: id, &log)
            Self.checkGaps(weights.inputs, at: Place(weights.position, of: id), &log)
        }
    }

    /// Whether there is anything to report about a mesh's.
    mutating func haveFault(in mesh: ColladaDocument.Mesh) -> Bool {
        if areInvalid(mesh.vertices) { return true }
        for index in mesh.primitives.indices {
            if areInvalid(mesh.primitives[index].inputs) || Self.gap(in: mesh.primitives[index].inputs) != nil {
                return true
            }
        }
        return false
    }

    private mutating func areInvalid(_ inputs: [ColladaDocument.Input]) -> Bool {
        guard !inputs.isEmpty, !isPlain(inputs) else { return false }
        var unheard = FindingLog()
        if Self.report(of: inputs, in: nil, &unheard) { return true }
        remember(inputs)
        return false
    }

    private mutating func check(_ mesh: ColladaDocument.Mesh, of id: String?, _ log: inout FindingLog) {
        check(mesh.vertices, of: id, &log)
        for index in mesh.primitives.indices {
            check(mesh.primitives[index].inputs, of: id, &log)
            Self.checkGaps(
                mesh.primitives[index].inputs, at: Place(mesh.primitives[index].position, of: id), &log)
        }
    }

    // MARK: - Semantics

    private struct Slot: Hashable {
        let semantic: String
        let set: Int?
    }

    /// - Parameter id: Of the library element that they are in.
    private mutating func check(_ inputs: [ColladaDocument.Input], of id: String?, _ log: inout FindingLog) {
        guard !inputs.isEmpty, !isPlain(inputs) else { return }
        if !Self.report(of: inputs, in: id, &log) { remember(inputs) }
    }

    private mutating func remember(_ inputs: [ColladaDocument.Input]) {
        guard inputs.count < plain.count else { return }
        plain[inputs.count] = inputs.map { Slot(semantic: $0.semantic, set: $0.set) }
    }

    private func isPlain(_ inputs: [ColladaDocument.Input]) -> Bool {
        guard inputs.count < plain.count, plain[inputs.count].count == inputs.count else { return false }
        for index in inputs.indices {
            guard inputs[index].set == plain[inputs.count][index].set,
                inputs[index].semantic == plain[inputs.count][index].semantic
            else { return false }
        }
        return true
    }

    /// Says whether there was anything to report.
    private static func report(of inputs: [ColladaDocument.Input], in id: String?, _ log: inout FindingLog) -> Bool {
        var isInvalid = false
        var first: [Slot: Int] = [:]
        let texcoords = inputs.count { $0.semantic == "TEXCOORD" }
        let hasSets = texcoords > 1 && inputs.contains { $0.semantic == "TEXCOORD" && $0.set != nil }
        for (number, input) in inputs.enumerated() {
            func here(_ number: Int) -> Place { Place(inputs[number].source.position, of: id) }
            let slot = Slot(semantic: input.semantic, set: input.set)
            if inputs.count > 1, let earlier = first.updateValue(number, forKey: slot) {
                first[slot] = earlier
                isInvalid = true
                log.add(
                    .inputDuplicateSemantic, at: here(number),
                    "a second input has the semantic \(input.semantic.quoted()) and \(input.set.map { "the set \($0)" } ?? "no set"); the first one counts",
                    arguments: [.init("semantic", input.semantic)] + (input.set.map { [.init("set", "\($0)")] } ?? []),
                    related: [here(earlier)])
            }
            if hasSets, input.semantic == "TEXCOORD", input.set == nil {
                isInvalid = true
                log.add(
                    .inputSetMissing, at: here(number),
                    "of \(texcoords) TEXCOORD inputs this one has no set, by which materials choose",
                    arguments: [.init("inputs", "\(texcoords)")])
            }
            if !input.semantic.isEmpty, !known.contains(input.semantic) {
                isInvalid = true
                log.add(
                    .inputUnknownSemantic, at: here(number),
                    "COLLADA has no semantic \(input.semantic.quoted()); it is kept under its name",
                    arguments: [.init("semantic", input.semantic)])
            }
        }
        return isInvalid
    }

    /// - Source: COLLADA 1.4.1 and 1.5.0, chapter 5, `<input>`; POSITION to WEIGHT.
    private static let known: Set<String> = [
        "BINORMAL", "COLOR", "CONTINUITY", "IMAGE", "INPUT", "IN_TANGENT", "INTERPOLATION", "INV_BIND_MATRIX", "JOINT",
        "LINEAR_STEPS", "MORPH_TARGET", "MORPH_WEIGHT", "NORMAL", "OUTPUT", "OUT_TANGENT", "POSITION", "TANGENT",
        "TEXBINORMAL", "TEXCOORD", "TEXTANGENT", "UV", "VERTEX", "WEIGHT",
    ]

    // MARK: - Offsets

    private struct Gap {
        let first: Int
        /// Indices that no input reads.
        let unused: Int
        /// Indices of a corner.
        let stride: Int
    }

    private static func gap(in inputs: [ColladaDocument.Input]) -> Gap? {
        // The reader takes no larger ones than 64.
        var used: UInt128 = 0
        for index in inputs.indices { used |= 1 << UInt128(inputs[index].offset) }
        let stride = UInt128.bitWidth - used.leadingZeroBitCount
        let unused = stride - used.nonzeroBitCount
        return unused == 0 ? nil : Gap(first: (~used).trailingZeroBitCount, unused: unused, stride: stride)
    }

    private static func checkGaps(
        _ inputs: [ColladaDocument.Input], at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        guard let gap = gap(in: inputs) else { return }
        log.add(
            .inputOffsetGap, at: place(),
            "\(gap.unused) of \(gap.stride) indices of a corner are read by no input, the first has the offset \(gap.first)",
            arguments: [.init("offset", "\(gap.first)"), .init("stride", "\(gap.stride)")])
    }
}

/// The sources of meshes and controllers.
enum SourceRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        // Of the others this was asked when they were read.
        for index in document.meshesAskedAgain {
            switch document.geometries[index].kind {
            case .mesh(let mesh), .convexMesh(let mesh, hullOf: _):
                check(mesh.sources, of: document.geometries[index].id, &log)
            case .spline, .brep, .empty: break
            }
        }
        for index in document.controllers.indices {
            let id = document.controllers[index].id
            switch document.controllers[index].kind {
            case .skin(let skin): check(skin.sources, of: id, &log)
            case .morph(let morph): check(morph.sources, of: id, &log)
            case .empty: break
            }
        }
    }

    /// Whether there is anything to report about some.
    static func haveFault(_ sources: [ColladaDocument.Source]) -> Bool {
        let all = sources.span
        for number in all.indices where all[number].isInvalid { return true }
        return false
    }

    /// - Parameter id: Of the library element that they are in.
    private static func check(_ sources: [ColladaDocument.Source], of id: String?, _ log: inout FindingLog) {
        let all = sources.span
        for number in all.indices where all[number].isInvalid {
            let source = sources[number]
            guard let accessor = source.accessor else { continue }
            let place = Place(source.position, of: source.id ?? id)
            if accessor.count == 0 {
                log.add(.sourceEmpty, at: place, "the source has 0 elements; expected at least 1")
            }
            let nameless = accessor.params.count { $0 == nil }
            if nameless > 0 {
                log.add(
                    .accessorParamUnnamed, at: place,
                    "\(nameless) of \(accessor.params.count) values of each element have a param without a name: by the letter they are left out",
                    arguments: [.init("unnamed", "\(nameless)"), .init("params", "\(accessor.params.count)")])
            }
        }
    }
}

extension ColladaDocument.Source {
    /// Whether there is anything to report about it.
    fileprivate var isInvalid: Bool {
        guard let accessor else { return false }
        return accessor.count == 0 || accessor.params.contains { $0 == nil }
    }
}
