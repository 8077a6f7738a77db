import Daedalus

/// How the references of a scene were followed.
struct ResolutionList {
    enum Selection {
        case all, failures
    }

    private let opened: LiveBundle
    private let choice: SceneChoice
    private let references: [FollowedReference]
    private let shown: [FollowedReference]
    private let style: Style

    init(
        _ opened: LiveBundle, _ choice: SceneChoice, _ references: [FollowedReference], shows: Selection, style: Style
    ) {
        self.opened = opened
        self.choice = choice
        self.references = references
        switch shows {
        case .all: shown = references
        case .failures: shown = references.filter(\.resolution.isFailure)
        }
        self.style = style
    }

    var text: String {
        let name = style(.bold, opened.file.input.withoutControls)
        let failures = references.count(where: \.resolution.isFailure)
        let sum =
            references.isEmpty
            ? "no references"
            : "\(Figures.count(references.count, "reference")), "
                + (failures == 0 ? "none missing" : style(.red, "\(failures) missing"))
        return shown.map(block).joined() + "\(name): \(sum)\n"
    }

    private func block(_ reference: FollowedReference) -> String {
        let resolution = reference.resolution
        let lines = resolution.description.split(separator: "\n", maxSplits: 1)
        let head = label(of: reference) + (lines.first.map(String.init) ?? "")
        let rest = lines.dropFirst().map { "\n" + style(.dim, String($0)) }.joined()
        let isForeign = reference.base != choice.entry.path
        let base = isForeign ? "\n" + style(.dim, "  named in \(reference.base.withoutControls)") : ""
        return (resolution.isFailure ? style(.red, head) : head) + base + rest + "\n"
    }

    /// What stands before the reference as written.
    private func label(of reference: FollowedReference) -> String {
        switch reference.kind {
        case .document: "document "
        case .image where reference.resolution.reference.isEmpty:
            "image \((reference.id ?? reference.name ?? "without an id").withoutControls), which names no file"
        case .image: ""
        }
    }

    var json: JSONValue {
        [
            "schemaVersion": JSONValue(Inspection.schemaVersion),
            "source": opened.source.json, "scene": .string(choice.entry.path), "references": .array(shown.map(\.json)),
        ]
    }
}
