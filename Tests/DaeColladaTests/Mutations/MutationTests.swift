import DaeCollada
import DaeDiagnostics
import DaeScene
import TestSupport
import Testing

/// Every attribute and every reference of a document that has all kinds of them, broken one at a time.
@Suite struct MutationTests {
    private static let documents = ["rich-1.4", "rich-1.5"]

    @Test(arguments: documents)
    func theDocumentIsWithoutFindings(name: String) throws {
        let outcome = Outcome(try Repository.fixture("documents/\(name).dae"))
        #expect(outcome.failure == nil)
        // That a formula is not evaluated is told of every one.
        let odd = outcome.findings.filter { $0.code != .formulaUnsupported }
        #expect(odd.isEmpty, "\(odd)")
        #expect(outcome.findings.count == outcome.document.formulas.count)
        #expect(SceneCensus(of: outcome.scene).nodes == 6)
        #expect(outcome.scene.animations.last?.channels.count == 6)
    }

    @Test func theDocumentHasEveryReferenceOfKinematics() throws {
        let outcome = Outcome(try Repository.fixture("documents/rich-1.5.dae"))
        let kinematics = outcome.scene.kinematics
        #expect(kinematics.models.map(\.joints.count) == [4, 1])
        #expect(kinematics.models.map(\.roots.count) == [1, 1])
        #expect(
            kinematics.models.map(\.formulas) == [
                [
                    JointFormula(formula: SceneIndex(1), joint: SceneIndex(3), sources: [SceneIndex(0)]),
                    JointFormula(formula: SceneIndex(0), joint: SceneIndex(2), sources: [SceneIndex(1)]),
                    JointFormula(formula: SceneIndex(2), joint: SceneIndex(1), sources: [SceneIndex(3)]),
                    JointFormula(formula: SceneIndex(0), joint: SceneIndex(1), sources: [SceneIndex(0)]),
                ], [],
            ])
        #expect(kinematics.systems.map(\.axes.count) == [2, 1])
        #expect(kinematics.systems[0].axes[0].limits == JointLimits(min: -45, max: 45))
        #expect(kinematics.systems[1].axes[0].speed == 10)
        let active = try #require(kinematics.active.first)
        #expect(active.models.map(\.instance) == [1, 0])
        #expect(active.axes.map(\.value) == [15, 1.5, 2])
        #expect(active.axes.map { $0.transform == nil } == [false, false, true])
        let physics = outcome.scene.physics
        #expect(
            physics.models[0].constraints.map(\.reference.anchor) == [
                .body(.init(model: SceneIndex(0), body: SceneIndex(0))),
                .body(.init(model: SceneIndex(0), body: SceneIndex(0))),
            ])
        #expect(physics.scenes[0].instances.map(\.constraints.count) == [1, 1])
    }

    @Test func whatIsBrokenIsToldAndNothingElseChanges() throws {
        var silent: Set<String> = []
        var elsewhere: Set<String> = []
        var mutations = 0
        for name in Self.documents {
            let scan = MarkupScan(try Repository.fixture("documents/\(name).dae"))
            let units = DocumentUnits(scan)
            let whole = Outcome(scan.bytes)
            for mutation in scan.sites.flatMap({ Mutation.all(of: $0, in: scan) }) {
                mutations += 1
                let what = mutation.description(in: scan)
                let line = scan.elements[mutation.site.element].line
                let outcome = Outcome(mutation.bytes(of: scan))
                guard outcome.failure == nil else {
                    Issue.record("\(name):\(line) \(what): \(outcome.failure?.message ?? "")")
                    continue
                }
                let new = outcome.findings.filter { finding in
                    !whole.findings.contains { $0.code == finding.code && $0.place.line == finding.place.line }
                }
                switch telling(of: mutation, new, scan, units) {
                case .atElement: break
                case .elsewhere: elsewhere.insert(what)
                case .silent: silent.insert(what)
                }
                guard let differences = units.differences(outcome.scene, whole.scene) else {
                    Issue.record("\(name):\(line) \(what): parts of the scene are lost")
                    continue
                }
                let strangers = differences.subtracting(units.dependents(of: mutation)).map { units.name($0) }
                #expect(strangers.isEmpty, "\(name):\(line) \(what): \(strangers.sorted()) changed too")
            }
        }
        #expect(mutations > 2000)
        #expect(silent.subtracting(Self.silent).sorted() == [])
        #expect(Self.silent.subtracting(silent).sorted() == [])
        #expect(elsewhere.subtracting(Self.elsewhere).sorted() == [])
        #expect(Self.elsewhere.subtracting(elsewhere).sorted() == [])
    }

    // MARK: - What is told

    private enum Telling {
        /// At the element, one around it, or one that refers to it.
        case atElement
        case elsewhere
        case silent
    }

    private func telling(
        of mutation: Mutation, _ findings: [Finding], _ scan: MarkupScan, _ units: DocumentUnits
    ) -> Telling {
        var lines = Set(scan.lineage(of: mutation.site.element).map { scan.elements[$0].line })
        let old = scan.text(mutation.site)
        switch mutation.site.kind {
        case .attribute("id"), .attribute("sid"):
            // What refers to it is told; where nothing does, there is nothing to tell.
            lines.formUnion(units.lines(using: old))
            if mutation.change != .duplicated, !units.isUsed(old) { return .atElement }
            if let new = mutation.value {
                for element in scan.elements where element.id == new { lines.insert(element.line) }
            }
        case .attribute, .text: break
        }
        guard !findings.isEmpty else { return .silent }
        return findings.contains { $0.place.line.map { lines.contains($0) } ?? false } ? .atElement : .elsewhere
    }

    // MARK: - What is not told

    /// Nothing hangs on these: they describe, or are about what a scene does not hold.
    private static let descriptive = [
        "hex/@format", "index/@semantic", "mips/@auto_generate", "mips/@levels", "param/@name", "param/@type",
        "size/@width", "surface/@type", "technique/@profile", "unit/@name",
        // MathML is kept as it is written.
        "csymbol/@encoding", "math/@xmlns",
        // The name by which an effect's shader has what is bound.
        "bind/@semantic",
        // A channel below an effect may mean what is in another profile: it is kept as it is written.
        "color/@sid",
    ]

    /// Elements whose names nothing refers to.
    private static let named = [
        "animation", "animation_clip", "articulated_system", "axis", "axis_info", "camera", "controller", "effect",
        "effector_info", "force_field", "formula", "geometry", "image", "instance_articulated_system",
        "instance_formula", "instance_joint", "instance_kinematics_model", "instance_kinematics_scene",
        "instance_physics_model", "instance_rigid_body", "instance_rigid_constraint", "joint", "kinematics_model",
        "kinematics_scene", "light", "link", "material", "node", "physics_material", "physics_model", "physics_scene",
        "rigid_body", "rigid_constraint", "visual_scene",
    ]

    /// Without them something else is meant, which is as good.
    private static let optional = [
        "accessor/@offset", "accessor/@stride", "animation_clip/@end", "animation_clip/@start",
        "bind_vertex_input/@input_semantic", "bind_vertex_input/@input_set", "convex_mesh/@convex_hull_of",
        "frame_object/@link", "frame_origin/@link", "frame_tcp/@link", "frame_tip/@link", "init_from/@face",
        "init_from/@mip_index", "input/@offset", "morph/@method", "node/@type",
        "sampler/@post_behavior", "sampler/@pre_behavior", "transparent/@opaque", "unit/@meter",
        // The schema asks for these, but what they say can be seen: arrays are counted, and the accessor's stands beside.
        "IDREF_array/@count", "Name_array/@count", "SIDREF_array/@count", "accessor/@source", "float_array/@count",
        "lines/@count", "polylist/@count", "triangles/@count", "vertex_weights/@count",
    ]

    private static let silent = Set(
        (descriptive + named.map { "\($0)/@name" }).flatMap { ["\($0) emptied", "\($0) nowhere", "\($0) removed"] }
            + optional.map { "\($0) removed" }
            // Of its own meaning, and the address of anything that has an id.
            + ["input/@semantic nowhere", "bind/@target wrongKind"]
            // Nothing is named.
            + ["ci emptied", "csymbol emptied"]
            // The world is meant, or no node.
            + [
                "attachment/@rigid_body", "ref_attachment/@rigid_body", "instance_physics_model/@parent",
                "bind_joint_axis/@target", "bind_kinematics_model/@node",
            ]
            .flatMap { ["\($0) emptied", "\($0) removed"] } + ["instance_rigid_body/@target emptied"])

    /// Told at the other end, where what was meant is missed: joints and texture coordinates at the instance, targets of
    /// a morph at its list of targets, symbols at the bindings, what a texture needs at the shading model, where a
    /// parameter of kinematics leads at what asks for it.
    private static let elsewhere: Set<String> = [
        "IDREF_array emptied", "Name_array emptied", "Name_array nowhere", "Name_array wrongKind",
        "bind/@symbol emptied", "bind/@symbol nowhere", "bind/@symbol wrongKind",
        "SIDREF_array emptied", "SIDREF_array nowhere", "SIDREF_array wrongKind",
        "image/@id emptied",
        "image/@id nowhere", "image/@id removed", "init_from emptied", "init_from nowhere", "init_from wrongKind",
        "input/@semantic nowhere", "input/@set removed", "newparam/@sid emptied", "newparam/@sid nowhere",
        "node/@sid emptied", "node/@sid nowhere", "node/@sid removed", "param/@name emptied", "param/@name removed",
        "polylist/@material emptied", "polylist/@material nowhere", "polylist/@material removed",
        "polylist/@material wrongKind", "source emptied", "source nowhere", "source wrongKind",
        "texture/@texcoord emptied", "texture/@texcoord nowhere", "texture/@texcoord removed",
        "triangles/@material emptied", "triangles/@material nowhere", "triangles/@material removed",
        "triangles/@material wrongKind",
    ]
}
