import DaeCore
import Daedalus

/// One screen about one source: every line answers a question somebody has about a model.
struct InspectionScreen {
    private let inspection: Inspection
    private let style: Style
    /// Columns of the terminal; `nil` where lines may be as long as they are.
    private let width: Int?
    private static let labelWidth = 10
    /// Clips that are named; the rest are counted.
    private static let clipLimit = 3

    init(_ inspection: Inspection, style: Style, width: Int?) {
        self.inspection = inspection
        self.style = style
        self.width = width
    }

    var text: String {
        var lines = [header]
        if let digest = inspection.source.sha256 { lines.append(line("sha256", digest)) }
        lines.append(line("scene", scene))
        lines.append(line("made by", maker))
        if let authors = names(inspection.document.authors) { lines.append(line("author", authors)) }
        if let owners = names(inspection.document.copyrights) { lines.append(line("copyright", owners)) }
        lines.append(line("size", size))
        lines.append(line("content", content))
        if let motion { lines.append(line("motion", motion)) }
        if let beside { lines.append(line("also", beside)) }
        lines += textures
        if let unused { lines.append(line("unused", unused)) }
        if let twice { lines.append(line("twice", twice)) }
        lines.append(line("issues", issues))
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ label: String, _ text: String) -> String {
        guard let room else { return head(label) + text }
        let indent = String(repeating: " ", count: 2 + Self.labelWidth)
        return head(label) + text.wrapped(to: room).joined(separator: "\n" + indent)
    }

    private func head(_ label: String) -> String { "  " + style(.dim, label.padded(to: Self.labelWidth)) }

    /// Columns beside the labels; `nil` where lines may be as long as they are.
    private var room: Int? { width.map { max(20, $0 - 2 - Self.labelWidth) } }

    // MARK: - Lines

    private var header: String {
        var parts: [String] = []
        if let bytes = inspection.source.bytes { parts.append(Figures.bytes(bytes)) }
        if inspection.source.kind != .dae {
            parts.append(Figures.count(inspection.bundle.entries, "file"))
        }
        let name = inspection.source.input.withoutControls
        return style(.bold, name) + "   " + parts.joined(separator: style.marks(" · "))
    }

    private var scene: String {
        let bundle = inspection.bundle
        var how = bundle.rule.title(manifest: bundle.manifest?.withoutControls)
        if bundle.models.count > 1 { how += " (\(bundle.models.count) models together)" }
        let others = bundle.candidates.count
        if others == 1 { how += " (1 other: \(bundle.candidates[0].withoutControls))" }
        if others > 1 { how += " (\(others) others, such as \(bundle.candidates[0].withoutControls))" }
        return "\(sceneAddress.withoutControls)   " + style(.dim, how)
    }

    /// The scene's path, with the archives before it that were entered on the way.
    private var sceneAddress: String {
        let nesting = inspection.findings.findings.first { $0.code == .bundleNestedArchive }
        return nesting?.arguments.first { $0.name == "scene" }?.value ?? inspection.bundle.scenePath
    }

    private var maker: String {
        let document = inspection.document
        let tools = document.authoringTools.map(\.withoutControls)
        let tool = tools.isEmpty ? "unknown" : tools.prefix(3).joined(separator: ", ")
        var form = "COLLADA \(document.version?.withoutControls ?? "without a version")"
        if let encoding = document.encoding { form += style.marks(" · ") + encoding }
        return "\(tool)   " + style(.dim, form)
    }

    /// The first few; `nil` for none.
    private func names(_ all: [String]) -> String? {
        let names = all.prefix(3).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls.cutAtTheEnd(
                to: 200, by: style.marks("…"))
        }
        let told = names.filter { !$0.isEmpty }.joined(separator: style.marks(" · "))
        return told.isEmpty ? nil : told + (all.count > 3 ? style.marks(" …") : "")
    }

    private var unit: String {
        let document = inspection.document
        let meters = Figures.significant(document.metersPerUnit) + " m"
        switch (document.unitName?.withoutControls, document.statesUnit) {
        case (let name?, true): return "authored in \(name) (\(meters))"
        case (let name?, false): return "authored in \(name), \(meters) assumed"
        case (nil, true): return "authored in units of \(meters)"
        case (nil, false): return "no unit stated, \(meters) assumed"
        }
    }

    private var size: String {
        let authored = "\(unit), \(inspection.document.upAxis.rawValue)"
        guard let size = inspection.scene.sizeInMeters else { return "nothing to measure   " + style(.dim, authored) }
        let sides = [size.x, size.y, size.z].map(Figures.length).joined(separator: style.marks(" × "))
        return "\(sides) m   " + style(.dim, authored)
    }

    private var content: String {
        let counts = inspection.allCounts
        let scene = inspection.scene
        var parts = ["\(Figures.count(scene.nodes, "node")) (depth \(scene.depth))"]
        let used = inspection.geometries.count { $0.isUsed }
        let meshes = Figures.count(used, "mesh", "meshes")
        let submeshes = counts.submeshes > used ? " (\(Figures.count(counts.submeshes, "submesh", "submeshes")))" : ""
        parts.append("\(meshes)\(submeshes) in \(Figures.count(scene.instances, "instance"))")
        parts.append(Figures.count(scene.triangles, "triangle"))
        if counts.positions > 0 { parts.append(Figures.count(counts.positions, "vertex", "vertices")) }
        if counts.lines > 0 { parts.append(Figures.count(counts.lines, "line")) }
        parts.append(Figures.count(counts.materials, "material"))
        return parts.joined(separator: style.marks(" · "))
    }

    private var motion: String? {
        let counts = inspection.allCounts
        var parts: [String] = []
        if counts.skins > 0 {
            parts.append(Figures.count(counts.skins, "skin") + " on " + Figures.count(counts.joints, "joint"))
        }
        if counts.morphs > 0 { parts.append(Figures.count(counts.morphs, "morph")) }
        if counts.animations > 0 { parts.append(animations) }
        if counts.animationClips > 0 { parts.append(Figures.count(counts.animationClips, "clip") + clipNames) }
        return parts.isEmpty ? nil : parts.joined(separator: style.marks(" · "))
    }

    /// Those that move something, and how long that takes; the others only hold some together.
    private var animations: String {
        let moving = inspection.animations.filter { $0.channels > 0 }
        let count = moving.isEmpty ? inspection.counts.animations : moving.count
        let spans = moving.compactMap(\.span)
        let start = spans.map(\.lowerBound).min() ?? 0
        let end = spans.map(\.upperBound).max() ?? 0
        let time = end > start ? " of \(Figures.significant(end - start)) s" : ""
        return Figures.count(count, "animation") + time + " with "
            + Figures.count(inspection.counts.animationChannels, "channel")
    }

    /// The first clips with their durations, in brackets.
    private var clipNames: String {
        let clips = inspection.animationClips
        var names = clips.prefix(Self.clipLimit).map { clip in
            let name = (clip.name ?? clip.id ?? "unnamed").withoutControls.cut(to: 24, by: style.marks("…"))
            return clip.duration.map { "\(name) \(Figures.significant($0)) s" } ?? name
        }
        if clips.count > Self.clipLimit { names.append(style.marks("…")) }
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    private var beside: String? {
        let counts = inspection.allCounts
        var parts: [String] = []
        if counts.cameras > 0 { parts.append(Figures.count(counts.cameras, "camera")) }
        if counts.lights > 0 { parts.append(Figures.count(counts.lights, "light")) }
        if counts.physicsScenes > 0 { parts.append(Figures.count(counts.physicsScenes, "physics scene")) }
        if counts.kinematicsScenes > 0 { parts.append(Figures.count(counts.kinematicsScenes, "kinematics scene")) }
        let physics = inspection.physics
        if physics.rigidBodies > 0 { parts.append(Figures.count(physics.rigidBodies, "rigid body", "rigid bodies")) }
        let kinematics = inspection.kinematics
        if kinematics.links > 0 {
            parts.append(
                Figures.count(kinematics.links, "link") + " with " + Figures.count(kinematics.modelJoints, "joint"))
        }
        return parts.isEmpty ? nil : parts.joined(separator: style.marks(" · "))
    }

    private var unused: String? {
        let unused = inspection.bundle.unused
        guard let first = unused.first else { return nil }
        let more = unused.count > 1 ? " and \(Figures.count(unused.count - 1, "other"))" : ""
        return first.withoutControls + more
    }

    /// Files that are there more than once.
    private var twice: String? {
        let groups = inspection.bundle.duplicates
        guard let first = groups.first else { return nil }
        let more = groups.count > 1 ? " and \(Figures.count(groups.count - 1, "other"))" : ""
        return first.prefix(2).map(\.withoutControls).joined(separator: " = ") + more
    }

    /// What reading met: rules that look closer cost more, and are those of `validate`.
    private var issues: String {
        let log = inspection.findings
        var parts: [String] = []
        for severity in Severity.allCases {
            let count = log.total(severity)
            guard count > 0 else { continue }
            let text = Figures.count(count, severity.rawValue)
            switch severity {
            case .error: parts.append(style(.red, text))
            case .warning: parts.append(style(.yellow, text))
            case .info, .hint: parts.append(text)
            }
        }
        let met = parts.isEmpty ? "no fault met" : parts.joined(separator: ", ")
        // Of standard input there is nothing left to look at.
        let source = inspection.source.input
        let more = source.isStandardInput ? "" : "   " + style(.dim, "all: dae validate \(source.shellQuoted)")
        return "\(met) while reading\(more)"
    }
}

// MARK: - Textures

extension InspectionScreen {
    private var textures: [String] {
        let lines = ImageLines(inspection.images, style: style, width: room).lines
        // These have been cut to their room.
        var all = lines.enumerated().map { head($0 == 0 ? "textures" : "") + $1 }
        let source = inspection.source.input
        if !source.isStandardInput, inspection.images.contains(where: { ImageState($0).isUnresolved }) {
            all.append(line("", style(.dim, "dae resolve --missing \(source.shellQuoted)")))
        }
        return all
    }
}

extension String {
    fileprivate var isStandardInput: Bool { self == "-" || hasPrefix("-!/") }

    /// As a shell takes it as one word.
    fileprivate var shellQuoted: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-:,@%+=".contains($0)) }
        return isPlain
            ? self
            : "'" + withoutControls.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
