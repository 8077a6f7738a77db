import ArgumentParser
import DaeCore
import Daedalus

struct TreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw the scene graph: nodes, their transforms, and what hangs on them.",
        discussion: """
            A node that is instanced several times is drawn once. With --format json the nodes are a flat list whose \
            children are places in it. Below 64 levels a line tells its level in place of the lines that lead to it. \
            --kinematics draws a robot's links instead, with the joints between them: their \
            axes, limits and values, and the nodes they move.

            Examples:
              dae tree robot.zae
              dae tree --depth 2 model.zip
              dae tree --kinematics robot.zae
            """)

    @OptionGroup var options: SourceOptions
    @Option(help: FolderMeaning.help) var folders = FolderMeaning.auto

    @OptionGroup(title: "A service") var service: ServerOptions

    @Option(help: "The result's form: text (the default) or json; with --server json alone.")
    var format: OutputFormat?

    @Flag(help: "Draw robots: links, joints, and what they move.")
    var kinematics = false

    @Option(help: ArgumentHelp("Levels of nodes, or of links, to draw; all when not given.", valueName: "n"))
    var depth: Int?

    @Flag(help: "Show numbers with all their digits, and each of a node's transforms.")
    var exact = false

    mutating func validate() throws {
        if let depth, depth < 1 { throw ValidationError("--depth is \(depth); expected 1 or more.") }
    }

    func run() async throws {
        if let client = try service.client(options.run, allowing: ["--format", "--jobs", "--jsonl"]) {
            return try await draw(at: client)
        }
        let format = format ?? .text
        let depth = depth ?? .max
        let kinematics = kinematics
        let precision = exact ? TreeText.Precision.exact : .short
        let style = options.run.style
        let (options, unread) = try options.expanded(by: folders)
        try await SourceRun(options, try options.live(), several: folders.several, unread: unread).run(format) {
            result in
            switch (format, result) {
            case (.json, .read(let product)):
                Self.json(product, depth: depth, kinematics: kinematics)
            case (.json, .failed(let failure)): .json(failure.json)
            case (.text, .read(let product)):
                if kinematics {
                    .text(KinematicsText(product.scene, depth: depth, style: style).text)
                } else {
                    .textPieces {
                        TreeText(product.scene, depth: depth, precision: precision, style: style).write(to: $0)
                    }
                }
            case (.text, .failed): .nothing
            }
        } exit: { _ in
            .fine
        }
    }

    private static func json(_ product: Model, depth: Int, kinematics: Bool) -> SourceRun.Rendering {
        let members = [
            "schemaVersion": JSONValue(Inspection.schemaVersion), "source": product.inspection.source.json,
        ]
        guard !kinematics else {
            return .json(.object(members.merging(["kinematics": KinematicsTree(product.scene).json]) { $1 }))
        }
        return .jsonPieces { SceneTree(product.scene, depth: depth).writeJSON($0, members, as: "scene", to: $1) }
    }

    private func draw(at client: AssetServiceClient) async throws {
        try ServerOptions.check(format)
        try await ServedRun(client: client, sources: options.sources, options: options.run).run(
            isCompact: options.isCompact
        ) { client, settled throws(AssetServiceError) in
            let id = settled.asset.id
            // Of what failed there is no tree, and the same is said as of an inspection.
            let bytes = settled.asset.state.isReady ? try await client.tree(id) : try await client.inspectionJSON(id)
            return .init(rendering: .bytes(ServedJSON(bytes: bytes).named(settled.source).bytes))
        }
    }
}

/// A scene's graph as lines: transforms and what hangs on each node; a node met again is named, not drawn again.
private struct TreeText {
    private let scene: Scene
    private let style: Style
    /// Levels that are drawn; a root is 1.
    private let depth: Int
    private let precision: Precision

    /// How numbers and transforms are shown.
    enum Precision {
        /// To three digits, and of long chains of transforms where they lead.
        case short
        case exact
    }

    /// Transforms of a node that are named one by one; of more only where they lead together.
    private static let chainLimit = 4

    init(_ scene: Scene, depth: Int, precision: Precision = .short, style: Style) {
        self.scene = scene
        self.depth = depth
        self.precision = precision
        self.style = style
    }

    private struct Line {
        let node: SceneIndex<Node>
        let level: Int
        let prefix: String
        let isLast: Bool
    }

    /// Makes the text line by line, for a scene may have very many.
    ///
    /// - Parameter take: Takes the next piece; says whether it wants more.
    func write(to take: ([UInt8]) -> Bool) {
        let unit = Figures.significant(scene.metersPerUnit)
        let name = scene.name ?? scene.id ?? "the scene"
        var piece: [UInt8] = []
        func add(_ line: String) {
            piece += line.utf8
            piece.append(UInt8(ascii: "\n"))
        }
        add(style(.bold, name.withoutControls) + style(.dim, "   \(scene.upAxis.rawValue), a unit is \(unit) m"))
        if scene.roots.isEmpty { add(style.marks("└─ ") + "no nodes") }
        var seen: Set<SceneIndex<Node>> = []
        // An explicit stack: files nest as deep as the budget lets them.
        var stack = branches(of: scene.roots, level: 1, prefix: "")
        while let line = stack.popLast() {
            if piece.count >= Self.pieceSize {
                guard take(piece) else { return }
                piece.removeAll(keepingCapacity: true)
            }
            let node = scene.nodes[line.node]
            let isNew = seen.insert(line.node).inserted
            let below = TreeBranch.below(line.prefix, isLast: line.isLast, level: line.level, style)
            let head = line.prefix + style.marks(line.isLast ? "└─ " : "├─ ") + describe(node)
            guard isNew else {
                add(head + style(.dim, "   (drawn above)"))
                continue
            }
            add(head)
            let isCut = line.level >= depth && !node.children.isEmpty
            let bar = node.children.isEmpty || isCut ? "   " : style.marks("│  ")
            for instance in node.instances { add(below + bar + describe(instance)) }
            if isCut {
                add(
                    below + style.marks("└─ ")
                        + style(.dim, "\(Figures.count(node.children.count, "child", "children")) not drawn"))
            } else {
                stack += branches(of: node.children, level: line.level + 1, prefix: below)
            }
        }
        _ = take(piece)
    }

    /// Bytes from which on lines are handed on.
    private static let pieceSize = 1 << 16

    /// Last first, as a stack wants them.
    private func branches(of nodes: [SceneIndex<Node>], level: Int, prefix: String) -> [Line] {
        nodes.indices.reversed().map {
            Line(node: nodes[$0], level: level, prefix: prefix, isLast: $0 == nodes.count - 1)
        }
    }

    private func describe(_ node: Node) -> String {
        var name = (node.name ?? node.id ?? node.sid ?? "unnamed").withoutControls
        switch node.role {
        case .element: break
        case .conversion(let system): name = "converted from \(system)"
        case .placement: name = (node.name ?? "model").withoutControls + " (placed)"
        }
        switch node.kind {
        case .joint: name += " (joint)"
        case .node: break
        }
        let effective = node.transforms.filter { $0.matrix != .identity }
        let transforms: [String]
        switch precision {
        case .short where effective.count > Self.chainLimit:
            let offset = node.matrix.columns.3
            let place = numbers([offset.x, offset.y, offset.z])
            transforms = ["\(Figures.count(effective.count)) transforms, to \(place)"]
        case .short, .exact: transforms = effective.map(describe)
        }
        return transforms.isEmpty ? name : name + "   " + style(.dim, transforms.joined(separator: style.marks(" · ")))
    }

    private func describe(_ transform: Transform) -> String {
        switch transform {
        case .matrix(let matrix):
            let offset = matrix.columns.3
            return "matrix, to " + numbers([offset.x, offset.y, offset.z])
        case .translate, .scale, .skew, .lookat: return "\(transform.name) " + numbers(transform.values)
        case .rotate(let axis, let degrees):
            let names: [SIMD3<Double>: String] = [[1, 0, 0]: "x", [0, 1, 0]: "y", [0, 0, 1]: "z"]
            return "rotate \(names[axis] ?? numbers([axis.x, axis.y, axis.z])) \(number(degrees))\(style.marks("°"))"
        }
    }

    private func numbers(_ values: [Double]) -> String { values.map(number).joined(separator: " ") }

    private func number(_ value: Double) -> String {
        switch precision {
        case .short: Figures.significant(value)
        case .exact: Figures.exact(value)
        }
    }

    private func describe(_ instance: Instance) -> String {
        switch instance {
        case .geometry(let index, let materials):
            let geometry = scene.geometries[index]
            return style.marks("▸") + " mesh \(label(geometry.name, geometry.id)), "
                + Figures.count(geometry.measure.triangles, "triangle")
                + bindings(materials)
        case .controller(let index, skeleton: _, let materials):
            let controller = scene.controllers[index]
            let kind =
                switch controller.kind {
                case .skin(let skin):
                    "skin \(label(controller.name, controller.id)), \(Figures.count(skin.joints.count, "joint"))"
                case .morph(let morph):
                    "morph \(label(controller.name, controller.id)), \(Figures.count(morph.targets.count, "target"))"
                case nil: "controller \(label(controller.name, controller.id))"
                }
            return style.marks("▸ ") + kind + bindings(materials)
        case .camera(let index):
            return style.marks("▸") + " camera " + label(scene.cameras[index].name, scene.cameras[index].id)
        case .light(let index):
            let light = scene.lights[index]
            return style.marks("▸") + " \(light.kind?.rawValue ?? "unreadable") light " + label(light.name, light.id)
        }
    }

    private func bindings(_ materials: [MaterialBinding]) -> String {
        guard !materials.isEmpty else { return "" }
        let names = materials.map { binding in
            binding.material.map { label(scene.materials[$0].name, scene.materials[$0].id) }
                ?? style(.red, binding.symbol.withoutControls + style.marks(" → ") + "missing")
        }
        // One line a submesh would be hundreds of them: each once, as often as it is there.
        var order: [String] = []
        var counts: [String: Int] = [:]
        for name in names {
            if counts[name] == nil { order.append(name) }
            counts[name, default: 0] += 1
        }
        let shown = order.map { name in
            let count = counts[name] ?? 1
            return count > 1 ? "\(name) \(style.marks("×"))\(Figures.count(count))" : name
        }
        return style(.dim, style.marks(" · ")) + shown.joined(separator: ", ")
    }

    private func label(_ name: String?, _ id: String?) -> String { (name ?? id ?? "unnamed").withoutControls }
}

/// What leads to the lines of a drawn tree.
enum TreeBranch {
    /// Levels whose lines are drawn; below them the level is told as a number, or each line were as long as the tree is
    /// deep.
    private static let drawnLevels = 64

    /// What a line's children begin with, and all below them.
    static func below(_ prefix: String, isLast: Bool, level: Int, _ style: Style) -> String {
        level < drawnLevels
            ? prefix + (isLast ? "   " : style.marks("│  ")) : style.marks("⋯") + " level \(level + 1) "
    }
}
